//! Asks, after the search, whether values and their clones are independent.
//!
//! For each type, calls that change what a value shows are tried beside a clone of the value: on the original with the clone
//! watched, and on the clone with the original watched. Where the other one changes every time, clones share by design, and
//! nothing is said. Where it changes in some programs and not in others, the simplest program that shows it is a suspect
//! like any other.
//!
//! Decision: `docs/decisions/060-independence-of-clones-is-asked-afterwards.md`

use provoke_api::OpRole;
use provoke_oracles::LAW_BROKEN;
use provoke_wire::{Body, Outcome, Program, RunOptions, Shape};

use crate::executor::{Executor, ExecutorError};
use crate::generate::builder::Builder;
use crate::program::history::Predecessors;
use crate::program::order::compare;
use crate::program::rebuild::slot_type;
use crate::program::twins::{Experiment, Twin, TwinChange, Twins, program, shows_dependence};
use crate::rng::Rng;
use crate::search::{Search, SearchObserver};
use crate::verdict::{is_legal, triage};

/// Calls that are built for one type, and how many of those that turn out to change something are tried.
const MAX_BUILT: usize = 120;
const MAX_TRIED: usize = 32;
/// How often each operation is built, those that borrow the value exclusively and those that share it.
const MAX_PER_EXCLUSIVE: usize = 8;
const MAX_PER_SHARED: usize = 2;
/// Longer programs say no more, and cost more.
const MAX_STATEMENTS: usize = 120;
/// Calls that all types together may take.
const MAX_CALLS: usize = 400_000;

/// The value shows the same as long as nobody changes it.
const STEADY: Experiment =
    Experiment { remembered: Twin::Original, changed: None, asked: Twin::Original, is_elsewhere: false };
/// The call changes what the value shows.
const CHANGING: Experiment = Experiment { changed: Some(Twin::Original), ..STEADY };
const ORIGINAL_WATCHED: Experiment = Experiment { changed: Some(Twin::Clone), ..STEADY };
const CLONE_WATCHED: Experiment = Experiment { remembered: Twin::Clone, asked: Twin::Clone, ..CHANGING };
/// The same change of a value that has nothing to do with the clone: it can show only by way of something that all values of
/// the type share.
const ELSEWHERE: Experiment = Experiment { is_elsewhere: true, ..CLONE_WATCHED };

/// Asks about all types, and hands what is found to the sink. Not where the user asked for some functions only: it is about types.
pub fn ask_about_clones(
    search: &Search<'_>,
    executor: &mut dyn Executor,
    sink: &mut dyn SearchObserver,
) -> Result<(), ExecutorError> {
    if !search.is_all_selected() {
        return Ok(());
    }
    let mut asking = Asking { search, executor, n_calls: 0 };
    let mut sharing = Twins::said_to_share(search.api());
    let mut suspects = Vec::new();
    for twins in Twins::all(search.api()) {
        let trials = asking.trials(&twins)?;
        if !trials.is_empty() && trials.iter().all(Option::is_some) {
            sharing.insert(twins.ty);
        } else {
            suspects.push(trials.into_iter().flatten().collect::<Vec<_>>());
        }
    }
    // A part that shares by design is shared by the clone of the whole, too.
    let has_sharing_part = |body: &Body| {
        let mut types = body.statements.iter().filter_map(|statement| slot_type(search.api(), statement));
        types.any(|ty| sharing.contains(&ty))
    };
    for of_type in &suspects {
        let fair = of_type.iter().filter(|(program, _)| !has_sharing_part(&program.main));
        if let Some((program, outcome)) = fair.min_by(|a, b| compare(&a.0, &b.0)) {
            let incidents = &triage(outcome, search.api(), &program.main).incidents[..];
            sink.suspect(search.suspect(program, outcome, incidents, Predecessors::default()));
        }
    }
    Ok(())
}

/// What came of changing one of two that look alike: the program that shows that the other one changed, too, if it did.
type Trial = Option<(Program, Outcome)>;

struct Asking<'s, 'a, 'e> {
    search: &'s Search<'a>,
    executor: &'e mut dyn Executor,
    n_calls: usize,
}

