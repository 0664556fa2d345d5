//! The search loop: generate batches, run them, learn from the outcomes.
//!
//! Batches are generated a fixed window ahead and their outcomes consumed in order, so that a run bounded by calls is a
//! function of the API, the options and the seed, however many workers there are.
//!
//! The loop knows no way to make a program and nothing of what programs show: [`sources`] propose programs from what is
//! [`known`], which is the [`corpus`], the [`schedule`] and [`knowledge`] of the target.

pub(crate) mod batch;
pub mod blocked;
mod checkpoints;
pub(crate) mod corpus;
mod history;
pub mod knowledge;
pub mod known;
mod learn;
mod make;
mod observer;
mod preconditions;
mod saved;
pub mod schedule;
pub(crate) mod sources;
mod specifications;

use std::collections::VecDeque;

use provoke_wire::{Batch, BatchReport, Body, Literal, Writer};

use crate::api::Api;
use crate::api::graph::Graph;
use crate::executor::{Executor, ExecutorError};
use crate::generate::builder::Builder;
use crate::hash::seen::Seen;
use crate::options::{GROUP, SearchOptions, WINDOW};
use crate::program::history::Predecessors;
use crate::regression::exemplars::Exemplars;
use crate::rng::Rng;
use crate::search::batch::Planned;
use crate::search::blocked::BlockedCalls;
use crate::search::checkpoints::Checkpoints;
use crate::search::history::History;
use crate::search::knowledge::discovery::Outlook;
use crate::search::knowledge::edge_map::EdgeMap;
use crate::search::known::Known;
use crate::search::learn::Ran;
use crate::search::make::Made;
use crate::search::saved::Start;
use crate::search::schedule::budget::Budget;
use crate::search::schedule::quarantine::Quarantined;
use crate::search::sources::{BatchPlan, ROWS, Row, Source, Workshop};

pub use observer::{End, SearchObserver, Stats, Suspect};
pub use preconditions::{Attempts, ClauseRecord, Preconditions};
pub use specifications::{SpecificationRecord, Specifications};

/// So many batches in a row in which hardly anything was new end the search.
const MAX_BARREN: usize = 4 * WINDOW;

/// Marks the numbers of random streams for learning; those for making are the numbers of batches.
const LEARNING: u64 = 1 << 63;

/// Room for programs that were run, as a power of two.
const SEEN_PROGRAMS_BITS: u32 = 17;

pub struct Search<'a> {
    known: Known<'a>,
    /// In the order of their rows.
    sources: Vec<Box<dyn Source>>,
    shares: Budget,
    /// For each batch of a group.
    workshops: Vec<Workshop>,
    programs_seen: Seen,
    /// Scratch: what a pass of look-ups found.
    is_new: Vec<bool>,
    /// Scratch: type, slot and whether empty.
    reusable: Vec<(u32, u32, bool)>,
    /// How many of the last batches hardly found anything new to try.
    n_barren: usize,
    checkpoints: Checkpoints,
    past: History,
    start: Start,
    /// Calls that may be planned.
    max_calls: Option<u64>,
    /// It is not worth going on.
    is_at_plateau: bool,
}

