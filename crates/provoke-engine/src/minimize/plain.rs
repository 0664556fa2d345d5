//! Steps of the minimiser that put plainer literals and types in the place of others.

use provoke_wire::{Literal, LiteralKind, Program, Statement, StatementKind};

use crate::api::Api;
use crate::executor::ExecutorError;
use crate::minimize::Minimizer;
use crate::program::order::{plainest_literals, simpler_literals};
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
            let literal =
                LiteralKind::from_code(statement.op).and_then(|kind| Literal::from_data(kind, main.data_of(statement)));
            let literals = literal.map_or_else(Vec::new, |literal| simpler_literals(&literal));
            literals.into_iter().map(StatementFate::BecomeLiteral).collect()
        })
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

/// The plainest ones of the type that a call makes; none if it has no literals.
pub(super) fn literals_instead_of(api: &Api, call: &Statement) -> Vec<Literal> {
    let kind = slot_type(api, call).and_then(|ty| api.types.get(ty as usize)?.literal).and_then(LiteralKind::from_code);
    kind.map_or_else(Vec::new, plainest_literals)
}