impl Asking<'_, '_, '_> {
    fn trials(&mut self, twins: &Twins) -> Result<Vec<Trial>, ExecutorError> {
        if self.n_calls > MAX_CALLS {
            return Ok(Vec::new());
        }
        let built = self.changes(twins);
        let tried = self.run(twins, built, &[STEADY, CHANGING])?;
        let is_change = |tried: &Tried| matches!(tried.results[..], [(_, Shown::Same), (_, Shown::Other(_))]);
        let changes = tried.into_iter().filter(is_change).map(|tried| tried.change).take(MAX_TRIED).collect();
        let tried = self.run(twins, changes, &[ELSEWHERE, CLONE_WATCHED, ORIGINAL_WATCHED])?;
        let mut trials = Vec::new();
        for Tried { results, .. } in tried {
            let mut results = results.into_iter();
            if !matches!(results.next(), Some((_, Shown::Same))) {
                continue;
            }
            trials.extend(results.filter_map(|(program, shown)| match shown {
                Shown::Same => Some(None),
                Shown::Other(outcome) => {
                    let last = program.main.statements.len() - 1;
                    let is_fair = shows_dependence(self.search.api(), &program.main, last);
                    is_fair.then_some(Some((program, *outcome)))
                }
                Shown::Nothing => None,
            }));
        }
        Ok(trials)
    }

    /// Programs that end with a call that is lent a value of the type, each operation in its turn.
    fn changes(&self, twins: &Twins) -> Vec<TwinChange> {
        let api = self.search.api();
        let mut rng = Rng::new(self.search.entropy() ^ u64::from(twins.ty));
        let mut builder = Builder::default();
        let mut built: Vec<TwinChange> = Vec::new();
        let ops = [Shape::RefMut(twins.ty), Shape::Ref(twins.ty)].map(|lent| self.users(&lent));
        // From scratch at first, since short programs are the best witnesses.
        for round in 0..MAX_PER_EXCLUSIVE {
            let is_in_turn = |exclusive: bool| exclusive || round < MAX_PER_SHARED;
            let in_turn = ops.iter().zip([true, false]).filter(|(_, exclusive)| is_in_turn(*exclusive));
            for &op in in_turn.flat_map(|(ops, _)| ops) {
                let body = self.search.build_call(&mut builder, op, round > 0, &mut rng);
                let change = body.and_then(|body| TwinChange::of(api, body, twins.ty));
                if let Some(change) = change
                    && change.body.statements.len() <= MAX_STATEMENTS
                    && built.len() < MAX_BUILT
                    && !built.contains(&change)
                {
                    built.push(change);
                }
            }
        }
        built
    }

    /// Functions and field accesses that are lent a value so, and never did a worker harm.
    fn users(&self, lent: &Shape) -> Vec<u32> {
        let (api, search) = (self.search.api(), self.search);
        let is_user = |&number: &u32| {
            let op = &api.ops[number as usize];
            matches!(op.role, OpRole::Function | OpRole::Constructor)
                && op.args.iter().any(|&arg| api.types[arg as usize].shape == *lent)
                && search.graph().is_reachable(number)
                && !search.is_deadly(number)
        };
        (0..api.ops.len() as u32).filter(is_user).collect()
    }

    /// Runs all experiments with each change; those that cannot be run with one of them leave it out.
    fn run(
        &mut self,
        twins: &Twins,
        changes: Vec<TwinChange>,
        experiments: &[Experiment],
    ) -> Result<Vec<Tried>, ExecutorError> {
        let api = self.search.api();
        let mut all: Vec<(TwinChange, Vec<Program>)> = Vec::new();
        for change in changes {
            let programs: Option<Vec<Program>> =
                experiments.iter().map(|&experiment| program(api, twins, &change, experiment)).collect();
            all.extend(programs.map(|programs| (change, programs)));
        }
        let programs: Vec<Program> = all.iter().flat_map(|(_, programs)| programs).cloned().collect();
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        self.n_calls += programs.iter().map(|program| program.main.n_calls()).sum::<usize>();
        let options = RunOptions { entropy: self.search.entropy(), patience: 0, ..RunOptions::QUIET };
        let mut outcomes = self.executor.run_warm(programs, options)?.into_iter();
        let tried = |(change, programs): (TwinChange, Vec<Program>)| {
            let shown = programs.into_iter().zip(&mut outcomes).map(|(program, outcome)| {
                let shown = Shown::of(&program, outcome);
                (program, shown)
            });
            Tried { change, results: shown.collect() }
        };
        Ok(all.into_iter().map(tried).collect())
    }
}

/// A change with what the experiments came to, in their order.
struct Tried {
    change: TwinChange,
    results: Vec<(Program, Shown)>,
}

/// What the value that was asked shows.
enum Shown {
    /// What was remembered.
    Same,
    /// Something else.
    Other(Box<Outcome>),
    /// The program did not come that far.
    Nothing,
}

impl Shown {
    fn of(program: &Program, outcome: Outcome) -> Shown {
        if is_legal(&outcome) {
            return Shown::Same;
        }
        let last = program.main.statements.len() as u32 - 1;
        match &outcome.panics[..] {
            [panic] if panic.statement == last && panic.message == LAW_BROKEN => Shown::Other(Box::new(outcome)),
            _ => Shown::Nothing,
        }
    }
}

#[cfg(test)]
#[path = "clone_independence_tests.rs"]
mod tests;
