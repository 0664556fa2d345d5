//! Makes batches of programs. It only reads, so that batches can be made at the same time.
//!
//! Decision: `docs/decisions/092-a-batch-follows-from-its-number.md`

use provoke_wire::{Body, Program, Statement, StatementKind};

use crate::api::Api;
use crate::hash::seen::{Seen, WordHash};
#[cfg(debug_assertions)]
use crate::program::check::check_program;
use crate::rng::Rng;
use crate::search::batch::PlannedProgram;
use crate::search::known::Known;
use crate::search::schedule::budget::Budget;
use crate::search::sources::{Ask, BatchPlan, Draft, Origin, OwnBatch, Proposal, Source, Workshop};
use crate::verdict::tracking::calls_any;

/// From these numbers of components on, one batch of two, and of four, is looked at for more.
const SOME_COMPONENTS: usize = 4_000;
const MANY_COMPONENTS: usize = 16_000;

/// Proposals for each program that may fail before a batch goes out as it is.
const MAX_FAILURES: usize = 20;

/// Makes batches from the state after the last batch that was learned from.
#[derive(Clone, Copy)]
pub(crate) struct Maker<'s, 'a> {
    pub known: &'s Known<'a>,
    pub sources: &'s [Box<dyn Source>],
    pub shares: &'s Budget,
    pub programs_seen: &'s Seen,
    /// Calls that may be planned yet.
    pub n_left: Option<u64>,
}

/// A batch that was made from what is known, before anything of it is written down.
pub(crate) struct Made {
    pub number: u64,
    pub is_observed: bool,
    pub programs: Vec<Program>,
    pub planned: Vec<PlannedProgram>,
    /// Calls of its programs.
    n_calls: u64,
    n_failures: usize,
    /// Hardly anything new was found to try.
    pub is_barren: bool,
    /// By source: how often it was asked.
    pub n_asked: Vec<usize>,
    /// What a source took for a batch of its own, and its place.
    pub own: Option<(usize, OwnBatch)>,
    /// All programs are of that.
    pub is_own: bool,
}

impl Made {
    fn push(&mut self, (program, plan): (Program, PlannedProgram)) {
        self.n_calls += u64::from(plan.n_calls);
        self.programs.push(program);
        self.planned.push(plan);
    }

    /// Drops programs from `from` on, and gives them.
    pub fn retain(
        &mut self,
        from: usize,
        mut keeps: impl FnMut(usize, &PlannedProgram) -> bool,
    ) -> impl Iterator<Item = Program> {
        let mut n_kept = from;
        for at in from..self.planned.len() {
            if keeps(at, &self.planned[at]) {
                self.programs.swap(n_kept, at);
                self.planned.swap(n_kept, at);
                n_kept += 1;
            } else {
                self.n_calls -= u64::from(self.planned[at].n_calls);
            }
        }
        self.planned.truncate(n_kept);
        self.programs.drain(n_kept..)
    }
}

impl Maker<'_, '_> {
    /// Makes a batch. It follows from what is known and from its number, so that others can be made
    /// at the same time.
    pub fn make(self, plan: BatchPlan, workshop: &mut Workshop) -> Made {
        workshop.begin_batch();
        let mut rng = Rng::stream(self.known.options.seed, plan.number);
        let mut made = Made {
            number: plan.number,
            is_observed: false,
            programs: Vec::new(),
            planned: Vec::new(),
            n_calls: 0,
            n_failures: 0,
            is_barren: false,
            n_asked: vec![0; self.sources.len()],
            own: None,
            is_own: false,
        };
        self.make_own(plan, workshop, &mut made, &mut rng);
        if !made.is_own {
            made.is_observed = self.is_observed(plan.number);
            self.make_mixed(plan, workshop, &mut made, &mut rng);
        }
        made
    }

    /// Programs of one source, if it has a batch of its own now.
    fn make_own(self, plan: BatchPlan, workshop: &mut Workshop, made: &mut Made, rng: &mut Rng) {
        let mut used = self.sources.iter().enumerate().filter(|(_, source)| source.is_used(self.known.guidance));
        made.own = used.find_map(|(place, source)| {
            let own = source.own_batch(self.known, plan, workshop, rng);
            (own.n_taken > 0 || !own.drafts.is_empty()).then_some((place, own))
        });
        if let Some((place, own)) = &mut made.own {
            let (place, drafts) = (*place, std::mem::take(&mut own.drafts));
            made.is_own = !drafts.is_empty();
            drafts.into_iter().for_each(|draft| made.push(plan_program(self.known.api, draft, place)));
        }
    }

