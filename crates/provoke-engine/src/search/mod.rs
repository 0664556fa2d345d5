//! The search loop: generate batches, run them, learn from the outcomes.
//!
//! Batches are generated a fixed window ahead and their outcomes consumed in order, so that a run bounded by calls is a
//! function of the API, the options and the seed, however many workers there are.

use std::collections::{BTreeSet, VecDeque};

use provoke_wire::{Batch, BatchReport, Body, Literal, Notion, Program, RunOptions, Statement, StatementKind, Writer};

use crate::api::graph::Graph;
use crate::api::{Api, OpRole, Wants};
use crate::executor::{Executor, ExecutorError};
use crate::generate::builder::{Builder, Material};
use crate::generate::components::Components;
use crate::generate::cost_limits::{self, Caution};
use crate::generate::literals::Literals;
use crate::generate::mutate::Mutator;
use crate::hash::seen::{Seen, WordHash};
use crate::minimize::replacements::Supply;
use crate::options::{BATCH_SIZE, Guidance, SearchOptions, Strategy, WINDOW};
#[cfg(debug_assertions)]
use crate::program::check::check_program;
use crate::program::history::Predecessors;
use crate::regression::exemplars::Exemplars;
use crate::rng::Rng;
use crate::search::blocked::BlockedCalls;
use crate::search::knowledge::discovery::{Discovery, Outlook};
use crate::search::knowledge::edge_map::EdgeMap;
use crate::verdict::tracking::calls_any;

mod aiming;
pub mod blocked;
mod checkpoints;
mod corpus;
mod guided;
mod harvested_texts;
mod history;
pub mod knowledge;
mod learn;
mod observer;
mod planned;
mod preconditions;
mod saved;
pub mod schedule;
mod specifications;

use aiming::Aiming;
use checkpoints::Borders;
use corpus::Witnesses;
use harvested_texts::Spelling;
use history::Past;
use learn::Ran;
pub use observer::{End, Sink, Stats, Suspect};
use planned::{Planned, PlannedProgram};
pub use preconditions::{Attempts, ClauseRecord, Preconditions};
use saved::Start;
use schedule::budget::{Shares, Source};
use schedule::choose::Efforts;
use schedule::potential::Prospects;
use schedule::record::OpRecord;
pub use specifications::{SpecificationRecord, Specifications};

/// Percent of calls that are repeated, and how often at most: containers have to grow past their resize points. A young search
/// would spend all on that, so it starts with few repetitions, and takes one more for each of so many calls.
const REPEAT_PERCENT: usize = 10;
const MAX_REPEAT: usize = 100;
const FIRST_REPEATS: usize = 8;
const CALLS_PER_REPEAT: u64 = 100;
/// Percent of calls that get modest arguments, of what killed workers and never returned.
const CAREFUL_PERCENT: usize = 75;
/// Percent of programs that go on with one more call, again and again: a component is replayed once for several new
/// calls, and the calls follow each other on the same values.
const GO_ON_PERCENT: usize = 85;
const MAX_NEW_CALLS: usize = 24;
/// Calls in one program of the random walk.
const WALK_CALLS: usize = 40;

/// Percent of aimed programs in which other objects are passed; in the others, other literals.
const MOVED_PERCENT: usize = 6;

/// From these numbers of components on, one batch of two, and of four, is looked at for more.
const SOME_COMPONENTS: usize = 4_000;
const MANY_COMPONENTS: usize = 16_000;

/// Tries per program that may fail before a batch goes out as it is, and how many such batches in a row end the search.
const MAX_FAILURES: usize = 20;
const MAX_BARREN: usize = 4 * WINDOW;

/// Bodies whose memory waits to be used again.
const MAX_SPARE: usize = 2 * BATCH_SIZE;

/// Room for programs that were run, as a power of two.
const SEEN_PROGRAMS_BITS: u32 = 17;

