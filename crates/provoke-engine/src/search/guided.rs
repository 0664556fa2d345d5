//! Programs that are made from witnesses: changed at random, aimed at a comparison, or traced.

use provoke_wire::{Batch, Body, Program, RunOptions, StatementKind};

use super::aiming::Tracing;
use super::op_record::OpRecord;
use super::{Planned, PlannedProgram, Search, Source, copied, is_selected};
use crate::builder::Material;
use crate::mutate::{Edit, Ingredients, Mutator};
use crate::rng::Rng;

impl Search<'_> {
    /// A witness with something about it changed at random.
    pub(super) fn change_witness(&mut self) -> Option<(Program, PlannedProgram)> {
        let witness = self.witnesses.choose(&mut self.rng)?;
        self.make_from(witness, Source::Changed(witness), |mutator, from, body, rng| {
            mutator.mutate(from, body, rng).map(|mutant| mutant.first_changed)
        })
    }

    /// A witness in which another object is passed somewhere.
    pub(super) fn move_object(&mut self, witness: u32, edit: Edit) -> Option<(Program, PlannedProgram)> {
        self.make_from(witness, Source::Aimed(witness), |mutator, from, body, rng| {
            mutator.with_edit(from, body, edit, rng).map(|mutant| mutant.first_changed)
        })
    }

    /// What becomes of a witness in the hands of the mutator; `make` tells from where on it differs.
    fn make_from(
        &mut self,
        witness: u32,
        source: Source,
        make: impl FnOnce(&mut Mutator, &Ingredients<'_>, &Body, &mut Rng) -> Option<u32>,
    ) -> Option<(Program, PlannedProgram)> {
        let material = Material {
            api: self.api,
            graph: &self.graph,
            components: &self.components,
            literals: &self.literals,
            may_reuse: true,
            n_exhausted: &self.n_exhausted,
        };
        let (api, options, records) = (self.api, self.options, &self.records);
        let may_insert = |op: u32| !records[op as usize].is_risky() && is_selected(api, options, op);
        let from = Ingredients { material: &material, compared: self.aiming.compared(), may_insert: &may_insert };
        let first_changed = make(&mut self.mutator, &from, self.witnesses.body(witness), &mut self.rng)?;
        let body = self.mutator.body();
        let op = last_call(body)?;
        if is_avoided(&self.records, body, &mut self.rng) {
            return None;
        }
        let main = copied(body, &mut self.spare_bodies);
        Some(self.plan(main, op, first_changed, source))
    }

    /// As a whole it is new, since nobody knows what a changed literal does.
    pub(super) fn plan_aimed(&mut self, body: Body, witness: u32) -> Option<(Program, PlannedProgram)> {
        let op = last_call(&body)?;
        if is_avoided(&self.records, &body, &mut self.rng) {
            return None;
        }
        Some(self.plan(body, op, 0, Source::Aimed(witness)))
    }

    /// Witnesses, and what is like them, to see what they compare.
    pub(super) fn traced_batch(&mut self, number: u64, traced: Vec<(Body, Tracing)>) -> (Batch, Planned) {
        let mut traces = Vec::with_capacity(traced.len());
        let (mut programs, mut planned) = (Vec::with_capacity(traced.len()), Vec::with_capacity(traced.len()));
        for (body, tracing) in traced {
            let Some((program, plan)) = self.plan_aimed(body, tracing.witness) else { continue };
            self.stats.planned_calls += u64::from(plan.n_calls);
            programs.push(program);
            planned.push(plan);
            traces.push(tracing);
        }
        let options = RunOptions { entropy: self.entropy(), coverage: true, comparisons: true, ..RunOptions::QUIET };
        let news = self.edges.news();
        let n_known_edges = self.edges.n_told();
        let (is_observed, encoded) = (false, Vec::new());
        (
            Batch { number, options, programs, news },
            Planned { batch_number: number, is_observed, programs: planned, traces, n_known_edges, encoded },
        )
    }
}

/// Whether a program is better not run, since a call in it often ends the worker. A witness survived all of its calls, but not
/// with these arguments.
fn is_avoided(records: &[OpRecord], body: &Body, rng: &mut Rng) -> bool {
    let calls = body.statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    let reluctance = calls.map(|call| records[call.op as usize].reluctance()).max().unwrap_or(0);
    reluctance > 0 && rng.below(1 + reluctance) != 0
}

fn last_call(body: &Body) -> Option<u32> {
    let call = body.statements.iter().rfind(|statement| statement.kind == StatementKind::Call)?;
    Some(call.op)
}
