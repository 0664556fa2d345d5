//! Batches of programs: made, under way, and what is remembered of them until their outcomes are there.
//!
//! Decision: `docs/decisions/024-one-batch-of-four-is-observed.md`

use provoke_wire::{Batch, Body, Program, RunOptions, Statement, StatementKind, ValueIdentity};
use serde::{Deserialize, Serialize};

use crate::hash::seen::WordHash;
use crate::options::{BATCH_SIZE, Strategy, WINDOW};
#[cfg(debug_assertions)]
use crate::program::check::check_program;
use crate::search::Search;
use crate::search::sources::{Draft, Origin, Proposal};
use crate::verdict::tracking::calls_any;

/// From these numbers of components on, one batch of two, and of four, is looked at for more.
const SOME_COMPONENTS: usize = 4_000;
const MANY_COMPONENTS: usize = 16_000;

/// Proposals for each program that may fail before a batch goes out as it is.
const MAX_FAILURES: usize = 20;

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

/// A batch in the making.
#[derive(Default)]
struct InTheMaking {
    programs: Vec<Program>,
    planned: Vec<PlannedProgram>,
}

impl Search<'_> {
    pub(crate) fn generate(&mut self, number: u64) -> (Batch, Planned) {
        self.known.corpus.components.deal();
        // Tiny batches at first: there is little to build on, and nobody knows yet what kills or blocks a worker.
        let size = BATCH_SIZE.min(1 << (number as usize / WINDOW).min(16));
        let own = self.own_batch(number, size);
        if !own.programs.is_empty() {
            let options = RunOptions { coverage: true, comparisons: true, ..self.run_options() };
            return self.finished(number, own, false, options);
        }
        let mixed = self.mixed_batch(size);
        let is_observed = self.is_observed(number);
        let options = RunOptions {
            notion: if is_observed { self.notion() } else { ValueIdentity::None },
            coverage: self.known.knowledge.edges.is_in_use(),
            ..self.run_options()
        };
        self.finished(number, mixed, is_observed, options)
    }

    fn run_options(&self) -> RunOptions {
        let checks = !self.known.api.specifications.is_empty();
        RunOptions { entropy: self.entropy(), checks, ..RunOptions::QUIET }
    }

    fn finished(
        &mut self,
        number: u64,
        InTheMaking { programs, planned }: InTheMaking,
        is_observed: bool,
        options: RunOptions,
    ) -> (Batch, Planned) {
        let news = self.known.knowledge.edges.news();
        let n_known_edges = self.known.knowledge.edges.n_told();
        let batch = Batch { number, options, programs, news };
        (batch, Planned { batch_number: number, is_observed, programs: planned, n_known_edges, encoded: Vec::new() })
    }

    /// Programs of one source, if it has a batch of its own now.
    fn own_batch(&mut self, number: u64, size: usize) -> InTheMaking {
        let mut made = InTheMaking::default();
        for place in 0..self.sources.len() {
            if !self.sources[place].is_used(self.known.guidance) {
                continue;
            }
            let own = self.sources[place].own_batch(&mut self.known, number, size, &mut self.rng);
            for own in own {
                let draft = Draft { body: own.body, op: own.op, first_new: 0, witness: Some(own.witness) };
                let (program, plan) = self.plan(draft, place);
                self.known.stats.planned_calls += u64::from(plan.n_calls);
                made.programs.push(program);
                made.planned.push(plan);
            }
            if !made.programs.is_empty() {
                break;
            }
        }
        made
    }

    /// Programs of all sources, each with its share.
    fn mixed_batch(&mut self, size: usize) -> InTheMaking {
        let percents = self.shares.percents();
        let mut made = InTheMaking { programs: Vec::with_capacity(size), planned: Vec::with_capacity(size) };
        let mut n_failures = 0;
        let mut n_checked = 0;
        while made.programs.len() < size && !self.is_spent() {
            match self.next_program(&percents) {
                Some((program, plan)) => {
                    self.known.stats.planned_calls += u64::from(plan.n_calls);
                    made.programs.push(program);
                    made.planned.push(plan);
                }
                None => n_failures += 1,
            }
            if made.programs.len() == size || self.is_spent() {
                n_failures += self.drop_repeated(&mut made, n_checked);
                n_checked = made.programs.len();
            }
            // A tiny API may be exhausted: rather a small batch than an endless loop.
            if n_failures > MAX_FAILURES * size {
                break;
            }
        }
        self.drop_repeated(&mut made, n_checked);
        self.n_barren = if n_failures > MAX_FAILURES * size { self.n_barren + 1 } else { 0 };
        made
    }

    /// Asks the sources, the last first; building, the first, always has something.
    fn next_program(&mut self, percents: &[usize]) -> Option<(Program, PlannedProgram)> {
        for place in (0..self.sources.len()).rev() {
            let is_asked =
                place == 0 || self.sources[place].is_used(self.known.guidance) && self.rng.percent(percents[place]);
            if !is_asked {
                continue;
            }
            let source = &mut self.sources[place];
            self.workshop.spent.clear();
            let proposal = source.propose(&self.known, &mut self.workshop, &mut self.rng);
            let spent = &self.workshop.spent;
            spent.tries.iter().for_each(|&op| self.known.schedule.try_again(self.known.api, op));
            spent.chosen.into_iter().for_each(|witness| self.known.corpus.witnesses.note_choice(witness));
            source.spend(spent);
            match proposal {
                Proposal::Program(draft) => return Some(self.plan(draft, place)),
                Proposal::Failed => return None,
                Proposal::Nothing => {}
            }
        }
        None
    }

    pub(crate) fn plan(
        &self,
        Draft { body: main, op, first_new, witness }: Draft,
        source: usize,
    ) -> (Program, PlannedProgram) {
        let hash = hash_of(&main);
        let program = Program { main, observe_from: first_new };
        #[cfg(debug_assertions)]
        if let Err(error) = check_program(self.known.api, &program) {
            panic!("a program breaks the rules: {error:?}\n{program:?}");
        }
        let is_call = |s: &&Statement| s.kind == StatementKind::Call;
        let (old, new) = program.main.statements.split_at(first_new as usize);
        let n_old = old.iter().filter(is_call).count() as u32;
        let n_calls = n_old + new.iter().filter(is_call).count() as u32;
        let origin = Origin { source: source as u8, witness };
        (program, PlannedProgram { op, first_new, n_calls, n_old, hash, origin })
    }

    /// Drops those from `from` on that were run before, or call what is not called any more; returns how many. Done for many
    /// programs at once, so that the memory accesses of the look-ups overlap.
    fn drop_repeated(&mut self, InTheMaking { programs, planned }: &mut InTheMaking, from: usize) -> usize {
        self.is_new.clear();
        let seen = &mut self.programs_seen;
        self.is_new.extend(planned[from..].iter().map(|plan| seen.insert(plan.hash)));
        let retired = &self.known.retired;
        if !retired.is_empty() {
            for (is_new, program) in self.is_new.iter_mut().zip(&programs[from..]) {
                *is_new &= !calls_any(&program.main, retired);
            }
        }
        let mut kept = from;
        for (offset, &is_new) in self.is_new.iter().enumerate() {
            let at = from + offset;
            if is_new {
                programs.swap(kept, at);
                planned.swap(kept, at);
                kept += 1;
            } else {
                self.known.stats.planned_calls -= u64::from(planned[at].n_calls);
            }
        }
        let n_dropped = programs.len() - kept;
        self.workshop.keep_spare(programs.drain(kept..));
        planned.truncate(kept);
        n_dropped
    }

    /// Looking at values costs as much as making them. While there is little to build on, every batch is looked at; later one
    /// of several, and the others only have to survive.
    fn is_observed(&self, number: u64) -> bool {
        number.is_multiple_of(match self.known.corpus.components.len() {
            0..SOME_COMPONENTS => 1,
            SOME_COMPONENTS..MANY_COMPONENTS => 2,
            _ => 4,
        })
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

fn hash_of(body: &Body) -> u64 {
    let mut hash = WordHash::default();
    for statement in &body.statements {
        hash.add(u64::from(statement.op) << 8 | statement.kind as u64);
    }
    for arg in &body.args {
        hash.add(u64::from(arg.to_word()));
    }
    hash.bytes(&body.data);
    hash.finish()
}