pub struct Search<'a> {
    api: &'a Api,
    options: &'a SearchOptions,
    graph: Graph,
    literals: Literals,
    components: Components,
    rng: Rng,
    programs_seen: Seen,
    values_seen: Seen,
    builder: Builder,
    /// How many of the last batches hardly found anything new to try.
    n_barren: usize,
    /// Operations that are not called any more, since programs that call them turned out to be none that rustc accepts.
    retired: BTreeSet<u32>,
    /// Scratch: what a pass of look-ups found.
    is_new: Vec<bool>,
    /// Scratch: type, slot and whether empty.
    reusable: Vec<(u32, u32, bool)>,
    /// Bodies whose memory can be used again.
    spare_bodies: Vec<Body>,
    /// Operations that may be the call under test.
    targets: Vec<u32>,
    /// Operations on std types and constructors that may be appended for their own sake.
    material: Vec<u32>,
    records: Vec<OpRecord>,
    caution: Caution,
    covered: Vec<bool>,
    /// What programs reached of the target's control flow.
    edges: EdgeMap,
    /// What of all that was shown is how common.
    discovery: Discovery,
    /// What of it is used.
    guidance: Guidance,
    witnesses: Witnesses,
    mutator: Mutator,
    shares: Shares,
    aiming: Aiming,
    spelling: Spelling,
    prospects: Prospects,
    /// Percent of the programs of the current batch that are changed witnesses, and aimed ones.
    percents: [usize; 2],
    exemplars: Exemplars,
    blocked: BlockedCalls,
    preconditions: Preconditions,
    specifications: Specifications,
    stats: Stats,
    borders: Borders,
    past: Past,
    start: Start,
    /// Calls that may be planned.
    max_calls: Option<u64>,
    /// It is not worth going on.
    is_at_plateau: bool,
}

