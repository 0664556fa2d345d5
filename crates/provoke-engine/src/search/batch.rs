//! Batches of programs: taken up once they are made, and what is remembered of them until their
//! outcomes are there.
//!
//! Decisions:
//! - `docs/decisions/024-one-batch-of-four-is-observed.md`
//! - `docs/decisions/092-a-batch-follows-from-its-number.md`

use provoke_wire::{Batch, RunOptions, ValueIdentity};
use serde::{Deserialize, Serialize};

use crate::options::Strategy;
use crate::search::Search;
use crate::search::make::{Made, Maker};
use crate::search::sources::{BatchPlan, Origin, Workshop};

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Planned {
    pub batch_number: u64,
    pub is_observed: bool,
    pub programs: Vec<PlannedProgram>,
    /// How many edges were known when it was made.
    pub n_known_edges: usize,
    /// The batch itself as workers get it, where it may have to be saved: behind a checkpoint that is still to be crossed.
    pub encoded: Vec<u8>,
}

/// What follows from the program itself is not saved with it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PlannedProgram {
    pub op: u32,
    #[serde(skip)]
    pub first_new: u32,
    #[serde(skip)]
    pub n_calls: u32,
    /// Calls before the first new one.
    #[serde(skip)]
    pub n_old: u32,
    #[serde(skip)]
    pub hash: u64,
    pub origin: Origin,
}

impl Search<'_> {
    /// Deals what waits to batches that are going to be made.
    pub(crate) fn deal(&mut self, plans: &[BatchPlan]) {
        for (n_before, &plan) in plans.iter().enumerate() {
            for source in &mut self.sources {
                source.deal(&self.known, plan, plans.len() - n_before);
            }
        }
    }

    /// What batches are made from.
    pub(crate) fn maker(&self) -> Maker<'_, '_> {
        Maker {
            known: &self.known,
            sources: &self.sources,
            shares: &self.shares,
            programs_seen: &self.programs_seen,
            n_left: self.max_calls.map(|max| max.saturating_sub(self.known.stats.planned_calls)),
        }
    }

    /// Writes down what a batch used, and gives the programs of it that are to be run: no program
    /// of another batch, and no more calls than the budget has left.
    pub(crate) fn take_up(&mut self, mut made: Made, workshop: &mut Workshop) -> (Batch, Planned) {
        self.known.schedule.note_tries(&mut workshop.spent);
        workshop.spent.choices.drain().for_each(|(place, n)| self.known.corpus.witnesses.note_choices(place, n));
        for (source, &n_asked) in self.sources.iter_mut().zip(&made.n_asked) {
            source.settle(made.number, n_asked);
        }
        let is_own = made.is_own;
        let (seen, stats, max_calls) = (&mut self.programs_seen, &mut self.known.stats, self.max_calls);
        let dropped = made.retain(0, |_, plan| {
            let is_spent = max_calls.is_some_and(|max| stats.planned_calls >= max);
            // What is traced was run before, as it is or nearly so.
            let is_kept = !is_spent && (is_own || seen.insert(plan.hash));
            stats.planned_calls += if is_kept { u64::from(plan.n_calls) } else { 0 };
            is_kept
        });
        workshop.keep_spare(dropped);
        let Made { number, is_observed, programs, planned, is_barren, own, .. } = made;
        if let Some((place, mut own)) = own {
            own.traces.truncate(programs.len());
            self.sources[place].settle_own(number, own);
        }
        if !is_own {
            self.n_barren = if is_barren { self.n_barren + 1 } else { 0 };
        }
        let options = self.run_options(is_own, is_observed);
        let (news, n_known_edges) = (self.known.knowledge.edges.news(), self.known.knowledge.edges.n_told());
        let batch = Batch { number, options, programs, news };
        (batch, Planned { batch_number: number, is_observed, programs: planned, n_known_edges, encoded: Vec::new() })
    }

    /// Takes back what was dealt to a batch that is not going to be run.
    pub(crate) fn give_back(&mut self, made: &Made) {
        self.sources.iter_mut().for_each(|source| source.settle(made.number, 0));
    }

    fn run_options(&self, is_traced: bool, is_observed: bool) -> RunOptions {
        RunOptions {
            notion: if is_observed { self.notion() } else { ValueIdentity::None },
            coverage: is_traced || self.known.knowledge.edges.is_in_use(),
            comparisons: is_traced,
            entropy: self.entropy(),
            checks: !self.known.api.specifications.is_empty(),
            ..RunOptions::QUIET
        }
    }

    pub(crate) fn entropy(&self) -> u64 {
        self.known.options.seed ^ 0x5eed
    }

    pub(crate) fn notion(&self) -> ValueIdentity {
        match self.known.options.strategy {
            Strategy::Directed | Strategy::Guided => self.known.options.notion,
            Strategy::Walk | Strategy::Legal => ValueIdentity::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use provoke_wire::Body;

    use super::*;
    use crate::options::GROUP;
    use crate::test_support::fake::{self, FakeExecutor, Silent};

    fn bodies(made: &Made) -> Vec<&Body> {
        made.programs.iter().map(|program| &program.main).collect()
    }

    #[test]
    fn batches_are_the_same_in_whatever_order_and_on_however_many_threads_they_are_made() {
        let api = fake::api();
        let options = fake::options(100_000);
        let mut search = Search::new(&api, &options, &[]);
        search.run(&mut FakeExecutor::default(), &mut Silent).unwrap();
        search.allow(None);
        for first in (200..240).step_by(GROUP) {
            let plans: [BatchPlan; GROUP] = std::array::from_fn(|nth| BatchPlan::of(first + nth as u64));
            search.deal(&plans);
            let maker = search.maker();
            let one_by_one = plans.map(|plan| maker.make(plan, &mut Workshop::new()));
            let together = std::thread::scope(|scope| {
                let threads = plans.map(|plan| scope.spawn(move || maker.make(plan, &mut Workshop::new())));
                threads.map(|thread| thread.join().unwrap())
            });
            let mut workshop = Workshop::new();
            let backwards: Vec<Made> = plans.iter().rev().map(|&plan| maker.make(plan, &mut workshop)).collect();
            for (place, made) in one_by_one.iter().enumerate() {
                assert!(!made.programs.is_empty());
                assert!(bodies(made) == bodies(&together[place]), "batch {} on a thread", made.number);
                assert!(bodies(made) == bodies(&backwards[GROUP - 1 - place]), "batch {} made last", made.number);
            }
            assert!(bodies(&one_by_one[0]) != bodies(&one_by_one[GROUP - 1]), "each has a random stream of its own");
            one_by_one.into_iter().for_each(|made| _ = search.take_up(made, &mut workshop));
        }
    }

    #[test]
    fn what_two_batches_of_a_group_came_up_with_is_run_once_and_within_the_budget() {
        let api = fake::api();
        let options = fake::options(100_000);
        let mut search = Search::new(&api, &options, &[]);
        let plan = BatchPlan::of(0);
        let twins = [0, 1].map(|_| search.maker().make(plan, &mut Workshop::new()));
        let taken = twins.map(|made| search.take_up(made, &mut Workshop::new()).0.programs.len());
        assert_eq!(taken, [1, 0]);
        let n_planned = search.known.stats.planned_calls;
        let made = search.maker().make(BatchPlan { number: 3, size: 100 }, &mut Workshop::new());
        search.max_calls = Some(n_planned + 1);
        let n_before = made.programs.len();
        let n_taken = search.take_up(made, &mut Workshop::new()).0.programs.len();
        assert!(n_taken < n_before && n_taken > 0, "{n_taken} of {n_before}");
        assert!(search.is_spent());
    }
}
