//! Short ways to make a value of a type: what the minimiser may put in the place of a longer one.
//!
//! Two sources: the stock of short components that came with the suspect, cut down to what their value is made from, and
//! programs from scratch, which take the cheapest way through the type graph with plain literals, or with literals of
//! the program that is being minimised. Both are bounded.
//!
//! Decision: `docs/decisions/049-values-are-replaced-by-shorter-ways.md`

use std::rc::Rc;

use provoke_wire::{Arg, Body, Literal, LiteralKind, Program};

use crate::api::Api;
use crate::api::graph::{Graph, Source};
use crate::minimize::stock::Stock;
use crate::program::check::check;
use crate::program::order::{ProgramOrder, negated, plainest_literals};
use crate::program::rebuild::{Changing, Making, StatementFate, rebuild_with_slots};
use crate::program::slice::needed_by;

/// Ways to end a program from scratch: the cheapest makers of the type.
const MAX_MAKERS: usize = 6;
/// Calls that change a value: the cheapest ones.
const MAX_CHANGES: usize = 12;
/// Literals of one kind, and ways to fill in the literals of one program.
const MAX_LITERALS: usize = 8;
const MAX_FILLINGS: usize = 64;

/// What the minimiser may draw from. Nothing of it changes while a program is minimised.
#[derive(Clone, Copy)]
pub struct Replacements<'a> {
    api: &'a Api,
    graph: &'a Graph,
    stock: &'a Stock,
}

