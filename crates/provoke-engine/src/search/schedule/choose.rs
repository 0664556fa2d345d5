//! Which operation is called next.

use crate::api::Api;
use crate::search::Search;
use crate::search::schedule::potential::Prospects;
use crate::search::schedule::record::OpRecord;

/// What was spent on operations.
#[derive(Clone, Copy)]
pub(in crate::search) struct Efforts<'a> {
    pub(in crate::search) api: &'a Api,
    pub(in crate::search) records: &'a [OpRecord],
    pub(in crate::search) prospects: &'a Prospects,
    pub(in crate::search) covered: &'a [bool],
    /// How much is left to be reached counts.
    pub(in crate::search) weighs: bool,
}

impl Efforts<'_> {
    /// Calls that did not return count for less, and so do those of a function in which much is still to be reached.
    fn of(&self, op: u32) -> u64 {
        let record = self.records[op as usize];
        let function = self.api.ops[op as usize].function;
        if self.weighs {
            self.prospects.discount(record.effort(), function)
        } else if function.is_none_or(|function| self.covered[function as usize]) {
            record.n_tries
        } else {
            record.n_tries / 4
        }
    }

    /// The one of two operations that had less effort spent on it, so that rarely tried ones rise.
    pub(in crate::search) fn lesser(&self, one: u32, other: u32) -> u32 {
        if self.of(other) < self.of(one) { other } else { one }
    }
}

impl Search<'_> {
    /// The one of two operations drawn at random that had less effort spent on it; now and then one on std types for its own sake.
    /// None at all where there are only ones that kill workers.
    pub(in crate::search) fn choose_op(&mut self) -> Option<u32> {
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
                Some(other) => return Some(self.efforts().lesser(other, op)),
            }
        }
        best
    }

    fn efforts(&self) -> Efforts<'_> {
        Efforts {
            api: self.api,
            records: &self.records,
            prospects: &self.prospects,
            covered: &self.covered,
            weighs: self.guidance.weighs,
        }
    }

    pub(in crate::search) fn is_covered(&self, op: u32) -> bool {
        self.api.ops[op as usize].function.is_none_or(|f| self.covered[f as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Regions;
    use crate::test_support::sample;

    #[test]
    fn of_two_operations_the_one_with_less_spent_on_it_is_called() {
        let api = sample::api();
        let mut records = vec![OpRecord::default(); api.ops.len()];
        records[1].n_tries = 9;
        records[2].n_tries = 8;
        let [all, one_less] = [true, false].map(|is_covered| {
            let mut covered = vec![true; api.functions.len()];
            covered[1] = is_covered;
            covered
        });
        // Eight edges are left in what the second operation calls.
        let regions = Regions { of_edges: vec![0; 8], owners: vec![Some(1)] };
        let prospects = Prospects::new(&regions, api.functions.len());
        let lesser = |covered: &[bool], weighs| {
            let efforts = Efforts { api: &api, records: &records, prospects: &prospects, covered, weighs };
            [efforts.lesser(1, 2), efforts.lesser(2, 1)]
        };
        assert_eq!([lesser(&all, false), lesser(&one_less, false), lesser(&all, true)], [[2, 2], [1, 1], [1, 1]]);
    }
}
