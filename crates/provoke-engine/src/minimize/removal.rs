//! Steps of the minimiser that leave statements out, or let one value stand in for another.

use provoke_wire::{Body, Phase, Program, StatementKind};

use crate::executor::ExecutorError;
use crate::minimize::plain::literals_instead_of;
use crate::minimize::{Minimizer, fate_applied};
use crate::program::order::is_simpler;
use crate::program::rebuild::{StatementFate, rebuild, slot_type, with_final_drop};
use crate::program::slice::{needed_by, serving_only};

impl Minimizer<'_> {
    /// Nothing comes after the failing statement; what fails in the clean-up gets a drop of its own as the last statement.
    pub(super) fn stop_at_failure(&mut self) -> Result<bool, ExecutorError> {
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
    pub(super) fn slice(&mut self) -> Result<(), ExecutorError> {
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
    pub(super) fn remove_runs_of(&mut self, length: usize) -> Result<bool, ExecutorError> {
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
    pub(super) fn hoist(&mut self) -> Result<bool, ExecutorError> {
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
    pub(super) fn merge_slots(&mut self) -> Result<bool, ExecutorError> {
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

    /// What one call puts in and a later one takes out can only be left out together. If something needs what the later one
    /// returns, a literal takes its place.
    pub(super) fn remove_opposites(&mut self) -> Result<bool, ExecutorError> {
        const MAX_CANDIDATES: usize = 1000;
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let main = &base.main;
        let required = self.required().min(main.statements.len());
        let changed: Vec<Option<u32>> = (0..required).map(|index| changed_by(main, index)).collect();
        let pairs = (0..required).rev().flat_map(|later| (0..later).rev().map(move |earlier| (earlier, later)));
        let pairs = pairs.filter(|&(earlier, later)| changed[later].is_some() && changed[later] == changed[earlier]);
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
}

/// The value that a call changes, through whatever it was lent to: what changes a cursor may change
/// what it goes over.
fn changed_by(main: &Body, index: usize) -> Option<u32> {
    let mut changed = None;
    let mut statement = main.statements.get(index)?;
    while statement.kind == StatementKind::Call
        && let Some(lent) = main.args_of(statement).iter().find(|arg| arg.mode().is_exclusive())
    {
        changed = Some(lent.slot());
        statement = main.statements.get(lent.slot() as usize)?;
    }
    changed
}
