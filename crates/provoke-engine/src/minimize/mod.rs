//! The minimiser: a failing program made as simple as it gets while the same thing still fails.
//!
//! It knows nothing but a program, a way to run programs, and a question ("is this still the same failure?"). Candidates
//! go out in batches; of the ones that still fail, the first in order wins, so the result does not depend on how they
//! are run. Every step moves down the order of [`shrink`](crate::program::order), so it ends.
//!
//! Decision: `docs/decisions/050-exhaustion-is-dear-to-the-minimiser.md`

pub mod replacements;
pub mod stock;

use std::hash::{Hash, Hasher};

use provoke_wire::{Body, Ending, Literal, LiteralKind, Outcome, Phase, Program, Statement, StatementKind};
use rustc_hash::{FxHashSet, FxHasher};

use crate::api::{Api, OpRole};
use crate::executor::ExecutorError;
use crate::minimize::replacements::Replacements;
use crate::program::order::{is_simpler, plainest_literals, simpler_literals};
use crate::program::rebuild::{StatementFate, rebuild, slot_type, with_final_drop};
use crate::program::retype::simpler_instances;
use crate::program::slice::{needed_by, needed_without, serving_only};

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

    /// Nothing comes after the failing statement; what fails in the clean-up gets a drop of its own as the last statement.
    fn stop_at_failure(&mut self) -> Result<bool, ExecutorError> {
        let required = self.required();
        let main = &self.current.main;
        let shorter = match self.failure.phase {
            Phase::Call | Phase::Check => rebuild(self.api, main, required, |index| {
                if index > required { StatementFate::Remove } else { StatementFate::Keep }
            }),
            Phase::Cleanup => with_final_drop(self.api, main, main.slot_of(required)),
            Phase::Observe => None,
        };
        let Some(main) = shorter else {
            return Ok(false);
        };
        let candidate = self.candidate(main);
        if candidate == self.current {
            return Ok(false);
        }
        self.first_failing(&mut std::iter::once((0, candidate)), |_, _| true).map(|winner| winner.is_some())
    }

    /// Keeps only what the failing statement is made from; or that, and what changed any of it on the way. One run of each
    /// tells, and most of a long program is gone.
    fn slice(&mut self) -> Result<(), ExecutorError> {
        let required = self.required();
        let candidates: Vec<(usize, Program)> = [false, true]
            .into_iter()
            .filter_map(|with_changes| {
                let needed = needed_by(&self.current.main, required, with_changes, None);
                let fate = |index: usize| if needed[index] { StatementFate::Keep } else { StatementFate::Remove };
                Some((0, fate_applied(self.api, &self.current, self.failure, fate)?))
            })
            .collect();
        self.first_failing(&mut candidates.into_iter(), is_simpler).map(|_| ())
    }

    /// Leaves out runs of statements, the last ones first.
    fn remove_runs_of(&mut self, length: usize) -> Result<bool, ExecutorError> {
        let mut is_changed = false;
        let mut end = self.current.main.statements.len();
        loop {
            let (api, base, failure) = (self.api, self.current.clone(), self.failure);
            let mut candidates = (0..end).rev().step_by(length).filter_map(|last| {
                let run = (last + 1).saturating_sub(length)..last + 1;
                let fate = |index| {
                    if run.contains(&index) { StatementFate::Remove } else { StatementFate::Keep }
                };
                Some((run.start, fate_applied(api, &base, failure, fate)?))
            });
            // What came before a removed run keeps its number, so the search goes on from there.
            match self.first_failing(&mut candidates, is_simpler)? {
                Some(start) => {
                    is_changed = true;
                    end = start.min(self.current.main.statements.len());
                }
                None => return Ok(is_changed),
            }
        }
    }

    /// Lets an earlier slot stand in for a later one that was made from it (`x` for `Box::new(Both(x, y))`), with all that only
    /// served to make the later one left out.
    fn hoist(&mut self) -> Result<bool, ExecutorError> {
        const MAX_PARTS: usize = 8;
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let required = self.required();
        let types: Vec<_> = base.main.statements.iter().map(|statement| slot_type(api, statement)).collect();
        let mut candidates = (0..required.min(types.len())).rev().flat_map(|later| {
            let parts = (0..later).filter(|&earlier| types[later].is_some() && types[earlier] == types[later]);
            let parts: Vec<usize> = parts.take(MAX_PARTS).collect();
            let base = &base;
            parts.into_iter().flat_map(move |earlier| {
                let needed = needed_by(&base.main, required, true, Some((later, earlier)));
                let served = serving_only(&base.main, &[later], Some(earlier));
                let keeps: [&dyn Fn(usize) -> bool; 2] = [&|index| needed[index], &|index| !served[index]];
                let programs = keeps.into_iter().filter_map(|keeps| {
                    let fate = |index: usize| match index {
                        _ if index == later => StatementFate::UseInstead(earlier as u32),
                        _ if keeps(index) => StatementFate::Keep,
                        _ => StatementFate::Remove,
                    };
                    Some((later, fate_applied(api, base, failure, fate)?))
                });
                programs.collect::<Vec<_>>()
            })
        });
        self.first_failing(&mut candidates, is_simpler).map(|winner| winner.is_some())
    }

    /// Lets an earlier slot of the same type stand in for a later one, whose statement can then go.
    fn merge_slots(&mut self) -> Result<bool, ExecutorError> {
        const MAX_STAND_INS: usize = 8;
        self.rewrite_each(|api, main, index| {
            let types: Vec<_> = main.statements.iter().map(|s| slot_type(api, s)).collect();
            let Some(ty) = types[index] else {
                return Vec::new();
            };
            (0..index)
                .filter(|&earlier| types[earlier] == Some(ty))
                .take(MAX_STAND_INS)
                .map(|earlier| StatementFate::UseInstead(earlier as u32))
                .collect()
        })
    }

    fn replace_calls_by_literals(&mut self) -> Result<bool, ExecutorError> {
        self.rewrite_each(|api, main, index| {
            let statement = &main.statements[index];
            if statement.kind != StatementKind::Call {
                return Vec::new();
            }
            literals_instead_of(api, statement).into_iter().map(StatementFate::BecomeLiteral).collect()
        })
    }

    fn simplify_literals(&mut self) -> Result<bool, ExecutorError> {
        self.rewrite_each(|_, main, index| {
            let statement = &main.statements[index];
            if statement.kind != StatementKind::Literal {
                return Vec::new();
            }
            let literal =
                LiteralKind::from_code(statement.op).and_then(|kind| Literal::from_data(kind, main.data_of(statement)));
            let literals = literal.map_or_else(Vec::new, |literal| simpler_literals(&literal));
            literals.into_iter().map(StatementFate::BecomeLiteral).collect()
        })
    }

    /// Lets a shorter way to make a value of the same type stand in for a call. Left out is all that the failure is not made
    /// from, with or without those who changed the value; or else only what served to make the old one.
    fn replace_by_shorter(&mut self) -> Result<bool, ExecutorError> {
        let Some(replacements) = self.replacements else { return Ok(false) };
        let mut is_changed = false;
        let mut left = self.current.main.statements.len();
        while left > 0 && !self.is_spent() {
            let index = left - 1;
            left -= 1;
            let (api, base, failure) = (self.api, self.current.clone(), self.failure);
            let Some(ty) = self.replaceable_type(index) else { continue };
            let ways = replacements.ways_to_make(ty, &literals_of(&base.main));
            let [changed, unchanged] =
                [true, false].map(|with_changes| needed_without(&base.main, self.required(), index, with_changes));
            let served = serving_only(&base.main, &[index], None);
            let keeps: [&dyn Fn(usize) -> bool; 3] = [&|at| changed[at], &|at| unchanged[at], &|at| !served[at]];
            let mut candidates =
                ways.iter().flat_map(|way| keeps.map(|keeps| (way, keeps))).filter_map(|(way, keeps)| {
                    let fate = |at: usize| match at {
                        _ if at == index => StatementFate::BecomeOf(way.clone()),
                        _ if keeps(at) => StatementFate::Keep,
                        _ => StatementFate::Remove,
                    };
                    Some((index, fate_applied(api, &base, failure, fate)?))
                });
            if self.first_failing(&mut candidates, is_simpler)?.is_some() {
                is_changed = true;
                left = self.current.main.statements.len();
            }
        }
        Ok(is_changed)
    }

    /// Lets another call change a value in the place of one, with all others left out that change it before; or with them. What
    /// the failure takes may come about in a shorter way.
    fn replace_changes(&mut self) -> Result<bool, ExecutorError> {
        let Some(replacements) = self.replacements else { return Ok(false) };
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let main = &base.main;
        let required = self.required().min(main.statements.len());
        let changed_by = |index: usize| {
            let statement = main.statements.get(index).filter(|statement| statement.kind == StatementKind::Call)?;
            let is_used = main.args.iter().any(|arg| arg.slot() == main.slot_of(index));
            let changed = main.args_of(statement).iter().find(|arg| arg.mode().is_exclusive())?;
            (!is_used).then_some(changed.slot())
        };
        let mut candidates = (0..required).rev().flat_map(|index| {
            let slot = changed_by(index);
            let ty = slot.and_then(|slot| slot_type(api, main.statements.get(slot as usize)?));
            let ways = ty.map_or_else(Vec::new, |ty| replacements.ways_to_change(ty));
            let served = serving_only(main, &[index], None);
            let programs = ways.iter().flat_map(|way| [false, true].map(|keeps_others| (way, keeps_others)));
            let programs = programs.filter_map(|(way, keeps_others)| {
                let fate = |at: usize| match slot {
                    Some(slot) if at == index => StatementFate::ChangeBy(slot, way.clone()),
                    _ if served[at] || (!keeps_others && at < index && changed_by(at) == slot) => StatementFate::Remove,
                    _ => StatementFate::Keep,
                };
                Some((index, fate_applied(api, &base, failure, fate)?))
            });
            programs.collect::<Vec<_>>()
        });
        self.first_failing(&mut candidates, is_simpler).map(|winner| winner.is_some())
    }

    /// Two values of one type may only be simplified together: one the opposite of the other, say.
    fn replace_two(&mut self) -> Result<bool, ExecutorError> {
        /// Ways per value, and programs in all.
        const MAX_WAYS: usize = 12;
        const MAX_CANDIDATES: usize = 1000;
        let Some(replacements) = self.replacements else { return Ok(false) };
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let types: Vec<Option<u32>> =
            (0..base.main.statements.len()).map(|index| self.replaceable_type(index)).collect();
        let pairs = (0..types.len()).rev().flat_map(|later| (0..later).rev().map(move |earlier| (earlier, later)));
        let pairs = pairs.filter(|&(earlier, later)| types[later].is_some() && types[earlier] == types[later]);
        let mut candidates = pairs
            .flat_map(|(earlier, later)| {
                let mut ways = types[later].map_or_else(Vec::new, |ty| replacements.plain_ways_to_make(ty));
                ways.truncate(MAX_WAYS);
                let both = (0..ways.len() * ways.len()).map(|n| (n / ways.len(), n % ways.len()));
                let served = serving_only(&base.main, &[earlier, later], None);
                let programs = both.filter_map(|(first, second)| {
                    let fate = |index: usize| match index {
                        _ if index == earlier => StatementFate::BecomeOf(ways[first].clone()),
                        _ if index == later => StatementFate::BecomeOf(ways[second].clone()),
                        _ if served[index] => StatementFate::Remove,
                        _ => StatementFate::Keep,
                    };
                    Some((0, fate_applied(api, &base, failure, fate)?))
                });
                programs.collect::<Vec<_>>()
            })
            .filter(|(_, program)| is_simpler(program, &base))
            .take(MAX_CANDIDATES);
        self.first_failing(&mut candidates, is_simpler).map(|winner| winner.is_some())
    }

    /// What one call puts in and a later one takes out can only be left out together. If something needs what the later one
    /// returns, a literal takes its place.
    fn remove_opposites(&mut self) -> Result<bool, ExecutorError> {
        const MAX_CANDIDATES: usize = 1000;
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let main = &base.main;
        let required = self.required().min(main.statements.len());
        let changed_by = |index: usize| {
            let statement = Some(&main.statements[index]).filter(|it| it.kind == StatementKind::Call)?;
            main.args_of(statement).iter().find(|arg| arg.mode().is_exclusive()).map(|arg| arg.slot())
        };
        let pairs = (0..required).rev().flat_map(|later| (0..later).rev().map(move |earlier| (earlier, later)));
        let pairs = pairs.filter(|&(earlier, later)| {
            let slot = changed_by(later);
            slot.is_some() && slot == changed_by(earlier)
        });
        let mut candidates = pairs
            .flat_map(|(earlier, later)| {
                let is_used = main.args.iter().any(|arg| arg.slot() == main.slot_of(later));
                let literals = literals_instead_of(api, &main.statements[later]);
                let instead: Vec<StatementFate> = match is_used {
                    true => literals.into_iter().map(StatementFate::BecomeLiteral).collect(),
                    false => vec![StatementFate::Remove],
                };
                let served = serving_only(main, &[earlier, later], None);
                let programs = instead.into_iter().filter_map(|instead| {
                    let fate = |index: usize| match index {
                        _ if index == later => instead.clone(),
                        _ if index == earlier || served[index] => StatementFate::Remove,
                        _ => StatementFate::Keep,
                    };
                    Some((0, fate_applied(api, &base, failure, fate)?))
                });
                programs.collect::<Vec<_>>()
            })
            .take(MAX_CANDIDATES);
        self.first_failing(&mut candidates, is_simpler).map(|winner| winner.is_some())
    }

    /// Simpler types for the parameters of generic functions, in the whole program at once.
    fn simplify_types(&mut self) -> Result<bool, ExecutorError> {
        // Other steps may lead back to a longer type, so this one does not go on for ever.
        const MAX_TIMES: usize = 4;
        if self.n_retyped == MAX_TIMES {
            return Ok(false);
        }
        self.n_retyped += 1;
        let n_calls = self.current.main.n_calls();
        let candidates: Vec<(usize, Program)> = simpler_instances(self.api, &self.current.main)
            .into_iter()
            .filter(|main| main.n_calls() <= n_calls)
            .map(|main| (0, self.candidate(main)))
            .collect();
        self.first_failing(&mut candidates.into_iter(), |_, _| true).map(|winner| winner.is_some())
    }

    /// The type of what a call makes, if another value may take its place.
    fn replaceable_type(&self, index: usize) -> Option<u32> {
        let statement = self.current.main.statements.get(index)?;
        // A lost element shows where it was made; how that was does not matter.
        let is_raw_material = || self.api.ops.get(statement.op as usize).is_some_and(|op| op.role == OpRole::Builtin);
        let is_made_by_call = statement.kind == StatementKind::Call && (index != self.required() || is_raw_material());
        let ty = slot_type(self.api, statement).filter(|_| is_made_by_call)?;
        // A value that nobody looks at is removed, not replaced.
        let slot = self.current.main.slot_of(index);
        self.current.main.args.iter().any(|arg| arg.slot() == slot).then_some(ty)
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

/// The plainest ones of the type that a call makes; none if it has no literals.
fn literals_instead_of(api: &Api, call: &Statement) -> Vec<Literal> {
    let kind = slot_type(api, call).and_then(|ty| api.types.get(ty as usize)?.literal).and_then(LiteralKind::from_code);
    kind.map_or_else(Vec::new, plainest_literals)
}

/// Those that are spelt out in a program, each once.
fn literals_of(body: &Body) -> Vec<Literal> {
    let mut literals = Vec::new();
    for statement in body.statements.iter().filter(|statement| statement.kind == StatementKind::Literal) {
        let literal =
            LiteralKind::from_code(statement.op).and_then(|kind| Literal::from_data(kind, body.data_of(statement)));
        literals.extend(literal.filter(|literal| !literals.contains(literal)));
    }
    literals
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
