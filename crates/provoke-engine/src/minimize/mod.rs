//! The minimiser: a failing program made as simple as it gets while the same thing still fails.
//!
//! It knows nothing but a program, a way to run programs, and a question ("is this still the same failure?"). Candidates
//! go out in batches; of the ones that still fail, the first in order wins, so the result does not depend on how they
//! are run. Every step moves down the order of [`program::order`](crate::program::order), so it ends.
//!
//! Decision: `docs/decisions/050-exhaustion-is-dear-to-the-minimiser.md`

mod plain;
mod removal;
pub mod replacements;
mod replacing;
pub mod stock;

use std::hash::{Hash, Hasher};

use provoke_wire::{Body, Ending, Outcome, Phase, Program};
use rustc_hash::{FxHashSet, FxHasher};

use crate::api::Api;
use crate::executor::ExecutorError;
use crate::minimize::replacements::Replacements;
use crate::program::order::is_simpler;
use crate::program::rebuild::{StatementFate, rebuild};

/// Where a program fails, as the worker said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureSite {
    pub statement: u32,
    pub phase: Phase,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many programs may be run.
    pub max_replays: usize,
    /// How many are tried at once. Fewer waste less where each one costs a worker.
    pub batch: usize,
}

/// Programs that exhaust time or memory instead of failing take up to a second each, and the worker with them. So many are enough.
const MAX_DEAR: usize = 24;

impl Default for Effort {
    fn default() -> Effort {
        Effort { max_replays: 20_000, batch: 32 }
    }
}

/// Runs programs, each by itself; one outcome per program, in order.
pub type ReplayPrograms<'a> = dyn FnMut(&[Program]) -> Result<Vec<Outcome>, ExecutorError> + 'a;

/// Whether an outcome is still the failure in question, and where it happens now.
pub type Same<'a> = dyn Fn(&Program, &Outcome) -> Option<FailureSite> + 'a;

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
    pub program: Program,
    pub failure: FailureSite,
    pub n_replays: usize,
    /// Nothing single can be removed any more; otherwise the effort was spent before.
    pub is_minimal: bool,
}

/// Minimises a program. `None` if it does not fail in the first place. Without replacements, nothing is replaced by what is not
/// in the program already.
pub fn minimize(
    api: &Api,
    replacements: Option<Replacements<'_>>,
    program: &Program,
    same: &Same<'_>,
    replay: &mut ReplayPrograms<'_>,
    effort: Effort,
) -> Result<Option<Minimized>, ExecutorError> {
    let outcomes = replay(std::slice::from_ref(program))?;
    let Some(failure) = outcomes.first().and_then(|outcome| same(program, outcome)) else {
        return Ok(None);
    };
    let mut minimizer = Minimizer {
        api,
        replacements,
        same,
        replay,
        effort,
        current: program.clone(),
        failure,
        n_replays: 1,
        n_retyped: 0,
        n_dear: 0,
        tried: FxHashSet::default(),
    };
    minimizer.run()?;
    Ok(Some(Minimized {
        is_minimal: !minimizer.is_spent(),
        program: minimizer.current,
        failure: minimizer.failure,
        n_replays: minimizer.n_replays,
    }))
}

/// Every program that differs from this one by one statement left out, with what depends on it. None of them fails if
/// the program is minimal.
pub fn single_removals(api: &Api, program: &Program, failure: FailureSite) -> Vec<Program> {
    let without = |gone: usize| {
        let fate = |index| if index == gone { StatementFate::Remove } else { StatementFate::Keep };
        fate_applied(api, program, failure, fate)
    };
    let is_less = |less: &Program| less.main.statements.len() < program.main.statements.len();
    (0..program.main.statements.len()).filter_map(without).filter(is_less).collect()
}

struct Minimizer<'a> {
    api: &'a Api,
    replacements: Option<Replacements<'a>>,
    same: &'a Same<'a>,
    replay: &'a mut ReplayPrograms<'a>,
    effort: Effort,
    current: Program,
    failure: FailureSite,
    n_replays: usize,
    n_retyped: usize,
    n_dear: usize,
    /// Hashes of programs that did not fail; they are not worth a second run.
    tried: FxHashSet<u64>,
}

