//! Programs that are built from components, one call after the other.
//!
//! Decisions:
//! - `docs/decisions/027-a-program-goes-on-with-its-object.md`
//! - `docs/decisions/028-a-young-search-is-thrifty.md`
//! - `docs/decisions/031-killers-get-modest-arguments.md`

use crate::api::Wants;
use crate::generate::builder::{Builder, Material};
use crate::generate::cost_limits;
use crate::options::{Guidance, Strategy};
use crate::rng::Rng;
use crate::search::known::Known;
use crate::search::sources::{Ask, Draft, Proposal, Source, Workshop};

/// Percent of calls that are repeated, and how often at most: containers have to grow past their resize points. A young search
/// would spend all on that, so it starts with few repetitions, and takes one more for each of so many calls.
const REPEAT_PERCENT: usize = 10;
const MAX_REPEAT: usize = 100;
const FIRST_REPEATS: usize = 8;
const CALLS_PER_REPEAT: u64 = 100;
/// Percent of calls that get modest arguments, of what killed workers and never returned.
const CAREFUL_PERCENT: usize = 75;
/// Percent of programs that go on with one more call, again and again: a component is replayed once for several new
/// calls, and the calls follow each other on the same values.
const GO_ON_PERCENT: usize = 85;
const MAX_NEW_CALLS: usize = 24;
/// Calls in one program of the random walk.
const WALK_CALLS: usize = 40;

pub(crate) struct Build;

impl Source for Build {
    fn is_used(&self, _: Guidance) -> bool {
        true
    }

    fn propose(&self, known: &Known<'_>, _: Ask, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
        let Some(op) = known.choose_op(&workshop.spent, rng) else { return Proposal::Failed };
        workshop.spent.try_again(known.api, op);
        let is_walk = known.options.strategy == Strategy::Walk;
        let material = known.material(!is_walk);
        workshop.builder.clear();
        let built = if is_walk {
            walk(known, &material, op, &mut workshop.builder, rng)
        } else {
            build(known, &material, op, workshop, rng)
        };
        if built.is_none() {
            return Proposal::Failed;
        }
        let first_new = if is_walk { 0 } else { workshop.builder.first_new() };
        Proposal::Program(Draft { body: workshop.built(), op, first_new, witness: None })
    }
}

/// Calls of anything, and one of the operation at the end.
fn walk(known: &Known<'_>, material: &Material<'_>, op: u32, builder: &mut Builder, rng: &mut Rng) -> Option<u32> {
    let n_calls = 1 + rng.below(WALK_CALLS);
    for _ in 0..n_calls {
        let op = known.targets[rng.below(known.targets.len())];
        let _ = builder.call(material, op, rng);
    }
    builder.call(material, op, rng)
}

/// A call of the operation, repeated now and then, and what else its values can be used for.
fn build(known: &Known<'_>, material: &Material<'_>, op: u32, workshop: &mut Workshop, rng: &mut Rng) -> Option<u32> {
    let builder = &mut workshop.builder;
    // What killed workers and never returned is to return first: after a few deaths it would hardly be called any more.
    let is_careful =
        known.schedule.records[op as usize].n_deaths > 0 && !known.is_covered(op) && rng.percent(CAREFUL_PERCENT);
    let slot = match is_careful {
        true => builder.call_with_care(material, op, rng)?,
        false => builder.call(material, op, rng)?,
    };
    if builder.is_repeatable(slot) && rng.percent(REPEAT_PERCENT) {
        repeat(known, material, slot, builder, rng);
    }
    for _ in 0..MAX_NEW_CALLS {
        if !rng.percent(GO_ON_PERCENT) {
            break;
        }
        let Some((value, ty)) = builder.lively(material, rng) else { break };
        let users = material.graph.users(ty);
        let (Some(&one), Some(&other)) = (rng.pick(users), rng.pick(users)) else { continue };
        let next = known.lesser(one, other, &workshop.spent);
        let record = known.schedule.records[next as usize].after(workshop.spent.tries.of(next));
        // What takes an `Option` apart would end the program too often, and what is dear would be in every other one.
        if record.is_risky()
            || cost_limits::is_due(known.schedule.cost_limits.level(next) / 2, rng)
            || known.api.ops[next as usize].wants() != Wants::Any
        {
            continue;
        }
        if builder.call_for(material, next, value, rng).is_none() {
            break;
        }
        workshop.spent.try_again(known.api, next);
    }
    Some(slot)
}

fn repeat(known: &Known<'_>, material: &Material<'_>, slot: u32, builder: &mut Builder, rng: &mut Rng) {
    let mut last = slot;
    let n_most = MAX_REPEAT.min(FIRST_REPEATS + (known.stats.planned_calls / CALLS_PER_REPEAT) as usize);
    for _ in 0..1 + rng.below(n_most) {
        match builder.call_again(material, last, rng) {
            Some(next) => last = next,
            None => break,
        }
    }
}
