//! Who listens to a search, and what is told there.

use provoke_wire::{Outcome, Program};
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::executor::{Executor, ExecutorError};
use crate::generate::components::Components;
use crate::minimize::stock::Stock;
use crate::program::history::Predecessors;
use crate::verdict::Incident;

/// What the search tells of itself while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// What of it may turn out to be a finding.
    pub incidents: &'a [Incident],
    /// What ran before it in the same batch, and in earlier ones while the process was young.
    pub before: Predecessors<'a>,
    /// What the batch's random numbers and clock started from.
    pub entropy: u64,
    pub(crate) api: &'a Api,
    pub(crate) components: &'a Components,
}

impl Suspect<'_> {
    /// What the minimiser may draw from, as of now.
    pub fn stock(&self) -> Stock {
        Stock::for_program(self.api, self.components, &self.program.main)
    }
}

/// Who listens to the search.
pub trait SearchObserver {
    /// Called in a deterministic order for every program that panicked or died. Nothing flows back: the search goes on
    /// as if nobody had listened.
    fn suspect(&mut self, suspect: Suspect<'_>);

    /// Called after every batch, when all of its suspects have been told. The executor can be asked about them.
    fn after_batch(&mut self, executor: &mut dyn Executor, stats: &Stats) -> Result<(), ExecutorError>;

    /// Called now and then, when everything so far has been told: the search can go on from what `save` gives.
    fn at_checkpoint(&mut self, save: &dyn Fn() -> Vec<u8>);

    /// Asked before every batch.
    fn should_stop(&self) -> bool;

    /// Operations that are not to be called any more, asked after every batch.
    fn retired(&self) -> Vec<u32> {
        Vec::new()
    }
}