impl<'a> Replacements<'a> {
    pub fn new(api: &'a Api, graph: &'a Graph, stock: &'a Stock) -> Replacements<'a> {
        Replacements { api, graph, stock }
    }

    /// Ways to make a value of the type, the simplest first, no two alike. `known` are the literals of the program that is
    /// being minimised: they say which values matter.
    pub(crate) fn ways_to_make(&self, ty: u32, known: &[Literal]) -> Vec<Rc<Making>> {
        let mut ways = self.made_from_scratch(ty, known);
        ways.extend(
            self.stock.shortest(ty).iter().filter_map(|found| self.cut_down(&found.component.body, found.slot)),
        );
        sorted(ways)
    }

    /// The ways from scratch alone, with plain literals.
    pub(crate) fn plain_ways_to_make(&self, ty: u32) -> Vec<Rc<Making>> {
        sorted(self.made_from_scratch(ty, &[]))
    }

    /// Calls that change a value of the type, with plain arguments, the simplest first.
    pub(crate) fn ways_to_change(&self, ty: u32) -> Vec<Rc<Changing>> {
        let mut ways: Vec<Body> =
            self.graph.users(ty).iter().filter_map(|&user| self.call_that_changes(user, ty)).collect();
        ways.sort_by_cached_key(|body| ProgramOrder::of(&Program { main: body.clone(), observe_from: 0 }));
        ways.truncate(MAX_CHANGES);
        ways.into_iter().map(|body| Rc::new(Changing { body })).collect()
    }

    fn call_that_changes(&self, op: u32, ty: u32) -> Option<Body> {
        let mut body = Body::default();
        let stand_in = body.push_literal(&Literal::Unit);
        let mut is_passed = false;
        let mut args = Vec::new();
        for &wanted in &self.api.ops[op as usize].args {
            let changes = |source: &&Source| source.slot_type == ty && source.mode.is_exclusive();
            let passed = self.graph.sources(wanted).iter().find(changes).filter(|_| !is_passed);
            args.push(match passed {
                Some(source) => Arg::new(stand_in, source.mode),
                None => self.argument(&mut body, wanted)?,
            });
            is_passed |= passed.is_some();
        }
        body.push_call(op, &args);
        is_passed.then_some(body)
    }

    fn made_from_scratch(&self, ty: u32, known: &[Literal]) -> Vec<Making> {
        let makers = self.graph.makers(ty).iter().take(MAX_MAKERS);
        let plain = makers.filter_map(|&maker| {
            let mut body = Body::default();
            let slot = self.call(&mut body, maker)?;
            // The cheapest way knows nothing of loans.
            check(self.api, &body).ok()?;
            Some(Making { body, slot })
        });
        plain.flat_map(|making| filled(&making, known)).collect()
    }

    fn call(&self, body: &mut Body, op: u32) -> Option<u32> {
        let wanted = &self.api.ops[op as usize].args;
        let mut args = Vec::with_capacity(wanted.len());
        for &ty in wanted {
            args.push(self.argument(body, ty)?);
        }
        Some(body.push_call(op, &args))
    }

    /// The cheapest one.
    fn argument(&self, body: &mut Body, ty: u32) -> Option<Arg> {
        let source = self.graph.cheapest_source(ty)?;
        let slot = match self.graph.literal(source.slot_type) {
            Some(kind) => body.push_literal(plainest_literals(kind).first()?),
            None => self.call(body, *self.graph.makers(source.slot_type).first()?)?,
        };
        Some(Arg::new(slot, source.mode))
    }

    /// Only what the value is made from, and what changed that on the way.
    fn cut_down(&self, body: &Body, slot: u32) -> Option<Making> {
        let needed = needed_by(body, slot as usize, true, None);
        let fate = |index: usize| if needed[index] { StatementFate::Keep } else { StatementFate::Remove };
        let rebuilt = rebuild_with_slots(self.api, body, slot as usize, fate)?;
        Some(Making { slot: rebuilt.new_slots[slot as usize]?, body: rebuilt.body })
    }
}

fn sorted(ways: Vec<Making>) -> Vec<Rc<Making>> {
    let mut ways: Vec<(Program, u32)> =
        ways.into_iter().map(|Making { body, slot }| (Program { main: body, observe_from: 0 }, slot)).collect();
    ways.sort_by_cached_key(|(program, slot)| (ProgramOrder::of(program), *slot));
    ways.dedup();
    ways.into_iter().map(|(program, slot)| Rc::new(Making { body: program.main, slot })).collect()
}

/// The same statements with other literals, the plainest ones first.
fn filled(making: &Making, known: &[Literal]) -> Vec<Making> {
    let places: Vec<(usize, Vec<Literal>)> = making
        .body
        .statements
        .iter()
        .enumerate()
        .filter(|(_, statement)| statement.kind == provoke_wire::StatementKind::Literal)
        .filter_map(|(index, statement)| Some((index, choices(LiteralKind::from_code(statement.op)?, known))))
        .filter(|(_, choices)| !choices.is_empty())
        .collect();
    let n_fillings = places.iter().fold(1usize, |n, (_, choices)| n.saturating_mul(choices.len()));
    (0..n_fillings.min(MAX_FILLINGS))
        .map(|filling| {
            let mut left = filling;
            let mut body = Body::default();
            for (index, statement) in making.body.statements.iter().enumerate() {
                match places.iter().find(|(place, _)| *place == index) {
                    Some((_, choices)) => {
                        body.push_literal(&choices[left % choices.len()]);
                        left /= choices.len();
                    }
                    None => {
                        body.push_copy(&making.body, index, making.body.args_of(statement));
                    }
                }
            }
            Making { body, slot: making.slot }
        })
        .collect()
}

/// Plain literals of a kind, then those that the program knows, then what those are with the other sign.
fn choices(kind: LiteralKind, known: &[Literal]) -> Vec<Literal> {
    let mut choices = plainest_literals(kind);
    let of_kind = || known.iter().filter(|literal| literal.kind() == kind);
    for literal in of_kind().cloned().chain(of_kind().filter_map(negated)) {
        if !choices.contains(&literal) {
            choices.push(literal);
        }
    }
    choices.truncate(MAX_LITERALS);
    choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::components::Components;
    use crate::test_support::fake;
    use crate::test_support::sample;

    fn printed(ty: &str, known: &[Literal], components: &Components) -> Vec<String> {
        let api = fake::api();
        let graph = Graph::new(&api);
        let ty = api.types.iter().position(|info| info.name == ty).unwrap() as u32;
        let stock = Stock::for_all(&api, components);
        let ways = Replacements::new(&api, &graph, &stock).ways_to_make(ty, known);
        for way in &ways {
            assert_eq!(check(&api, &way.body), Ok(()));
        }
        ways.iter().map(|way| format!("{}-> s{}", sample::print(&api, &way.body), way.slot)).collect()
    }

    #[test]
    fn the_cheapest_makers_come_with_plain_literals_and_those_of_the_program() {
        let none = Components::new(fake::api().types.len(), 1 << 20);
        let ways = printed("toy::Stack", &[], &none);
        assert_eq!(ways[..2], ["s0 = toy::new\n-> s0", "s0 = toy::new\ns1 = toy::copy &s0\n-> s1"]);
        let ways = printed("i32", &[Literal::I32(77)], &none);
        let adds = |a: i32, b: i32| format!("s0 = I32({a})\ns1 = I32({b})\ns2 = toy::add =s0 =s1\n-> s2");
        for (a, b) in [(0, 0), (-1, 1), (77, -77)] {
            assert!(ways.contains(&adds(a, b)), "{a} {b}: {ways:#?}");
        }
    }

    #[test]
    fn a_component_is_cut_down_to_its_value() {
        let api = fake::api();
        let op = |name: &str| api.ops.iter().position(|op| op.key == format!("toy::{name}")).unwrap() as u32;
        let mut body = Body::default();
        let other = body.push_call(op("new"), &[]);
        let stack = body.push_call(op("new"), &[]);
        let number = body.push_literal(&Literal::I32(5));
        for owner in [other, stack] {
            let args = [Arg::new(owner, provoke_wire::Mode::RefMut), Arg::new(number, provoke_wire::Mode::Copy)];
            body.push_call(op("push"), &args);
        }
        let mut components = Components::new(api.types.len(), 1 << 20);
        components.add(body, 4, 0, &[(2, stack, false)]);
        let ways = printed("toy::Stack", &[], &components);
        let cut = "s0 = toy::new\ns1 = I32(5)\ns2 = toy::push &mut s0 =s1\n-> s0".to_string();
        assert!(ways.contains(&cut), "{ways:#?}");
    }
}
