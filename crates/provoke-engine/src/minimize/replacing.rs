//! Steps of the minimiser that put shorter ways to make a value, or to change one, in the place of longer ones.

use provoke_api::OpRole;
use provoke_wire::{Body, Literal, LiteralKind, StatementKind};

use crate::executor::ExecutorError;
use crate::minimize::{Minimizer, fate_applied};
use crate::program::order::is_simpler;
use crate::program::rebuild::{StatementFate, slot_type};
use crate::program::slice::{needed_without, serving_only};

impl Minimizer<'_> {
    /// Lets a shorter way to make a value of the same type stand in for a call. Left out is all that the failure is not made
    /// from, with or without those who changed the value; or else only what served to make the old one.
    pub(super) fn replace_by_shorter(&mut self) -> Result<bool, ExecutorError> {
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
    pub(super) fn replace_changes(&mut self) -> Result<bool, ExecutorError> {
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
    pub(super) fn replace_two(&mut self) -> Result<bool, ExecutorError> {
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

    /// The type of what a call makes, if another value may take its place.
    pub(super) fn replaceable_type(&self, index: usize) -> Option<u32> {
        let statement = self.current.main.statements.get(index)?;
        // A lost element shows where it was made; how that was does not matter.
        let is_raw_material = || self.api.ops.get(statement.op as usize).is_some_and(|op| op.role == OpRole::Builtin);
        let is_made_by_call = statement.kind == StatementKind::Call && (index != self.required() || is_raw_material());
        let ty = slot_type(self.api, statement).filter(|_| is_made_by_call)?;
        // A value that nobody looks at is removed, not replaced.
        let slot = self.current.main.slot_of(index);
        self.current.main.args.iter().any(|arg| arg.slot() == slot).then_some(ty)
    }
}

/// Those that are spelt out in a program, each once.
pub(super) fn literals_of(body: &Body) -> Vec<Literal> {
    let mut literals = Vec::new();
    for statement in body.statements.iter().filter(|statement| statement.kind == StatementKind::Literal) {
        let literal =
            LiteralKind::from_code(statement.op).and_then(|kind| Literal::from_data(kind, body.data_of(statement)));
        literals.extend(literal.filter(|literal| !literals.contains(literal)));
    }
    literals
}
