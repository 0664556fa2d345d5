//! How much is left to be reached in each function, and so how gladly its operations are called.
//!
//! Edges lie in *regions*: functions as they are written. A public one is known to be a function of the API; a private one is put
//! down to the function whose call was the first to get there.
//!
//! Decision: `docs/decisions/026-operations-are-chosen-by-effort.md`

use serde::{Deserialize, Serialize};

use crate::options::Regions;
use crate::saved_forms::{MAX_COUNT, RestoreError, ensure};

/// No function, yet.
const NOBODY: u32 = u32::MAX;

/// What is left in a function counts half after so many calls that reached nothing new in it: most of it may be out of reach.
const PATIENCE: u64 = 10_000;
/// So many edges that are left, and more, count as many.
const MANY_EDGES: u64 = 8;
/// How many times as often a function with much left is called as one with nothing left.
const MOST: u64 = 4;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Prospect {
    n_left: u32,
    n_tries_since_news: u64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Potential {
    /// By region: the function, and edges that were not reached.
    regions: Vec<(u32, u32)>,
    /// By function.
    functions: Vec<Prospect>,
}

impl Potential {
    pub(crate) fn new(regions: &Regions, n_functions: usize) -> Potential {
        let owners = regions.owners.iter().map(|owner| (owner.unwrap_or(NOBODY), 0));
        let mut potential = Potential { regions: owners.collect(), functions: vec![Prospect::default(); n_functions] };
        for &region in &regions.of_edges {
            let Some((owner, n_left)) = potential.regions.get_mut(region as usize) else { continue };
            *n_left += 1;
            if let Some(function) = potential.functions.get_mut(*owner as usize) {
                function.n_left += 1;
            }
        }
        potential
    }

    /// An edge was reached for the first time, by a call of this function, if any.
    pub(crate) fn reach(&mut self, region: u32, caller: Option<u32>) {
        let Some((owner, n_left)) = self.regions.get_mut(region as usize) else { return };
        if *owner == NOBODY
            && let Some(caller) = caller
            && let Some(function) = self.functions.get_mut(caller as usize)
        {
            *owner = caller;
            function.n_left += *n_left;
        }
        *n_left = n_left.saturating_sub(1);
        if let Some(function) = self.functions.get_mut(*owner as usize) {
            function.n_left = function.n_left.saturating_sub(1);
            function.n_tries_since_news = 0;
        }
    }

    /// So many calls of a function were tried.
    pub(crate) fn note_tries(&mut self, function: u32, n: u32) {
        if let Some(function) = self.functions.get_mut(function as usize) {
            function.n_tries_since_news += u64::from(n);
        }
    }

    /// Divides what was spent on an operation: the more there is to be reached in its function, the less it counts. So many more
    /// calls of the function are not written down yet.
    pub(crate) fn discount(&self, effort: u64, function: Option<u32>, n_more: u64) -> u64 {
        let Some(prospect) = function.and_then(|function| self.functions.get(function as usize)) else { return effort };
        let hope =
            u64::from(prospect.n_left).min(MANY_EDGES) * PATIENCE / (PATIENCE + prospect.n_tries_since_news + n_more);
        effort.saturating_mul(MANY_EDGES) / (MANY_EDGES + (MOST - 1) * hope)
    }

    /// Takes over what was saved about the same regions and functions. `self` is as new: no more edges can be left than there are.
    pub(crate) fn restore(&mut self, saved: Potential) -> Result<(), RestoreError> {
        let is_alike = saved.regions.len() == self.regions.len() && saved.functions.len() == self.functions.len();
        let n_edges: u32 = self.regions.iter().map(|(_, n_left)| n_left).sum();
        let is_plausible = saved.regions.iter().zip(&self.regions).all(|(saved, new)| saved.1 <= new.1)
            && saved.functions.iter().all(|it| it.n_left <= n_edges && it.n_tries_since_news <= MAX_COUNT);
        *self = saved;
        ensure(is_alike && is_plausible, "prospects")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::saved_and_read;

    /// Two functions with 2 and 1 edges, a private one with 3, and an edge of nobody's.
    fn potential() -> Potential {
        let regions = Regions { of_edges: vec![0, 0, 1, 2, 2, 2, 99], owners: vec![Some(0), Some(1), None] };
        Potential::new(&regions, 2)
    }

    #[test]
    fn functions_with_more_left_are_called_more_gladly() {
        let mut potential = potential();
        assert_eq!([Some(0), Some(1), None].map(|function| potential.discount(1000, function, 0)), [571, 727, 1000]);
        potential.reach(1, Some(1));
        assert_eq!(potential.discount(1000, Some(1), 0), 1000);
        potential.note_tries(0, 100_000);
        assert_eq!(potential.discount(1000, Some(0), 0), 1000, "nothing came of trying");
        potential.reach(0, None);
        assert_eq!(potential.discount(1000, Some(0), 0), 727, "something came of trying");
    }

    #[test]
    fn a_private_function_counts_for_the_first_who_gets_there() {
        let mut potential = potential();
        potential.reach(2, None);
        assert_eq!(potential.discount(1000, Some(1), 0), 727);
        potential.reach(2, Some(1));
        assert_eq!(potential.functions[1].n_left, 2);
        potential.reach(2, Some(0));
        assert_eq!((potential.functions[0].n_left, potential.functions[1].n_left), (2, 1));
        potential.reach(99, Some(0));
        assert_eq!(potential.functions[0].n_left, 2);
    }

    #[test]
    fn prospects_are_saved() {
        let mut saved = potential();
        saved.reach(2, Some(1));
        saved.note_tries(0, 1);
        let mut restored = potential();
        restored.restore(saved_and_read(&saved)).unwrap();
        assert_eq!(format!("{restored:?}"), format!("{saved:?}"));
    }
}
