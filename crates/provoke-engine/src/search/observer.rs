//! Who listens to a search, and what is told there.

use provoke_wire::{Outcome, Program};

use crate::executor::{Executor, ExecutorError};
use crate::minimize::replacements::Replacements;
use crate::program::history::Predecessors;

/// What the search tells of itself while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub programs: u64,
    pub calls: u64,
    /// Of those, calls that had been made before, as part of a component.
    pub replayed_calls: u64,
    pub components: u64,
    pub functions_covered: u64,
    /// Calls that were planned; the budget counts these.
    pub planned_calls: u64,
    /// Edges of the target's control flow that were reached, each instance of generic code by itself.
    pub edges: u64,
    /// The same as places in the sources, which instances share.
    pub places: u64,
    /// Programs that were the first to reach an edge, where the search looks at that.
    pub novel_programs: u64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The budget of calls is spent.
    Spent,
    /// The sink said so.
    Stopped,
    /// No program can be built that was not run yet.
    Exhausted,
    /// It is not worth going on, see [`Outlook`](crate::Outlook).
    Plateau,
}

/// A program that did not end well, as the search met it.
pub struct Suspect<'a> {
    pub program: &'a Program,
    pub outcome: &'a Outcome,
    /// What ran before it in the same batch, and in earlier ones while the process was young.
    pub before: Predecessors<'a>,
    /// What the batch's random numbers and clock started from.
    pub entropy: u64,
    /// What the minimiser may draw from.
    pub replacements: Replacements<'a>,
}

/// Who listens to the search.
pub trait SearchObserver {
    /// Called in a deterministic order for every program that panicked or died. Gives the findings that the program shows, by
    /// numbers that are always the same for each.
    fn suspect(&mut self, executor: &mut dyn Executor, suspect: Suspect<'_>) -> Result<Vec<u64>, ExecutorError>;

    /// Called after every batch.
    fn progress(&mut self, stats: &Stats);

    /// Called now and then, when everything so far has been told: the search can go on from what `save` gives.
    fn at_checkpoint(&mut self, save: &dyn Fn() -> Vec<u8>);

    /// Asked before every batch.
    fn should_stop(&self) -> bool;

    /// Operations that are not to be called any more, asked after every batch.
    fn retired(&self) -> Vec<u32> {
        Vec::new()
    }
}
