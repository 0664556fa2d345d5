//! Which operation is called next.

use super::Search;

impl Search<'_> {
    /// The one of two operations drawn at random that had less effort spent on it, so that rarely tried ones rise; now and then
    /// one on std types for its own sake. None at all where there are only ones that kill workers.
    pub(super) fn choose_op(&mut self) -> Option<u32> {
        if !self.material.is_empty() && self.rng.percent(8) {
            return Some(self.material[self.rng.below(self.material.len())]);
        }
        let mut best: Option<u32> = None;
        for _ in 0..8 {
            let op = self.targets[self.rng.below(self.targets.len())];
            // What keeps killing workers is tried ever more rarely, and what keeps blocking them, which costs seconds each
            // time, more rarely still.
            let reluctance = self.records[op as usize].reluctance(self.caution.level(op));
            if reluctance > 0 && self.rng.below(1 + reluctance) != 0 {
                continue;
            }
            match best {
                None => best = Some(op),
                Some(other) => return Some(if self.effort(op) < self.effort(other) { op } else { other }),
            }
        }
        best
    }

    /// What was spent on an operation. Calls that did not return count for less, and so do those of a function in which much is
    /// still to be reached.
    fn effort(&self, op: u32) -> u64 {
        let record = self.records[op as usize];
        if self.guidance.weighs {
            self.prospects.discount(record.effort(), self.api.ops[op as usize].function)
        } else if self.is_covered(op) {
            record.n_tries
        } else {
            record.n_tries / 4
        }
    }

    pub(super) fn is_covered(&self, op: u32) -> bool {
        self.api.ops[op as usize].function.is_none_or(|f| self.covered[f as usize])
    }
}
