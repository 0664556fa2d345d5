//! How a search is to be run.

use provoke_wire::{Comparison, ValueIdentity};

/// Where programs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Random walk: every program from scratch, nothing kept.
    Walk,
    /// Bottom-up: every legal program is kept and extended.
    Legal,
    /// Bottom-up, keeping only programs that made a new value.
    Directed,
    /// The same, guided by what programs reach of the target's code.
    Guided,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Walk => "walk",
            Strategy::Legal => "legal",
            Strategy::Directed => "directed",
            Strategy::Guided => "guided",
        }
    }
}

/// The parts of a guided search, each of which can be left out to see what it is worth. Nothing of it is used by the other
/// strategies, or without counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Programs that reach something new are kept as components, whatever values they make.
    pub keeps: bool,
    /// Witnesses are changed at random.
    pub mutates: bool,
    /// Witnesses are changed so that comparisons come out otherwise.
    pub aims: bool,
    /// Some arguments are what comparisons measured them by.
    pub measures: bool,
    /// Some arguments are got from others.
    pub relates: bool,
    /// Functions with much to be reached in them are called more often, and so are those that rarely return.
    pub weighs: bool,
}

impl Guidance {
    pub const ALL: Guidance =
        Guidance { keeps: true, mutates: true, aims: true, measures: true, relates: true, weighs: true };
    pub const NONE: Guidance =
        Guidance { keeps: false, mutates: false, aims: false, measures: false, relates: false, weighs: false };
}

/// Which edges lie in which function, as functions are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// By edge of the worker: the function that it lies in, by place in `owners`; anything else is in none.
    pub of_edges: Vec<u32>,
    /// Place in the API, of those that are public.
    pub owners: Vec<Option<u32>>,
}

#[derive(Clone, Debug)]
pub struct SearchOptions {
    pub strategy: Strategy,
    pub seed: u64,
    /// What counts as the same value; `ValueIdentity::None` switches pruning off.
    pub notion: ValueIdentity,
    /// Stop once this many calls were planned.
    pub max_calls: Option<u64>,
    /// Stop when going on is hardly worth it.
    pub until_plateau: bool,
    /// Functions that may be chosen as the call under test, by place in the API; others only serve as material.
    pub is_selected: Vec<bool>,
    pub max_component_bytes: usize,
    /// What of it is used.
    pub guidance: Guidance,
    /// Where the edges are that the worker has counters for; with none, coverage is not asked for.
    pub regions: Regions,
    /// By edge: the number of its place in the sources, which instances of generic code share; `u32::MAX` for none.
    pub edge_places: Vec<u32>,
    /// Comparisons that tell where things lie in memory: no literal decides about that, and it differs by process. First and last
    /// site of each stretch, sorted; sites may lie before the place that they are counted from.
    pub unsteady_sites: Vec<(i32, i32)>,
}

impl SearchOptions {
    pub(crate) fn is_unsteady(&self, comparison: &Comparison) -> bool {
        lies_in(&self.unsteady_sites, comparison.site.cast_signed())
    }
}

fn lies_in(stretches: &[(i32, i32)], site: i32) -> bool {
    let n_before = stretches.partition_point(|(first, _)| *first <= site);
    n_before > 0 && site <= stretches[n_before - 1].1
}

/// Programs per batch once the search has warmed up.
pub const BATCH_SIZE: usize = 512;
/// Batch *n* runs in the same process as batch *n - LANES*, unless that process was ended or renewed in between.
pub const LANES: usize = 8;
/// So many batches are under way at most. A constant, so that the number of workers changes speed
/// and not results.
pub const WINDOW: usize = 8;
/// So many batches are made from the same state, so that it does not matter on how many threads.
/// They are made as soon as all of them fit into the window.
pub const GROUP: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_lies_in_one_of_the_stretches_with_their_ends() {
        let stretches = [(-90, -80), (5, 5), (7, 9)];
        let inside: Vec<i32> = (-100..100).filter(|&site| lies_in(&stretches, site)).collect();
        assert_eq!(inside, (-90..=-80).chain([5]).chain(7..=9).collect::<Vec<i32>>());
        assert!(!lies_in(&[], 0));
    }
}
