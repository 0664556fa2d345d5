//! Checkpoints: the batches before which all workers are replaced, and between which a search can be saved.
//!
//! What code under test keeps in its process depends on the batches that ran there before. A search that was saved and goes on
//! later starts with new workers, so it can only come to the same result if one that was never stopped has new workers at that
//! point, too. Where the checkpoints are follows from what calls cost, and not from the clock. It also keeps such state from
//! growing for ever.
//!
//! Decision: `docs/decisions/040-a-search-is-saved-at-checkpoints-only.md`

use provoke_wire::{Ending, Outcome};

/// What lies between two checkpoints: half of all that came before, within these bounds. So a power cut costs about a third of the
/// search at most once it is past its beginning, and workers are not replaced all the time.
const LEAST: u64 = 50_000;
const MOST: u64 = 4_000_000;

/// Replacing a worker costs as much as this many calls.
const DEATH: u64 = 2_000;
/// So does allocating this many bytes, as one call.
const BYTES_PER_CALL: u64 = 1 << 10;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Checkpoints {
    cost: u64,
    cost_at_last: u64,
    /// The first batch behind the next border, once that is settled.
    next: Option<u64>,
}

impl Checkpoints {
    pub(crate) fn restored(cost: u64) -> Checkpoints {
        Checkpoints { cost, cost_at_last: cost, next: None }
    }

    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Outcomes were learned from, and the next batch to be generated has this number.
    pub(crate) fn add(&mut self, outcomes: &[Outcome], next_batch: u64) {
        self.cost = outcomes.iter().map(cost_of).fold(self.cost, u64::saturating_add);
        let is_due = self.cost - self.cost_at_last >= (self.cost_at_last / 2).clamp(LEAST, MOST);
        if is_due && self.next.is_none() {
            self.next = Some(next_batch);
        }
    }

    /// Whether this batch is the first behind a border.
    pub(crate) fn is_at(&self, batch: u64) -> bool {
        self.next == Some(batch)
    }

    pub(crate) fn is_behind(&self, batch: u64) -> bool {
        self.next.is_some_and(|next| batch >= next)
    }

    /// All before this batch are done; whether that was the border.
    pub(crate) fn cross(&mut self, batch: u64) -> bool {
        let is_border = self.is_at(batch);
        if is_border {
            *self = Checkpoints::restored(self.cost);
        }
        is_border
    }
}

fn cost_of(outcome: &Outcome) -> u64 {
    let is_alive = matches!(outcome.ending, Ending::Finished | Ending::Panicked);
    u64::from(outcome.n_calls) + outcome.cost / BYTES_PER_CALL + if is_alive { 0 } else { DEATH }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_become_rarer_and_lie_ahead_of_what_is_under_way() {
        let mut checkpoints = Checkpoints::default();
        let outcome = Outcome { n_calls: 10_000, ..Outcome::default() };
        let mut seen = Vec::new();
        for batch in 0..60 {
            checkpoints.add(std::slice::from_ref(&outcome), batch + 8);
            if checkpoints.cross(batch + 1) {
                seen.push(batch + 1);
            }
        }
        assert_eq!(seen, [12, 25, 45]);
    }

    #[test]
    fn a_death_and_memory_cost_what_they_take() {
        let ending = Ending::Exit { statement: 0, phase: provoke_wire::Phase::Call, code: 0 };
        assert_eq!(cost_of(&Outcome { ending, n_calls: 1, cost: 4096, ..Outcome::default() }), 2_005);
    }
}
