//! What ran before a batch in the same process, while processes are young.
//!
//! Batches are small at first, so what a program needs of its process (a static that earlier calls changed) may have been left by a
//! batch before its own. Later ones are large enough to have it all.
//!
//! Decision: `docs/decisions/048-young-processes-are-remembered.md`

use provoke_wire::{Outcome, Program};

use crate::options::LANES;

/// More are not remembered: the process is not young any more.
const MAX_PROGRAMS: usize = 128;

/// By lane. Nothing of it is saved: a search goes on with fresh processes.
#[derive(Clone, Debug)]
pub(crate) struct History {
    lanes: [Option<Vec<(Program, Outcome)>>; LANES],
}

impl Default for History {
    fn default() -> History {
        History { lanes: std::array::from_fn(|_| Some(Vec::new())) }
    }
}

impl History {
    /// Nothing where too much has happened since the process was started.
    pub(crate) fn before(&self, batch_number: u64) -> &[(Program, Outcome)] {
        self.lanes[batch_number as usize % LANES].as_deref().unwrap_or_default()
    }

    /// Whether a batch would be remembered.
    pub(crate) fn has_room_for(&self, batch_number: u64, n_programs: usize) -> bool {
        let lane = &self.lanes[batch_number as usize % LANES];
        lane.as_ref().is_some_and(|past| past.len() + n_programs <= MAX_PROGRAMS)
    }

    pub(crate) fn add(&mut self, batch_number: u64, ran: impl Iterator<Item = (Program, Outcome)>) {
        if let Some(past) = &mut self.lanes[batch_number as usize % LANES] {
            past.extend(ran);
        }
    }

    /// A batch ran that is not remembered.
    pub(crate) fn forget(&mut self, batch_number: u64) {
        self.lanes[batch_number as usize % LANES] = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(n_programs: usize) -> impl Iterator<Item = (Program, Outcome)> {
        std::iter::repeat_n((Program::default(), Outcome::default()), n_programs)
    }

    #[test]
    fn each_lane_has_its_own_past_and_none_once_it_is_long() {
        let mut past = History::default();
        past.add(1, batch(2));
        past.add(1 + LANES as u64, batch(4));
        assert_eq!([0, 1, 1 + 2 * LANES as u64].map(|number| past.before(number).len()), [0, 6, 6]);
        assert!(!past.has_room_for(1, MAX_PROGRAMS));
        past.forget(1);
        past.add(1, batch(1));
        assert!(past.before(1).is_empty(), "what came between is not known");
    }
}