impl<'a> Search<'a> {
    pub fn new(api: &'a Api, options: &'a SearchOptions, mined: &[Literal]) -> Search<'a> {
        let graph = Graph::of_selected(api, &options.is_selected);
        let mut targets = Vec::new();
        let mut material = Vec::new();
        for (number, op) in api.ops.iter().enumerate() {
            let number = number as u32;
            if !graph.is_target(number) {
                continue;
            }
            match (op.role, op.function) {
                (OpRole::Function | OpRole::Law, Some(_)) => targets.push(number),
                // About no function in particular, so only where all are asked for.
                (OpRole::Law, None) if options.is_selected.iter().all(|yes| *yes) => targets.push(number),
                (OpRole::Function | OpRole::Coercion | OpRole::Law | OpRole::Watch | OpRole::Aside, _) => {}
                _ => material.push(number),
            }
        }
        Search {
            api,
            options,
            literals: Literals::new(mined),
            components: Components::new(api.types.len(), options.max_component_bytes),
            rng: Rng::new(options.seed),
            programs_seen: Seen::new(SEEN_PROGRAMS_BITS),
            values_seen: Seen::new(19),
            builder: Builder::default(),
            n_barren: 0,
            retired: BTreeSet::new(),
            is_new: Vec::new(),
            reusable: Vec::new(),
            spare_bodies: Vec::new(),
            targets,
            material,
            records: vec![OpRecord::default(); api.ops.len()],
            caution: Caution::new(api.ops.len()),
            covered: vec![false; api.functions.len()],
            edges: EdgeMap::new(options.regions.of_edges.len()),
            discovery: Discovery::new(&options.edge_places, api.functions.len()),
            guidance: if options.strategy == Strategy::Guided && !options.regions.of_edges.is_empty() {
                options.guidance
            } else {
                Guidance::NONE
            },
            witnesses: Witnesses::default(),
            mutator: Mutator::default(),
            shares: Shares::default(),
            aiming: Aiming::default(),
            spelling: Spelling::default(),
            prospects: Prospects::new(&options.regions, api.functions.len()),
            percents: [0; 2],
            exemplars: Exemplars::new(&options.is_selected),
            blocked: BlockedCalls::default(),
            preconditions: Preconditions::new(api),
            specifications: Specifications::new(api),
            graph,
            stats: Stats::default(),
            borders: Borders::default(),
            past: Past::default(),
            start: Start::default(),
            max_calls: options.max_calls,
            is_at_plateau: false,
        }
    }

    /// Lets the search go on up to so many calls in all.
    pub fn allow(&mut self, max_calls: Option<u64>) -> &mut Self {
        self.max_calls = max_calls;
        self.is_at_plateau = false;
        self.borders = Borders::restored(self.borders.cost());
        self
    }

    /// What was run before may be run again: in workers of another kind, without counters, it may show something else. What the
    /// search has gathered stays.
    pub fn forget_programs(&mut self) -> &mut Self {
        self.discovery.close();
        self.programs_seen = Seen::new(SEEN_PROGRAMS_BITS);
        self.n_barren = 0;
        self
    }

    pub fn api(&self) -> &'a Api {
        self.api
    }

    pub(crate) fn is_all_selected(&self) -> bool {
        self.options.is_selected.iter().all(|yes| *yes)
    }

    /// What the minimiser may draw from.
    pub fn supply(&self) -> Supply<'_> {
        Supply::new(self.api, &self.graph, &self.components)
    }

    /// A program that ends with a call of the operation, made from what the search has gathered so far, or from scratch. The
    /// search goes on as if nobody had asked.
    pub(crate) fn build_call(&self, builder: &mut Builder, op: u32, may_reuse: bool, rng: &mut Rng) -> Option<Body> {
        let material = Material {
            api: self.api,
            graph: &self.graph,
            components: &self.components,
            literals: &self.literals,
            touchstones: self.aiming.touchstones(),
            may_reuse,
            relates: self.guidance.relates,
            caution: &self.caution,
        };
        builder.clear();
        builder.call(&material, op, rng)?;
        Some(builder.body.clone())
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// By function: whether a call returned normally.
    pub fn covered(&self) -> &[bool] {
        &self.covered
    }

    /// What programs reached of the target's control flow.
    pub fn edges(&self) -> &EdgeMap {
        &self.edges
    }

    /// How likely the next programs are to show something new; nothing if nobody can tell.
    pub fn outlook(&self) -> Option<Outlook> {
        self.discovery.outlook()
    }

    /// What a suite of tests can be made from.
    pub fn exemplars(&self) -> &Exemplars {
        &self.exemplars
    }

    /// Whether calls of an operation have ended a worker, or kept it busy for too long.
    pub fn is_deadly(&self, op: u32) -> bool {
        self.records[op as usize].n_deaths > 0
    }

    /// What the sandbox kept functions from doing.
    pub fn blocked(&self) -> &BlockedCalls {
        &self.blocked
    }

    /// How often the preconditions of functions were met.
    pub fn preconditions(&self) -> &Preconditions {
        &self.preconditions
    }

    /// What came of asking what is specified.
    pub fn specifications(&self) -> &Specifications {
        &self.specifications
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Runs until the budget is spent, the sink says stop, or nothing new can be called.
    pub fn run(&mut self, executor: &mut dyn Executor, sink: &mut dyn Sink) -> Result<End, ExecutorError> {
        if self.targets.is_empty() {
            return Ok(End::Exhausted);
        }
        let mut in_flight: VecDeque<Planned> = VecDeque::new();
        let Start { under_way, mut next_number } = std::mem::take(&mut self.start);
        for (batch, planned) in under_way {
            executor.submit(batch)?;
            in_flight.push_back(planned);
        }
        loop {
            while in_flight.len() < WINDOW && !self.is_spent() && !sink.should_stop() {
                let (batch, mut planned) = self.generate(next_number);
                if batch.programs.is_empty() || self.n_barren > MAX_BARREN {
                    break;
                }
                if self.borders.is_at(next_number) {
                    executor.renew_workers();
                }
                if self.borders.is_behind(next_number) {
                    let mut writer = Writer::default();
                    // The news are worked out anew for workers that have heard nothing yet.
                    batch.encode(0, &[], &mut writer);
                    planned.encoded = writer.bytes;
                }
                next_number += 1;
                executor.submit(batch)?;
                in_flight.push_back(planned);
            }
            // When the time is up, what is under way is not waited for; a bound on calls is kept to the letter.
            if sink.should_stop() {
                return Ok(End::Told);
            }
            let Some(planned) = in_flight.pop_front() else {
                return Ok(match self.is_spent() {
                    true if self.is_at_plateau => End::Plateau,
                    true => End::Spent,
                    false => End::Exhausted,
                });
            };
            let Some((batch, mut report)) = executor.receive(&|| sink.should_stop())? else {
                return Ok(End::Told);
            };
            for outcome in &mut report.outcomes {
                outcome.comparisons.retain(|comparison| !self.options.is_unsteady(comparison));
            }
            debug_assert_eq!(batch.number, planned.batch_number);
            self.look_up_values(&batch.programs, &report.outcomes);
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
                self.learn(executor, sink, ran, plan, values)?;
                first_value = end;
            }
            if !planned.traces.is_empty() {
                self.learn_traces(&batch.programs, &planned.traces, &report.outcomes);
            }
            self.past = past;
            self.borders.add(&report.outcomes, next_number);
            self.remember(batch, report);
            self.stats.components = self.components.len() as u64;
            self.is_at_plateau |= self.options.until_plateau && self.discovery.is_plateau();
            sink.progress(&self.stats);
            self.retire(&sink.retired());
            if self.borders.cross(planned.batch_number + 1) {
                executor.renew_aside();
                self.aiming.cross_border(in_flight.iter().flat_map(|planned| &planned.traces));
                self.past = Past::default();
                in_flight.iter_mut().for_each(|planned| planned.traces.clear());
                // What is under way would be longer if the budget were.
                if !self.is_spent() {
                    sink.at_border(&|| self.save(in_flight.iter(), next_number));
                }
            }
        }
    }

    fn retire(&mut self, ops: &[u32]) {
        if ops.iter().all(|op| self.retired.contains(op)) {
            return;
        }
        self.retired.extend(ops);
        // Somebody has to be called; programs that call what is retired are dropped in any case.
        if self.targets.iter().any(|target| !self.retired.contains(target)) {
            self.targets.retain(|target| !self.retired.contains(target));
        }
    }

    /// Keeps what was run while processes are young; later only its memory is used again.
    fn remember(&mut self, batch: Batch, report: BatchReport) {
        if self.past.has_room_for(batch.number, batch.programs.len()) {
            self.past.add(batch.number, batch.programs.into_iter().zip(report.outcomes));
        } else {
            self.past.forget(batch.number);
            keep_spare(&mut self.spare_bodies, batch.programs.into_iter());
        }
    }

    fn is_spent(&self) -> bool {
        self.is_at_plateau || self.max_calls.is_some_and(|max| self.stats.planned_calls >= max)
    }

    fn generate(&mut self, number: u64) -> (Batch, Planned) {
        self.components.deal();
        // Tiny batches at first: there is little to build on, and nobody knows yet what kills or blocks a worker.
        let size = BATCH_SIZE.min(1 << (number as usize / WINDOW).min(16));
        if self.guidance.aims {
            let traces = self.aiming.batch(number, size, &mut self.witnesses, &mut self.rng);
            if let Some(batch) = self.traced_batch(number, traces) {
                return batch;
            }
        }
        self.percents = self.shares.percents();
        let mut programs = Vec::with_capacity(size);
        let mut planned: Vec<PlannedProgram> = Vec::with_capacity(size);
        let mut n_failures = 0;
        let mut n_checked = 0;
        while programs.len() < size && !self.is_spent() {
            match self.build_program() {
                Some((program, plan)) => {
                    self.stats.planned_calls += u64::from(plan.n_calls);
                    programs.push(program);
                    planned.push(plan);
                }
                None => n_failures += 1,
            }
            if programs.len() == size || self.is_spent() {
                n_failures += self.drop_repeated(&mut programs, &mut planned, n_checked);
                n_checked = programs.len();
            }
            // A tiny API may be exhausted: rather a small batch than an endless loop.
            if n_failures > MAX_FAILURES * size {
                break;
            }
        }
        self.drop_repeated(&mut programs, &mut planned, n_checked);
        self.n_barren = if n_failures > MAX_FAILURES * size { self.n_barren + 1 } else { 0 };
        let is_observed = self.is_observed(number);
        let options = RunOptions {
            notion: if is_observed { self.notion() } else { Notion::None },
            trace: false,
            backtrace: false,
            entropy: self.entropy(),
            patience: 1,
            coverage: self.edges.is_in_use(),
            comparisons: false,
            checks: !self.api.specifications.is_empty(),
            stack: false,
        };
        let news = self.edges.news();
        (
            Batch { number, options, programs, news },
            Planned {
                batch_number: number,
                is_observed,
                programs: planned,
                traces: Vec::new(),
                n_known_edges: self.edges.n_told(),
                encoded: Vec::new(),
            },
        )
    }

    /// Drops those from `from` on that were run before, or call what is not called any more; returns how many. Done for many
    /// programs at once, so that the memory accesses of the look-ups overlap.
    fn drop_repeated(&mut self, programs: &mut Vec<Program>, planned: &mut Vec<PlannedProgram>, from: usize) -> usize {
        self.is_new.clear();
        let seen = &mut self.programs_seen;
        self.is_new.extend(planned[from..].iter().map(|plan| seen.insert(plan.hash)));
        if !self.retired.is_empty() {
            for (is_new, program) in self.is_new.iter_mut().zip(&programs[from..]) {
                *is_new &= !calls_any(&program.main, &self.retired);
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
                self.stats.planned_calls -= u64::from(planned[at].n_calls);
            }
        }
        let n_dropped = programs.len() - kept;
        keep_spare(&mut self.spare_bodies, programs.drain(kept..));
        planned.truncate(kept);
        n_dropped
    }

    /// Looking at values costs as much as making them. While there is little to build on, every batch is looked at; later one
    /// of several, and the others only have to survive.
    fn is_observed(&self, number: u64) -> bool {
        number.is_multiple_of(match self.components.len() {
            0..SOME_COMPONENTS => 1,
            SOME_COMPONENTS..MANY_COMPONENTS => 2,
            _ => 4,
        })
    }

    pub(crate) fn entropy(&self) -> u64 {
        self.options.seed ^ 0x5eed
    }

    fn notion(&self) -> Notion {
        match self.options.strategy {
            Strategy::Directed | Strategy::Guided => self.options.notion,
            Strategy::Walk | Strategy::Legal => Notion::None,
        }
    }

    fn build_program(&mut self) -> Option<(Program, PlannedProgram)> {
        let [changed_percent, aimed_percent] = self.percents;
        if self.guidance.aims && self.rng.percent(aimed_percent) {
            if self.rng.percent(MOVED_PERCENT)
                && let Some((witness, edit)) = self.aiming.next_move(&self.witnesses)
            {
                return self.move_object(witness, edit);
            }
            if let Some((body, witness)) = self.aiming.next_aimed() {
                return self.plan_aimed(body, witness);
            }
        }
        if self.guidance.mutates
            && self.rng.percent(changed_percent)
            && let Some(changed) = self.change_witness()
        {
            return Some(changed);
        }
        let op = self.choose_op()?;
        let material = Material {
            api: self.api,
            graph: &self.graph,
            components: &self.components,
            literals: &self.literals,
            touchstones: self.aiming.touchstones(),
            may_reuse: self.options.strategy != Strategy::Walk,
            relates: self.guidance.relates,
            caution: &self.caution,
        };
        // What killed workers and never returned is to return first: after a few deaths it would hardly be called any more.
        let is_careful =
            self.records[op as usize].n_deaths > 0 && !self.is_covered(op) && self.rng.percent(CAREFUL_PERCENT);
        let builder = &mut self.builder;
        let rng = &mut self.rng;
        builder.clear();
        self.records[op as usize].n_tries += 1;
        self.prospects.try_again(self.api.ops[op as usize].function);
        if self.options.strategy == Strategy::Walk {
            let n_calls = 1 + rng.below(WALK_CALLS);
            for _ in 0..n_calls {
                let op = self.targets[rng.below(self.targets.len())];
                let _ = builder.call(&material, op, rng);
            }
            builder.call(&material, op, rng)?;
        } else {
            let slot = match is_careful {
                true => builder.call_with_care(&material, op, rng)?,
                false => builder.call(&material, op, rng)?,
            };
            if builder.is_repeatable(slot) && rng.percent(REPEAT_PERCENT) {
                let mut last = slot;
                let n_most = MAX_REPEAT.min(FIRST_REPEATS + (self.stats.planned_calls / CALLS_PER_REPEAT) as usize);
                for _ in 0..1 + rng.below(n_most) {
                    match builder.call_again(&material, last, rng) {
                        Some(next) => last = next,
                        None => break,
                    }
                }
            }
            for _ in 0..MAX_NEW_CALLS {
                if !rng.percent(GO_ON_PERCENT) {
                    break;
                }
                let Some((value, ty)) = builder.lively(&material, rng) else { break };
                let users = material.graph.users(ty);
                let (Some(&one), Some(&other)) = (rng.pick(users), rng.pick(users)) else { continue };
                let efforts = Efforts {
                    api: self.api,
                    records: &self.records,
                    prospects: &self.prospects,
                    covered: &self.covered,
                    weighs: self.guidance.weighs,
                };
                let next = efforts.lesser(one, other);
                // What takes an `Option` apart would end the program too often, and what is dear would be in every other one.
                if self.records[next as usize].is_risky()
                    || cost_limits::is_due(self.caution.level(next) / 2, rng)
                    || self.api.ops[next as usize].wants != Wants::Any
                {
                    continue;
                }
                if builder.call_for(&material, next, value, rng).is_none() {
                    break;
                }
                self.records[next as usize].n_tries += 1;
                self.prospects.try_again(self.api.ops[next as usize].function);
            }
        }
        let first_new = match self.options.strategy {
            Strategy::Walk => 0,
            _ => builder.first_new(),
        };
        let main = copied(&builder.body, &mut self.spare_bodies);
        Some(self.plan(main, op, first_new, Source::Built))
    }

    fn plan(&self, main: Body, op: u32, first_new: u32, source: Source) -> (Program, PlannedProgram) {
        let hash = hash_of(&main);
        let program = Program { main, observe_from: first_new };
        #[cfg(debug_assertions)]
        if let Err(error) = check_program(self.api, &program) {
            panic!("a program breaks the rules: {error:?}\n{program:?}");
        }
        let is_call = |s: &&Statement| s.kind == StatementKind::Call;
        let (old, new) = program.main.statements.split_at(first_new as usize);
        let n_old = old.iter().filter(is_call).count() as u32;
        let n_calls = n_old + new.iter().filter(is_call).count() as u32;
        (program, PlannedProgram { op, first_new, n_calls, n_old, hash, source })
    }
}

/// Not all come from there: what is aimed was made elsewhere.
fn keep_spare(spare: &mut Vec<Body>, programs: impl Iterator<Item = Program>) {
    let n_wanted = MAX_SPARE.saturating_sub(spare.len());
    spare.extend(programs.take(n_wanted).map(|program| program.main));
}

/// In memory that was used before.
fn copied(body: &Body, spare: &mut Vec<Body>) -> Body {
    let mut copy = spare.pop().unwrap_or_default();
    copy.clone_from(body);
    copy
}

/// Whether the user asked for the function behind an operation; what is no function is never left out.
fn is_selected(api: &Api, options: &SearchOptions, op: u32) -> bool {
    api.ops[op as usize].function.is_none_or(|function| options.is_selected[function as usize])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_nobody_uses_again_is_given_back() {
        let mut spare = Vec::new();
        for _ in 0..10 {
            keep_spare(&mut spare, vec![Program::default(); BATCH_SIZE].into_iter());
        }
        assert_eq!(spare.len(), MAX_SPARE);
    }
}
