//! Arguments that have to do with each other: an index that this very container gave out, a reference into it.
//!
//! Values that were made apart rarely fit together, and what checks whether they do is then all that is ever tested.
//!
//! Decision: `docs/decisions/029-one-argument-in-ten-is-derived.md`

use std::collections::HashMap;

use provoke_api::OpRole;
use provoke_wire::{Arg, Mode};

use crate::api::Wants;
use crate::rng::Rng;

use super::{Builder, MAX_ARGS, Material};

/// How often an argument is got from another one by a call.
const DERIVED_PERCENT: usize = 10;
/// Ways to come from one type to another.
const MAX_WAYS: usize = 32;

/// A call that takes the relative, and one that takes the value out of what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    op: u32,
    unwrap: Option<u32>,
}

/// By the type of a relative and the type that is wanted: facts about the API, worked out when they are first asked for.
#[derive(Default)]
pub(super) struct Ways(HashMap<(u32, u32), Vec<Way>>);

impl Ways {
    fn between(&mut self, material: &Material<'_>, from: u32, wanted: u32) -> &[Way] {
        self.0.entry((from, wanted)).or_insert_with(|| find_ways(material, from, wanted))
    }
}

impl Builder {
    /// Calls something on an argument that is already chosen, which gives the one that is wanted; now and then.
    pub(super) fn derive(
        &mut self,
        material: &Material<'_>,
        wanted: u32,
        taken: &[Arg],
        needs_static: bool,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<Arg> {
        if !material.relates || taken.is_empty() || depth == 0 || !rng.percent(DERIVED_PERCENT) {
            return None;
        }
        let relative = taken[rng.below(taken.len())].slot();
        let from = self.types[relative as usize];
        if material.graph.literal(from).is_some() {
            return None;
        }
        let mut ways = std::mem::take(&mut self.ways);
        let way = rng.pick(ways.between(material, from, wanted)).copied();
        self.ways = ways;
        // A value to which nothing was done yet has nothing to give, and to take that apart ends the program.
        let way = way.filter(|way| way.unwrap.is_none() || self.has_history(relative))?;
        let mut slot = self.call_on(material, way.op, relative, rng)?;
        if let Some(unwrap) = way.unwrap {
            slot = self.call_on(material, unwrap, slot, rng)?;
        }
        let ty = self.types[slot as usize];
        let source = material.graph.sources(wanted).iter().find(|source| source.slot_type == ty)?;
        let arg = Arg::new(slot, source.mode);
        self.is_usable(arg, taken, needs_static).then_some(arg)
    }

    /// Whether a value was made from others, or changed since.
    fn has_history(&self, slot: u32) -> bool {
        let is_changed = || self.body.args.iter().any(|arg| arg.slot() == slot && arg.mode().is_exclusive());
        self.body.statements[slot as usize].n_args > 0 || is_changed()
    }

    /// A call that gets a certain value where it first fits, and is found other arguments.
    fn call_on(&mut self, material: &Material<'_>, op_number: u32, slot: u32, rng: &mut Rng) -> Option<u32> {
        let op = &material.api.ops[op_number as usize];
        let ty = self.types[slot as usize];
        let mut args = [Arg::new(0, Mode::Copy); MAX_ARGS];
        let mut is_placed = false;
        for index in 0..op.args.len() {
            let source = material.graph.sources(op.args[index]).iter().find(|source| source.slot_type == ty);
            args[index] = match source {
                Some(source) if !is_placed => {
                    is_placed = true;
                    let needs_static = op.static_args.contains(&(index as u8));
                    let arg = Arg::new(slot, source.mode);
                    self.is_usable(arg, &args[..index], needs_static).then_some(arg)?
                }
                _ => self.find_argument(material, op, index, &args[..index], 1, rng)?,
            };
        }
        let made = self.push_call(material, op_number, &args[..op.args.len()])?;
        self.loans.is_live(made).then_some(made)
    }
}

fn find_ways(material: &Material<'_>, from: u32, wanted: u32) -> Vec<Way> {
    let (api, graph) = (material.api, material.graph);
    // The relative itself is needed afterwards.
    let leaves_it = |mode: Mode| !matches!(mode, Mode::Move);
    let takes_it = |op: u32| {
        let first = |arg: &u32| graph.sources(*arg).iter().find(|source| source.slot_type == from).copied();
        let op = &api.ops[op as usize];
        op.role != OpRole::Law && op.args.iter().find_map(first).is_some_and(|source| leaves_it(source.mode))
    };
    let mut ways = Vec::new();
    for source in graph.sources(wanted).iter().filter(|source| source.slot_type != from) {
        for &maker in graph.makers(source.slot_type) {
            if takes_it(maker) {
                ways.push(Way { op: maker, unwrap: None });
            }
            let op = &api.ops[maker as usize];
            if op.role == OpRole::Builtin && op.wants() == Wants::Full && op.args.len() == 1 {
                let wrapped = graph.sources(op.args[0]).iter().flat_map(|source| graph.makers(source.slot_type));
                ways.extend(wrapped.filter(|&&op| takes_it(op)).map(|&op| Way { op, unwrap: Some(maker) }));
            }
            if ways.len() >= MAX_WAYS {
                return ways;
            }
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Op;
    use crate::api::graph::Graph;
    use crate::generate::argument_constants::ArgumentConstants;
    use crate::generate::components::Components;
    use crate::generate::cost_limits::CostLimits;
    use crate::generate::literals::Literals;
    use crate::test_support::sample;
    use provoke_api::OpKind;
    use provoke_wire::Body;

    /// Of 1000 calls that take a value and a number, and of 1000 repetitions, those whose number that very value gave.
    fn n_related(relates: bool) -> [usize; 2] {
        let mut api = sample::api();
        let [look, touch_and_look] =
            ["look", "touch_and_look"].map(|key| api.ops.iter().position(|op| op.key == key).unwrap());
        // As `remove(&mut self, index: u8)`.
        api.ops[touch_and_look].args[1] = api.ops[look].result;
        let material = Material {
            graph: &Graph::new(&api),
            components: &Components::new(api.types.len(), 1 << 20),
            literals: &Literals::new(&[]),
            argument_constants: &ArgumentConstants::default(),
            may_reuse: true,
            relates,
            cost_limits: &CostLimits::new(api.ops.len()),
            api: &api,
        };
        let mut rng = Rng::new(7);
        let mut builder = Builder::default();
        let is_related = |body: &Body, call: u32| {
            let args = body.args_of(&body.statements[call as usize]);
            let maker = body.statements[args[1].slot() as usize];
            body.args_of(&maker).iter().any(|arg| arg.slot() == args[0].slot())
        };
        let mut n_related = [0; 2];
        for _ in 0..1000 {
            builder.clear();
            let Some(call) = builder.call(&material, touch_and_look as u32, &mut rng) else { continue };
            let repetition = builder.call_again(&material, call, &mut rng);
            for (n, call) in n_related.iter_mut().zip([Some(call), repetition]) {
                *n += usize::from(call.is_some_and(|call| is_related(&builder.body, call)));
            }
        }
        n_related
    }

    #[test]
    fn some_arguments_are_got_from_others_but_not_where_calls_are_repeated() {
        let ([related, repeated], [by_chance, repeated_by_chance]) = (n_related(true), n_related(false));
        assert!(related > 40 && by_chance < 20, "{related} {by_chance}");
        // What was got once may be taken again.
        assert!(repeated < 70 && repeated_by_chance < 20, "{repeated} {repeated_by_chance}");
    }

    #[test]
    fn nothing_is_taken_out_of_what_nothing_was_done_to() {
        let mut api = sample::api();
        let op = |api: &crate::api::Api, key: &str| api.ops.iter().position(|op| op.key == key).unwrap();
        let [look, touch, text, touch_and_look] = ["look", "touch", "text", "touch_and_look"].map(|key| op(&api, key));
        // As `get(&self) -> Option<u8>` and `remove(&mut self, index: u8)`: a view stands for the option.
        let number = api.ops[look].result;
        api.ops[look].result = 6;
        api.ops[touch_and_look].args[1] = number;
        let unwrap = Op {
            role: OpRole::Builtin,
            kind: OpKind::UnwrapSome,
            args: vec![6],
            result: number,
            ..api.ops[text].clone()
        };
        api.ops.push(unwrap);
        let unwrap = api.ops.len() as u32 - 1;
        let material = Material {
            graph: &Graph::new(&api),
            components: &Components::new(api.types.len(), 1 << 20),
            literals: &Literals::new(&[]),
            argument_constants: &ArgumentConstants::default(),
            may_reuse: true,
            relates: true,
            cost_limits: &CostLimits::new(api.ops.len()),
            api: &api,
        };
        let mut rng = Rng::new(7);
        let mut builder = Builder::default();
        let mut n_unwrapped = |is_touched: bool| {
            let mut n_unwrapped = 0;
            for _ in 0..1000 {
                builder.clear();
                let value = builder.call(&material, 0, &mut rng).unwrap();
                if is_touched {
                    builder.call_for(&material, touch as u32, value, &mut rng).unwrap();
                }
                if builder.call_for(&material, touch_and_look as u32, value, &mut rng).is_none() {
                    continue;
                }
                n_unwrapped += builder.body.statements.iter().filter(|statement| statement.op == unwrap).count();
            }
            n_unwrapped
        };
        let (fresh, touched) = (n_unwrapped(false), n_unwrapped(true));
        // A number may also be made from scratch in this way.
        assert!(fresh < 10 && touched > 40, "{fresh} {touched}");
    }
}
