//! How careful one has to be with each operation: some exhaust memory or time, others allocate or work so much that the search
//! stands still.
//!
//! What was dear now and then is called with modest arguments, most of the time: one call that fills megabytes costs as much as
//! ten thousand others. How often follows from what was allocated and compared, never from measured time.
//!
//! Decisions:
//! - `docs/decisions/032-exhausting-operations-get-modest-arguments.md`
//! - `docs/decisions/033-dear-operations-get-modest-arguments.md`

use provoke_wire::DEAR_BYTES;
use serde::{Deserialize, Serialize};

use crate::rng::Rng;
use crate::saved_forms::{RestoreError, ensure};

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Experience {
    /// How often it exhausted memory or time.
    n_exhausted: u32,
    /// Calls that no component brought along.
    n_calls: u64,
    /// Those in which a program became dear, the dearer ones counted several times.
    n_dear: u64,
}

impl Experience {
    /// Weighs how often it was dear by how large a part of its calls that is: what is dear each time soon is rarely, and what
    /// comes to be once in a thousand calls is left alone for long.
    fn level(self) -> u32 {
        let dear = self.n_dear.saturating_mul(self.n_dear) / self.n_calls.max(1);
        self.n_exhausted.saturating_add(dear.min(u64::from(u32::MAX)) as u32)
    }
}

/// By operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CostLimits {
    experiences: Vec<Experience>,
    levels: Vec<u32>,
}

impl CostLimits {
    pub fn new(n_ops: usize) -> CostLimits {
        CostLimits { experiences: vec![Experience::default(); n_ops], levels: vec![0; n_ops] }
    }

    /// 0 where no caution is needed.
    pub fn level(&self, op: u32) -> u32 {
        self.levels[op as usize]
    }

    /// Whether the next call is to be given modest arguments.
    pub fn is_due(&self, op: u32, rng: &mut Rng) -> bool {
        is_due(self.level(op), rng)
    }

    pub fn n_exhausted(&self, op: u32) -> u32 {
        self.experiences[op as usize].n_exhausted
    }

    pub fn exhaust(&mut self, op: u32) {
        self.learn(op, |experience| experience.n_exhausted += 1);
    }

    /// `weight` is 0 where the program did not become dear in it, and else by how much it did ([`weight_of`]).
    pub fn call(&mut self, op: u32, weight: u32) {
        let experience = &mut self.experiences[op as usize];
        experience.n_calls += 1;
        // Most are never dear.
        if weight > 0 || experience.n_dear > 0 {
            self.learn(op, |experience| experience.n_dear += u64::from(weight));
        }
    }

    fn learn(&mut self, op: u32, change: impl FnOnce(&mut Experience)) {
        let experience = &mut self.experiences[op as usize];
        change(experience);
        self.levels[op as usize] = experience.level();
    }

    /// Takes over what was saved about the same operations.
    pub(crate) fn restore(&mut self, saved: CostLimits) -> Result<(), RestoreError> {
        let is_alike = [saved.experiences.len(), saved.levels.len()] == [self.levels.len(); 2];
        *self = saved;
        ensure(is_alike, "limits of costs")
    }
}

/// How much a call counts in which a program became dear, by what the whole program cost: one more each time that it is doubled.
pub fn weight_of(cost: u64) -> u32 {
    1 + (cost / DEAR_BYTES).max(1).ilog2()
}

/// Whether what asks for so much caution gets modest arguments this time.
pub fn is_due(level: u32, rng: &mut Rng) -> bool {
    level > 0 && rng.below(1 + 8 * level as usize) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::saved_and_read;

    fn after(n_calls: u64, n_dear: u64) -> u32 {
        let mut cost_limits = CostLimits::new(1);
        (0..n_calls).for_each(|call| cost_limits.call(0, u32::from(call < n_dear)));
        cost_limits.level(0)
    }

    #[test]
    fn what_is_always_dear_is_treated_with_ever_more_caution_and_what_hardly_is_is_not() {
        assert_eq!(
            [(3, 3), (4, 4), (40, 40), (400, 40), (4000, 40), (1_000, 1)].map(|(n, d)| after(n, d)),
            [3, 4, 40, 4, 0, 0]
        );
    }

    #[test]
    fn the_dearer_a_call_was_the_more_it_counts() {
        assert_eq!([0, DEAR_BYTES, 2 * DEAR_BYTES, 200 * DEAR_BYTES].map(weight_of), [1, 1, 2, 8]);
    }

    #[test]
    fn caution_grows_with_every_exhaustion() {
        let mut cost_limits = CostLimits::new(2);
        cost_limits.exhaust(1);
        assert_eq!([0, 1].map(|op| cost_limits.level(op)), [0, 1]);
        let mut rng = Rng::new(1);
        let mut n_due = |op| (0..900).filter(|_| cost_limits.is_due(op, &mut rng)).count();
        assert_eq!(n_due(0), 0);
        assert!((750..850).contains(&n_due(1)));
    }

    #[test]
    fn caution_is_saved() {
        let mut cost_limits = CostLimits::new(2);
        cost_limits.exhaust(0);
        (0..8).for_each(|_| cost_limits.call(1, 1));
        let mut restored = CostLimits::new(2);
        restored.restore(saved_and_read(&cost_limits)).unwrap();
        assert_eq!(format!("{restored:?}"), format!("{cost_limits:?}"));
    }
}
