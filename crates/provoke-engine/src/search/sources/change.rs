//! Witnesses with something about them changed at random.

use provoke_wire::{Body, StatementKind};

use crate::generate::mutate::{Ingredients, Mutator};
use crate::options::Guidance;
use crate::rng::Rng;
use crate::search::known::Known;
use crate::search::sources::{Ask, Draft, Proposal, Source, Workshop};

pub(crate) struct Change;

impl Source for Change {
    fn is_used(&self, guidance: Guidance) -> bool {
        guidance.mutates
    }

    fn propose(&self, known: &Known<'_>, _: Ask, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
        let choices = &mut workshop.spent.choices;
        let Some(witness) = known.corpus.witnesses.choose(choices, rng) else { return Proposal::Nothing };
        choices.add(witness);
        let changed = make_from(known, witness, workshop, rng, |mutator, from, body, rng| {
            mutator.mutate(from, body, rng).map(|mutant| mutant.first_changed)
        });
        changed.map_or(Proposal::Nothing, Proposal::Program)
    }
}

/// What becomes of a witness in the hands of the mutator; `make` tells from where on it differs.
pub(crate) fn make_from(
    known: &Known<'_>,
    witness: u32,
    workshop: &mut Workshop,
    rng: &mut Rng,
    make: impl FnOnce(&mut Mutator, &Ingredients<'_>, &Body, &mut Rng) -> Option<u32>,
) -> Option<Draft> {
    let material = known.material(true);
    let may_insert = |op: u32| !known.schedule.records[op as usize].is_risky();
    let from =
        Ingredients { material: &material, compared: known.knowledge.compared.values(), may_insert: &may_insert };
    let first_new = make(&mut workshop.mutator, &from, known.corpus.witnesses.body(witness), rng)?;
    let body = workshop.mutator.body();
    let op = last_call(body)?;
    if known.schedule.avoids(body, rng) {
        return None;
    }
    Some(Draft { body: workshop.changed(), op, first_new, witness: Some(witness) })
}

pub(crate) fn last_call(body: &Body) -> Option<u32> {
    let call = body.statements.iter().rfind(|statement| statement.kind == StatementKind::Call)?;
    Some(call.op)
}
