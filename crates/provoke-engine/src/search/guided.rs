//! Programs that are made from witnesses: changed at random, aimed at a comparison, or traced.

use provoke_wire::{Batch, Body, Outcome, Program, RunOptions, StatementKind};

use super::aiming::Tracing;
use super::schedule::record::OpRecord;
use super::{Planned, PlannedProgram, Search, Source, copied};
use crate::generate::builder::Material;
use crate::generate::cost_limits::Caution;
use crate::generate::mutate::{Edit, Ingredients, Mutator};
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
            touchstones: self.aiming.touchstones(),
            may_reuse: true,
            relates: self.guidance.relates,
            caution: &self.caution,
        };
        let records = &self.records;
        let may_insert = |op: u32| !records[op as usize].is_risky();
        let from = Ingredients { material: &material, compared: self.aiming.compared(), may_insert: &may_insert };
        let first_changed = make(&mut self.mutator, &from, self.witnesses.body(witness), &mut self.rng)?;
        let body = self.mutator.body();
        let op = last_call(body)?;
        if is_avoided(&self.records, &self.caution, body, &mut self.rng) {
            return None;
        }
        let main = copied(body, &mut self.spare_bodies);
        Some(self.plan(main, op, first_changed, source))
    }

    /// As a whole it is new, since nobody knows what a changed literal does.
    pub(super) fn plan_aimed(&mut self, body: Body, witness: u32) -> Option<(Program, PlannedProgram)> {
        if is_avoided(&self.records, &self.caution, &body, &mut self.rng) {
            return None;
        }
        let op = last_call(&body)?;
        Some(self.plan(body, op, 0, Source::Aimed(witness)))
    }

    /// Witnesses, and what is like them, to see what they compare. Nothing where all of them are better not run.
    pub(super) fn traced_batch(&mut self, number: u64, traced: Vec<(Body, Tracing)>) -> Option<(Batch, Planned)> {
        let mut traces = Vec::with_capacity(traced.len());
        let (mut programs, mut planned) = (Vec::with_capacity(traced.len()), Vec::with_capacity(traced.len()));
        let mut is_group_avoided = false;
        for (body, tracing) in traced {
            // What is like a witness is of use together with it only.
            if tracing.is_first() {
                is_group_avoided = is_avoided(&self.records, &self.caution, &body, &mut self.rng);
            }
            let Some(op) = last_call(&body).filter(|_| !is_group_avoided) else { continue };
            let (program, plan) = self.plan(body, op, 0, Source::Aimed(tracing.witness));
            self.stats.planned_calls += u64::from(plan.n_calls);
            programs.push(program);
            planned.push(plan);
            traces.push(tracing);
        }
        if programs.is_empty() {
            return None;
        }
        let checks = !self.api.specifications.is_empty();
        let options =
            RunOptions { entropy: self.entropy(), coverage: true, comparisons: true, checks, ..RunOptions::QUIET };
        let news = self.edges.news();
        let n_known_edges = self.edges.n_told();
        let (is_observed, encoded) = (false, Vec::new());
        let batch = Batch { number, options, programs, news };
        Some((batch, Planned { batch_number: number, is_observed, programs: planned, traces, n_known_edges, encoded }))
    }

    /// Learns from a batch of traces; what its programs got from calls and can be written out becomes a witness, too.
    pub(super) fn learn_traces(&mut self, programs: &[Program], traces: &[Tracing], outcomes: &[Outcome]) {
        self.aiming.learn(self.guidance, &self.literals, programs, traces, outcomes);
        let plain = programs.iter().zip(traces).zip(outcomes).filter(|((_, tracing), _)| tracing.is_first());
        for ((program, _), outcome) in plain {
            for body in self.spelling.spell_out(self.api, &self.graph, &program.main, &outcome.texts) {
                let n_calls = body.n_calls() as u32;
                let witness = self.witnesses.add(body, n_calls, outcome.cost);
                self.aiming.trace(witness);
            }
        }
    }
}

/// Whether a program is better not run, since a call in it often ends the worker or is dear. A witness survived all of its calls,
/// but not with these arguments.
fn is_avoided(records: &[OpRecord], caution: &Caution, body: &Body, rng: &mut Rng) -> bool {
    let calls = body.statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    let reluctance = calls.map(|call| records[call.op as usize].reluctance(caution.level(call.op))).max().unwrap_or(0);
    reluctance > 0 && rng.below(1 + reluctance) != 0
}

fn last_call(body: &Body) -> Option<u32> {
    let call = body.statements.iter().rfind(|statement| statement.kind == StatementKind::Call)?;
    Some(call.op)
}

#[cfg(test)]
mod tests {
    use provoke_wire::Notion;

    use super::*;
    use crate::generate::aim::probes;
    use crate::options::{Guidance, Regions, SearchOptions, Strategy};
    use crate::test_support::sample;

    #[test]
    fn what_often_ends_the_worker_is_not_traced_nor_is_what_is_like_it() {
        let api = sample::api();
        let options = SearchOptions {
            strategy: Strategy::Guided,
            seed: 0,
            notion: Notion::Equality,
            max_calls: None,
            is_selected: vec![true; api.functions.len()],
            max_component_bytes: 1 << 20,
            guidance: Guidance::ALL,
            regions: Regions { of_edges: vec![0; 3], owners: vec![None] },
            edge_places: vec![0; 3],
            unsteady_sites: Vec::new(),
            until_plateau: false,
        };
        let mut search = Search::new(&api, &options, &[]);
        let deadly = api.ops.iter().position(|op| op.key == "number").unwrap();
        search.records[deadly].n_deaths = u32::MAX;
        let traced = |texts: &[&str]| -> Vec<(Body, Tracing)> {
            let group = |(witness, text): (usize, &&str)| {
                let probes = probes(&sample::body(&api, text));
                probes.into_iter().map(move |probe| (probe.body, Tracing::new(witness as u32, probe.nudge)))
            };
            texts.iter().enumerate().flat_map(group).collect()
        };
        let (dangerous, harmless) = ("n = 1u8; number =n", "n = 1u8; x = make; look &x");
        assert!(search.traced_batch(7, traced(&[dangerous])).is_none());
        let (batch, planned) = search.traced_batch(7, traced(&[dangerous, harmless, dangerous])).unwrap();
        assert_eq!((batch.programs.len(), planned.traces.len()), (2, 2));
        assert!(planned.traces[0].is_first() && planned.traces.iter().all(|tracing| tracing.witness == 1));
    }
}