impl<'a> Search<'a> {
    pub fn new(api: &'a Api, options: &'a SearchOptions, mined: &[Literal]) -> Search<'a> {
        Search::with_sources(api, options, mined, sources::all(), &ROWS)
    }

    pub(crate) fn with_sources(
        api: &'a Api,
        options: &'a SearchOptions,
        mined: &[Literal],
        sources: Vec<Box<dyn Source>>,
        rows: &[Row],
    ) -> Search<'a> {
        Search {
            known: Known::new(api, options, mined),
            sources,
            shares: Budget::new(rows),
            workshops: (0..GROUP).map(|_| Workshop::new()).collect(),
            programs_seen: Seen::new(SEEN_PROGRAMS_BITS),
            is_new: Vec::new(),
            reusable: Vec::new(),
            n_barren: 0,
            checkpoints: Checkpoints::default(),
            past: History::default(),
            start: Start::default(),
            max_calls: options.max_calls,
            is_at_plateau: false,
        }
    }

    /// Lets the search go on up to so many calls in all.
    pub fn allow(&mut self, max_calls: Option<u64>) -> &mut Self {
        self.max_calls = max_calls;
        self.is_at_plateau = false;
        self.checkpoints = Checkpoints::restored(self.checkpoints.cost());
        self
    }

    /// What was run before may be run again: in workers of another kind, without counters, it may show something else. What the
    /// search has gathered stays.
    pub fn forget_programs(&mut self) -> &mut Self {
        self.known.knowledge.discovery.close();
        self.programs_seen = Seen::new(SEEN_PROGRAMS_BITS);
        self.n_barren = 0;
        self
    }

    pub fn api(&self) -> &'a Api {
        self.known.api
    }

    pub(crate) fn is_all_selected(&self) -> bool {
        self.known.options.is_selected.iter().all(|yes| *yes)
    }

    /// A program that ends with a call of the operation, made from what the search has gathered so far, or from scratch. The
    /// search goes on as if nobody had asked.
    pub(crate) fn build_call(&self, builder: &mut Builder, op: u32, may_reuse: bool, rng: &mut Rng) -> Option<Body> {
        builder.clear();
        builder.call(&self.known.material(may_reuse), op, rng)?;
        Some(builder.body.clone())
    }

    pub fn graph(&self) -> &Graph {
        &self.known.graph
    }

    /// By function: whether a call returned normally.
    pub fn covered(&self) -> &[bool] {
        &self.known.knowledge.covered
    }

    /// What programs reached of the target's control flow.
    pub fn edges(&self) -> &EdgeMap {
        &self.known.knowledge.edges
    }

    /// How likely the next programs are to show something new; nothing if nobody can tell.
    pub fn outlook(&self) -> Option<Outlook> {
        self.known.knowledge.discovery.outlook()
    }

    /// What a suite of tests can be made from.
    pub fn exemplars(&self) -> &Exemplars {
        &self.known.corpus.exemplars
    }

    /// Whether calls of an operation have ended a worker, or kept it busy for too long.
    pub fn is_deadly(&self, op: u32) -> bool {
        self.known.schedule.records[op as usize].n_deaths > 0
    }

    /// Functions that end the worker again and again, and are tried rarely for that.
    pub fn quarantined(&self) -> Vec<Quarantined> {
        self.known.quarantined()
    }

    /// What the sandbox kept functions from doing.
    pub fn blocked(&self) -> &BlockedCalls {
        &self.known.knowledge.blocked
    }

    /// How often the preconditions of functions were met.
    pub fn preconditions(&self) -> &Preconditions {
        &self.known.knowledge.preconditions
    }

    /// What came of asking what is specified.
    pub fn specifications(&self) -> &Specifications {
        &self.known.knowledge.specifications
    }

    pub fn stats(&self) -> &Stats {
        &self.known.stats
    }

    /// Runs until the budget is spent, the sink says stop, or nothing new can be called.
    pub fn run(&mut self, executor: &mut dyn Executor, sink: &mut dyn SearchObserver) -> Result<End, ExecutorError> {
        if self.known.targets.is_empty() {
            return Ok(End::Exhausted);
        }
        let mut in_flight: VecDeque<Planned> = VecDeque::new();
        let Start { under_way, mut next_number } = std::mem::take(&mut self.start);
        for (batch, planned) in under_way {
            executor.submit(batch)?;
            in_flight.push_back(planned);
        }
        loop {
            self.fill(executor, sink, &mut in_flight, &mut next_number)?;
            // When the time is up, what is under way is not waited for; a bound on calls is kept to the letter.
            if sink.should_stop() {
                return Ok(End::Stopped);
            }
            let Some(planned) = in_flight.pop_front() else {
                return Ok(match self.is_spent() {
                    true if self.is_at_plateau => End::Plateau,
                    true => End::Spent,
                    false => End::Exhausted,
                });
            };
            let Some((batch, report)) = executor.receive(&|| sink.should_stop())? else {
                return Ok(End::Stopped);
            };
            let number = planned.batch_number;
            debug_assert_eq!(batch.number, number);
            self.learn_batch(sink, batch, report, &planned, next_number);
            self.known.stats.components = self.known.corpus.components.len() as u64;
            self.is_at_plateau |= self.known.options.until_plateau && self.known.knowledge.discovery.is_plateau();
            sink.after_batch(executor, &self.known.stats)?;
            self.known.retire(&sink.retired());
            if self.checkpoints.cross(number + 1) {
                executor.renew_warm();
                self.sources.iter_mut().for_each(|source| source.forget_unsaved());
                self.known.knowledge.compared.clear();
                self.past = History::default();
                // What is under way would be longer if the budget were.
                if !self.is_spent() {
                    sink.at_checkpoint(&|| self.save(&in_flight, next_number));
                }
            }
        }
    }

    /// Makes and submits batches, a group at a time, while the window has room for one.
    fn fill(
        &mut self,
        executor: &mut dyn Executor,
        sink: &dyn SearchObserver,
        in_flight: &mut VecDeque<Planned>,
        next_number: &mut u64,
    ) -> Result<(), ExecutorError> {
        while in_flight.len() + GROUP <= WINDOW && !self.is_spent() && !sink.should_stop() {
            let mut workshops = std::mem::take(&mut self.workshops);
            let mut is_over = false;
            for (made, workshop) in self.make_group(*next_number, &mut workshops).into_iter().zip(&mut workshops) {
                // What comes behind a batch that is not run is not run either: numbers have no
                // gaps.
                if is_over {
                    self.give_back(&made);
                    continue;
                }
                let (batch, planned) = self.take_up(made, workshop);
                is_over = batch.programs.is_empty() || self.n_barren > MAX_BARREN;
                if !is_over {
                    in_flight.push_back(self.submit(executor, batch, planned)?);
                    *next_number += 1;
                }
            }
            self.workshops = workshops;
            if is_over {
                break;
            }
        }
        Ok(())
    }

    /// Batches that are made from the same state.
    fn make_group(&mut self, first_number: u64, workshops: &mut [Workshop]) -> Vec<Made> {
        let plans: [BatchPlan; GROUP] = std::array::from_fn(|nth| BatchPlan::of(first_number + nth as u64));
        self.deal(&plans);
        plans.iter().zip(workshops).map(|(&plan, workshop)| self.maker().make(plan, workshop)).collect()
    }

    fn submit(
        &self,
        executor: &mut dyn Executor,
        batch: Batch,
        mut planned: Planned,
    ) -> Result<Planned, ExecutorError> {
        if self.checkpoints.is_at(batch.number) {
            executor.renew_workers();
        }
        if self.checkpoints.is_behind(batch.number) {
            let mut writer = Writer::default();
            // The news are worked out anew for workers that have heard nothing yet.
            batch.encode(0, &[], &mut writer);
            planned.encoded = writer.bytes;
        }
        executor.submit(batch)?;
        Ok(planned)
    }

    fn learn_batch(
        &mut self,
        sink: &mut dyn SearchObserver,
        batch: Batch,
        mut report: BatchReport,
        planned: &Planned,
        next_number: u64,
    ) {
        for outcome in &mut report.outcomes {
            outcome.comparisons.retain(|comparison| !self.known.options.is_unsteady(comparison));
        }
        let mut rng = Rng::stream(self.known.options.seed, LEARNING | planned.batch_number);
        self.look_up_values(&batch.programs, &report.outcomes, &mut rng);
        let past = std::mem::take(&mut self.past);
        let mut first_value = 0;
        for (index, (plan, outcome)) in planned.programs.iter().zip(&report.outcomes).enumerate() {
            let end = first_value + outcome.observed.len();
            let values = planned.is_observed.then_some(first_value);
            let before = Predecessors {
                earlier: past.before(planned.batch_number),
                programs: &batch.programs[..index],
                outcomes: &report.outcomes[..index],
            };
            let ran = Ran { program: &batch.programs[index], outcome, before };
            self.learn(sink, ran, plan, values);
            first_value = end;
        }
        for source in &mut self.sources {
            source.learn_own_batch(&mut self.known, planned.batch_number, &batch.programs, &report.outcomes);
        }
        self.past = past;
        self.checkpoints.add(&report.outcomes, next_number);
        self.remember(batch, report);
    }

    /// Keeps what was run while processes are young; later only its memory is used again.
    fn remember(&mut self, batch: Batch, report: BatchReport) {
        if self.past.has_room_for(batch.number, batch.programs.len()) {
            self.past.add(batch.number, batch.programs.into_iter().zip(report.outcomes));
        } else {
            self.past.forget(batch.number);
            self.workshops[batch.number as usize % GROUP].keep_spare(batch.programs.into_iter());
        }
    }

    fn is_spent(&self) -> bool {
        self.is_at_plateau || self.max_calls.is_some_and(|max| self.known.stats.planned_calls >= max)
    }
}
