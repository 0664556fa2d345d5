//! Which suspects of the search become leads.
//!
//! That follows from what the search met and from nothing that was made of it: an incident is a lead when it is met for
//! the first time, and at its second, fourth, eighth… occurrence, since what did not show again may do so then. Whoever
//! takes leads drops those of incidents that are settled.

use std::collections::{BTreeMap, BTreeSet};

use provoke_engine::{Failure, Incident};

/// The last occurrence that is a lead.
const MAX_OCCURRENCES: u32 = 1 << 6;

#[derive(Default)]
pub(crate) struct Intake {
    /// How often each incident was met, by key.
    n_met: BTreeMap<u64, u32>,
}

impl Intake {
    /// Counts an occurrence. Whether it is a lead.
    pub(crate) fn admits(&mut self, incident: &Incident) -> bool {
        let n_met = self.n_met.entry(incident.key).or_default();
        *n_met = n_met.saturating_add(1);
        // Which call broke memory, the place does not tell: another program may show another fault.
        let is_bounded = !matches!(incident.event, Failure::Tracked(_) | Failure::Signal(_));
        n_met.is_power_of_two() && (!is_bounded || *n_met <= MAX_OCCURRENCES)
    }

    /// The next occurrence is the first again.
    pub(crate) fn forget(&mut self, key: u64) {
        self.n_met.remove(&key);
    }

    /// What was met, but for those keys.
    pub(crate) fn save_without(&self, keys: &BTreeSet<u64>) -> Vec<(u64, u32)> {
        self.n_met.iter().filter(|(key, _)| !keys.contains(key)).map(|(key, n_met)| (*key, *n_met)).collect()
    }

    pub(crate) fn restore(&mut self, saved: Vec<(u64, u32)>) {
        self.n_met = saved.into_iter().collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::confirm::pipeline::fake_worker::incident;

    #[test]
    fn the_first_and_every_doubling_is_a_lead_and_crashes_are_without_end() {
        let (mut intake, panic) = (Intake::default(), incident(7));
        let leads: Vec<u32> = (1..=200).filter(|_| intake.admits(&panic)).collect();
        assert_eq!(leads, [1, 2, 4, 8, 16, 32, 64]);
        let crash = Incident { event: Failure::Signal(11), ..incident(8) };
        assert_eq!((1..=200).filter(|_| intake.admits(&crash)).last(), Some(128));
        intake.forget(7);
        assert!(intake.admits(&panic));
    }

    #[test]
    fn what_is_saved_counts_on_and_what_waits_is_met_anew() {
        let mut intake = Intake::default();
        for key in [1, 1, 1, 2] {
            intake.admits(&incident(key));
        }
        let saved = intake.save_without(&BTreeSet::from([2]));
        let mut restored = Intake::default();
        restored.restore(saved);
        assert!(restored.admits(&incident(2)), "for the first time");
        assert!(restored.admits(&incident(1)), "for the fourth time");
    }
}