    /// Programs of all sources, each with its share.
    fn make_mixed(self, plan: BatchPlan, workshop: &mut Workshop, made: &mut Made, rng: &mut Rng) {
        let percents = self.shares.percents();
        made.programs.reserve(plan.size);
        made.planned.reserve(plan.size);
        let max_failures = MAX_FAILURES * plan.size;
        let mut n_checked = 0;
        while made.programs.len() < plan.size && !self.is_spent(made) {
            match self.next_program(&percents, workshop, made, rng) {
                Some(program) => made.push(program),
                None => made.n_failures += 1,
            }
            if made.programs.len() == plan.size || self.is_spent(made) {
                self.drop_repeated(made, n_checked, workshop);
                n_checked = made.programs.len();
            }
            // A tiny API may be exhausted: rather a small batch than an endless loop.
            if made.n_failures > max_failures {
                break;
            }
        }
        self.drop_repeated(made, n_checked, workshop);
        made.is_barren = made.n_failures > max_failures;
    }

    /// Asks the sources, the last first; building, the first, always has something.
    fn next_program(
        self,
        percents: &[usize],
        workshop: &mut Workshop,
        made: &mut Made,
        rng: &mut Rng,
    ) -> Option<(Program, PlannedProgram)> {
        for (place, source) in self.sources.iter().enumerate().rev() {
            let is_asked = place == 0 || source.is_used(self.known.guidance) && rng.percent(percents[place]);
            if !is_asked {
                continue;
            }
            let ask = Ask { batch: made.number, nth: made.n_asked[place] };
            made.n_asked[place] += 1;
            match source.propose(self.known, ask, workshop, rng) {
                Proposal::Program(draft) => return Some(plan_program(self.known.api, draft, place)),
                Proposal::Failed => return None,
                Proposal::Nothing => {}
            }
        }
        None
    }

    /// Drops those from `from` on that were run before, or call what is not called any more. Done
    /// for many programs at once, so that the memory accesses of the look-ups overlap.
    fn drop_repeated(self, made: &mut Made, from: usize, workshop: &mut Workshop) {
        let mut is_new = std::mem::take(&mut workshop.is_new);
        is_new.clear();
        is_new.extend(made.planned[from..].iter().map(|plan| !self.programs_seen.contains(plan.hash)));
        let of_batch = made.planned[from..].iter().map(|plan| workshop.made.insert(plan.hash));
        is_new.iter_mut().zip(of_batch).for_each(|(is_new, is_first)| *is_new &= is_first);
        let retired = &self.known.retired;
        if !retired.is_empty() {
            for (is_new, program) in is_new.iter_mut().zip(&made.programs[from..]) {
                *is_new &= !calls_any(&program.main, retired);
            }
        }
        let n_before = made.programs.len();
        workshop.keep_spare(made.retain(from, |at, _| is_new[at - from]));
        made.n_failures += n_before - made.programs.len();
        workshop.is_new = is_new;
    }

    fn is_spent(self, made: &Made) -> bool {
        self.n_left.is_some_and(|n_left| made.n_calls >= n_left)
    }

    /// Looking at values costs as much as making them. While there is little to build on, every
    /// batch is looked at; later one of several, and the others only have to survive.
    fn is_observed(self, number: u64) -> bool {
        number.is_multiple_of(match self.known.corpus.components.len() {
            0..SOME_COMPONENTS => 1,
            SOME_COMPONENTS..MANY_COMPONENTS => 2,
            _ => 4,
        })
    }
}

/// A program as a source proposes it, with what is to be remembered of it.
pub(crate) fn plan_program(
    api: &Api,
    Draft { body: main, op, first_new, witness }: Draft,
    source: usize,
) -> (Program, PlannedProgram) {
    let hash = hash_of(&main);
    let program = Program { main, observe_from: first_new };
    #[cfg(debug_assertions)]
    if let Err(error) = check_program(api, &program) {
        panic!("a program breaks the rules: {error:?}\n{program:?}");
    }
    let is_call = |s: &&Statement| s.kind == StatementKind::Call;
    let (old, new) = program.main.statements.split_at(first_new as usize);
    let n_old = old.iter().filter(is_call).count() as u32;
    let n_calls = n_old + new.iter().filter(is_call).count() as u32;
    let origin = Origin { source: source as u8, witness };
    (program, PlannedProgram { op, first_new, n_calls, n_old, hash, origin })
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
