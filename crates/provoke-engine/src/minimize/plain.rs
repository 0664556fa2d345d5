//! Steps of the minimiser that put plainer literals and types in the place of others.

use provoke_wire::{Body, Literal, LiteralKind, Program, Statement, StatementKind};

use crate::api::Api;
use crate::executor::ExecutorError;
use crate::minimize::{Minimizer, fate_applied};
use crate::program::order::{is_simpler, plainest_literals, simpler_literals};
use crate::program::rebuild::{StatementFate, slot_type};
use crate::program::retype::simpler_instances;

impl Minimizer<'_> {
    pub(super) fn replace_calls_by_literals(&mut self) -> Result<bool, ExecutorError> {
        self.rewrite_each(|api, main, index| {
            let statement = &main.statements[index];
            if statement.kind != StatementKind::Call {
                return Vec::new();
            }
            literals_instead_of(api, statement).into_iter().map(StatementFate::BecomeLiteral).collect()
        })
    }

    pub(super) fn simplify_literals(&mut self) -> Result<bool, ExecutorError> {
        self.rewrite_each(|_, main, index| {
            let statement = &main.statements[index];
            if statement.kind != StatementKind::Literal {
                return Vec::new();
            }
            let literals = literal_of(main, statement).map_or_else(Vec::new, |literal| simpler_literals(&literal));
            literals.into_iter().map(StatementFate::BecomeLiteral).collect()
        })
    }

    /// Lets two literals change places: of two that only have to differ, the plainer one comes
    /// first.
    pub(super) fn exchange_literals(&mut self) -> Result<bool, ExecutorError> {
        const MAX_CANDIDATES: usize = 200;
        let (api, base, failure) = (self.api, self.current.clone(), self.failure);
        let main = &base.main;
        let literals: Vec<(usize, Literal)> = (0..self.required().min(main.statements.len()))
            .filter_map(|at| Some((at, literal_of(main, &main.statements[at])?)))
            .collect();
        let pairs =
            literals.iter().enumerate().flat_map(|(nth, one)| literals[nth + 1..].iter().map(move |it| (one, it)));
        let mut candidates = pairs
            .filter(|((_, one), (_, other))| one.kind() == other.kind() && one != other)
            .filter_map(|((first, one), (second, other))| {
                let fate = |index: usize| match index {
                    _ if index == *first => StatementFate::BecomeLiteral(other.clone()),
                    _ if index == *second => StatementFate::BecomeLiteral(one.clone()),
                    _ => StatementFate::Keep,
                };
                Some((0, fate_applied(api, &base, failure, fate)?))
            })
            .take(MAX_CANDIDATES);
        self.first_failing(&mut candidates, is_simpler).map(|winner| winner.is_some())
    }

    /// Simpler types for the parameters of generic functions, in the whole program at once.
    pub(super) fn simplify_types(&mut self) -> Result<bool, ExecutorError> {
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
}

fn literal_of(main: &Body, statement: &Statement) -> Option<Literal> {
    let kind =
        Some(statement.op).filter(|_| statement.kind == StatementKind::Literal).and_then(LiteralKind::from_code)?;
    Literal::from_data(kind, main.data_of(statement))
}

/// The plainest ones of the type that a call makes; none if it has no literals.
pub(super) fn literals_instead_of(api: &Api, call: &Statement) -> Vec<Literal> {
    let kind = slot_type(api, call).and_then(|ty| api.types.get(ty as usize)?.literal).and_then(LiteralKind::from_code);
    kind.map_or_else(Vec::new, plainest_literals)
}
