//! The short components that a suspect brings along: what the minimiser builds shorter ways from, wherever it runs.
//!
//! A stock is taken when the suspect is met, and shares its components with the search. Nothing that the search does
//! later changes it, so what a finding is minimised to follows from the suspect alone.
//!
//! Decision: `docs/decisions/091-looking-follows-from-the-leads.md`

use std::collections::{BTreeMap, BTreeSet};

use provoke_wire::{Body, StatementKind};

use crate::api::Api;
use crate::generate::components::{Components, Reusable};

/// Components per type.
const MAX_COMPONENTS: usize = 48;

#[derive(Clone, Debug, Default)]
pub struct Stock {
    /// The shortest first.
    by_type: BTreeMap<u32, Vec<Reusable>>,
}

impl Stock {
    /// For the types of a program's values, for those that another instance of the same function would make, and for
    /// all that the components themselves are made of.
    pub(crate) fn for_program(api: &Api, components: &Components, body: &Body) -> Stock {
        let mut wanted: BTreeSet<u32> = results(api, body).collect();
        let functions: BTreeSet<u32> = called(body).filter_map(|op| api.ops[op as usize].function).collect();
        let others = api.ops.iter().filter(|op| op.function.is_some_and(|function| functions.contains(&function)));
        wanted.extend(others.map(|op| op.result));
        let mut stock = Stock::default();
        while let Some(ty) = wanted.pop_first() {
            if stock.by_type.contains_key(&ty) {
                continue;
            }
            let shortest = components.shortest(ty, MAX_COMPONENTS);
            wanted.extend(shortest.iter().flat_map(|found| results(api, &found.component.body)));
            stock.by_type.insert(ty, shortest);
        }
        stock
    }

    /// For every type there is.
    #[cfg(test)]
    pub(crate) fn for_all(api: &Api, components: &Components) -> Stock {
        let types = 0..api.types.len() as u32;
        Stock { by_type: types.map(|ty| (ty, components.shortest(ty, MAX_COMPONENTS))).collect() }
    }

    pub(crate) fn shortest(&self, ty: u32) -> &[Reusable] {
        self.by_type.get(&ty).map_or(&[], Vec::as_slice)
    }
}

fn called(body: &Body) -> impl Iterator<Item = u32> {
    body.statements.iter().filter(|statement| statement.kind == StatementKind::Call).map(|statement| statement.op)
}

fn results(api: &Api, body: &Body) -> impl Iterator<Item = u32> {
    called(body).map(|op| api.ops[op as usize].result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::fake;
    use provoke_wire::{Arg, Literal, Mode};

    #[test]
    fn a_stock_has_what_the_values_of_a_program_are_made_of_and_keeps_it() {
        let api = fake::api();
        let op = |name: &str| api.ops.iter().position(|op| op.key == format!("toy::{name}")).unwrap() as u32;
        let ty = |op: u32| api.ops[op as usize].result;
        let mut components = Components::new(api.types.len(), 1 << 20);
        let mut copied = Body::default();
        let stack = copied.push_call(op("new"), &[]);
        let copy = copied.push_call(op("copy"), &[Arg::new(stack, Mode::Ref)]);
        components.add(copied, 2, 0, &[(ty(op("copy")), copy, false)]);
        let mut sum = Body::default();
        let number = sum.push_literal(&Literal::I32(5));
        let added = sum.push_call(op("add"), &[Arg::new(number, Mode::Copy), Arg::new(number, Mode::Copy)]);
        components.add(sum, 1, 0, &[(ty(op("add")), added, false)]);
        let mut program = Body::default();
        program.push_call(op("new"), &[]);
        let stock = Stock::for_program(&api, &components, &program);
        assert_eq!(stock.shortest(ty(op("new"))).len(), 1);
        assert!(stock.shortest(ty(op("add"))).is_empty(), "nobody asks for numbers");
        components.add(program, 1, 0, &[(ty(op("new")), 0, false)]);
        assert_eq!(stock.shortest(ty(op("new"))).len(), 1, "what comes later is not in it");
    }
}