impl Minimizer<'_> {
    fn run(&mut self) -> Result<(), ExecutorError> {
        self.stop_at_failure()?;
        self.slice()?;
        let mut chunk = self.current.main.statements.len() / 2;
        while chunk > 1 && !self.is_spent() {
            self.remove_runs_of(chunk)?;
            chunk /= 2;
        }
        loop {
            let mut is_changed = self.stop_at_failure()?;
            while self.remove_runs_of(1)? {
                is_changed = true;
            }
            while self.hoist()? {
                is_changed = true;
            }
            is_changed |= self.merge_slots()?;
            is_changed |= self.replace_calls_by_literals()?;
            is_changed |= self.simplify_literals()?;
            // The dearer steps only where the cheap ones have come to an end.
            is_changed = is_changed
                || self.replace_by_shorter()?
                || self.replace_changes()?
                || self.replace_two()?
                || self.remove_opposites()?
                || self.exchange_literals()?
                || self.simplify_types()?;
            if !is_changed || self.is_spent() {
                return Ok(());
            }
        }
    }

    fn is_spent(&self) -> bool {
        self.n_replays >= self.effort.max_replays || self.n_dear >= MAX_DEAR
    }

    fn required(&self) -> usize {
        self.failure.statement as usize
    }

    /// For each statement, the last first: takes the first of its other fates that keeps the failure, as often as one does.
    fn rewrite_each(
        &mut self,
        fates_of: impl Fn(&Api, &Body, usize) -> Vec<StatementFate>,
    ) -> Result<bool, ExecutorError> {
        let mut is_changed = false;
        let mut left = self.current.main.statements.len();
        while left > 0 && !self.is_spent() {
            let index = left - 1;
            if index == self.required() {
                left -= 1;
                continue;
            }
            let (api, base, failure) = (self.api, self.current.clone(), self.failure);
            let fates = fates_of(api, &base.main, index);
            let mut candidates = fates.iter().filter_map(|fate| {
                let fate_of = |at| {
                    if at == index { fate.clone() } else { StatementFate::Keep }
                };
                Some((index, fate_applied(api, &base, failure, fate_of)?))
            });
            match self.first_failing(&mut candidates, is_simpler)? {
                Some(_) => {
                    is_changed = true;
                    left = left.min(self.current.main.statements.len());
                }
                None => left -= 1,
            }
        }
        Ok(is_changed)
    }

    fn candidate(&self, main: Body) -> Program {
        with_observation(main, self.failure)
    }

    /// Runs candidates in batches until one still fails; that one becomes the current program. Returns its label.
    fn first_failing(
        &mut self,
        candidates: &mut dyn Iterator<Item = (usize, Program)>,
        is_welcome: impl Fn(&Program, &Program) -> bool,
    ) -> Result<Option<usize>, ExecutorError> {
        let mut labels = Vec::new();
        let mut programs: Vec<Program> = Vec::new();
        loop {
            labels.clear();
            programs.clear();
            let room = if self.is_spent() { 0 } else { self.effort.max_replays - self.n_replays };
            while programs.len() < self.effort.batch.max(1).min(room) {
                let Some((label, program)) = candidates.next() else {
                    break;
                };
                if is_welcome(&program, &self.current) && !self.tried.contains(&hash_of(&program)) {
                    labels.push(label);
                    programs.push(program);
                }
            }
            if programs.is_empty() {
                return Ok(None);
            }
            let outcomes = (self.replay)(&programs)?;
            self.n_replays += programs.len();
            let dear_ones = programs
                .iter()
                .zip(&outcomes)
                .filter(|(program, outcome)| is_dear(outcome.ending) && (self.same)(program, outcome).is_none());
            self.n_dear += dear_ones.count();
            let mut winner = None;
            for (at, (program, outcome)) in programs.iter().zip(&outcomes).enumerate() {
                // What fails in a statement is never given up for what fails in the clean-up.
                let failure = (self.same)(program, outcome)
                    .filter(|f| f.phase == Phase::Call || self.failure.phase != Phase::Call);
                match failure {
                    Some(failure) if winner.is_none() => winner = Some((at, failure)),
                    // It lost only to an earlier one, and may be a step down from there.
                    Some(_) => {}
                    None => {
                        self.tried.insert(hash_of(program));
                    }
                }
            }
            if let Some((at, failure)) = winner {
                self.current = programs.swap_remove(at);
                self.failure = failure;
                return Ok(Some(labels[at]));
            }
        }
    }
}

/// Ran up to a limit, and took the worker with it.
fn is_dear(ending: Ending) -> bool {
    matches!(ending, Ending::TimedOut { .. } | Ending::MemoryExhausted { .. })
}

fn fate_applied(
    api: &Api,
    base: &Program,
    failure: FailureSite,
    fate_of: impl Fn(usize) -> StatementFate,
) -> Option<Program> {
    let main = rebuild(api, &base.main, failure.statement as usize, fate_of)?;
    Some(with_observation(main, failure))
}

/// Values are looked at only where looking is what fails.
fn with_observation(main: Body, failure: FailureSite) -> Program {
    let observe_from = match failure.phase {
        Phase::Observe => 0,
        Phase::Call | Phase::Check | Phase::Cleanup => main.statements.len() as u32,
    };
    Program { main, observe_from }
}

fn hash_of(program: &Program) -> u64 {
    let mut hasher = FxHasher::default();
    program.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
