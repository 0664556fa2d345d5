//! Which operation is called next.

use crate::rng::Rng;
use crate::search::known::Known;
use crate::search::schedule::spent::Spent;

/// Percent of programs that end with an operation on std types, for its own sake.
const MATERIAL_PERCENT: usize = 8;
/// Operations that are drawn at most until one of them is not avoided.
const MAX_DRAWN: usize = 8;

impl Known<'_> {
    /// What was spent on an operation, with what is not written down yet. Calls that did not return
    /// count for less, and so do those of a function in which much is still to be reached.
    fn effort(&self, op: u32, spent: &Spent) -> u64 {
        let record = self.schedule.records[op as usize].after(spent.tries.of(op));
        let function = self.api.ops[op as usize].function;
        if self.guidance.weighs {
            let n_more = function.map_or(0, |function| spent.tries_of_functions.of(function));
            self.schedule.potential.discount(record.effort(), function, u64::from(n_more))
        } else if self.is_covered(op) {
            record.n_tries
        } else {
            record.n_tries / 4
        }
    }

    /// The one of two operations that had less effort spent on it, so that rarely tried ones rise.
    pub fn lesser(&self, one: u32, other: u32, spent: &Spent) -> u32 {
        if self.effort(other, spent) < self.effort(one, spent) { other } else { one }
    }

    /// The one of two operations drawn at random that had less effort spent on it; now and then one on std types for its own sake.
    /// None at all where there are only ones that kill workers.
    pub fn choose_op(&self, spent: &Spent, rng: &mut Rng) -> Option<u32> {
        if !self.material.is_empty() && rng.percent(MATERIAL_PERCENT) {
            return Some(self.material[rng.below(self.material.len())]);
        }
        let mut best: Option<u32> = None;
        for _ in 0..MAX_DRAWN {
            let op = self.targets[rng.below(self.targets.len())];
            let reluctance = self.schedule.reluctance(op);
            if reluctance > 0 && rng.below(1 + reluctance) != 0 {
                continue;
            }
            match best {
                None => best = Some(op),
                Some(other) => return Some(self.lesser(other, op, spent)),
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Guidance, Regions};
    use crate::search::schedule::Schedule;
    use crate::test_support::sample;

    #[test]
    fn of_two_operations_the_one_with_less_spent_on_it_is_called() {
        let api = sample::api();
        let options = sample::options(&api);
        let mut known = Known::new(&api, &options, &[]);
        // Eight edges are left in what the second operation calls.
        let regions = Regions { of_edges: vec![0; 8], owners: vec![Some(1)] };
        known.schedule = Schedule::new(&api, &regions);
        known.schedule.records[1].n_tries = 9;
        known.schedule.records[2].n_tries = 8;
        known.knowledge.covered.fill(true);
        let lesser = |known: &Known<'_>, tries: &[u32]| {
            let mut spent = Spent::default();
            tries.iter().for_each(|&op| spent.try_again(&api, op));
            [known.lesser(1, 2, &spent), known.lesser(2, 1, &spent)]
        };
        known.guidance = Guidance::NONE;
        assert_eq!(lesser(&known, &[]), [2, 2]);
        assert_eq!(lesser(&known, &[2, 2]), [1, 1], "tries that are not written down yet");
        known.guidance = Guidance::ALL;
        assert_eq!(lesser(&known, &[]), [1, 1]);
        known.guidance = Guidance::NONE;
        known.knowledge.covered[1] = false;
        assert_eq!(lesser(&known, &[]), [1, 1]);
    }
}
