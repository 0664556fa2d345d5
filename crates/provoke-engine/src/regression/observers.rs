//! Observers: functions that take `&self`, and perhaps a simple value, and return something that can be compared. Called at
//! the end of a program, they say what its calls did to the objects in it.

use provoke_api::OpRole;
use provoke_wire::{Arg, Body, Literal, LiteralKind, Mode, Shape, StatementKind};

use crate::api::{Api, Op};
use crate::program::rebuild::{StatementFate, rebuild, slot_type};

/// Observers that one object is shown to, and all objects of a program together.
const MAX_PER_OBJECT: usize = 3;
const MAX_PER_PROGRAM: usize = 6;

/// How much room was set aside is nobody's business: it changes with every release of std.
const NOT_OBSERVED: &[&str] = &["capacity"];

/// Chooses observers for one program after the other.
pub struct Observers<'a> {
    api: &'a Api,
    /// By type: operations.
    by_type: Vec<Vec<u32>>,
    /// By operation: how often it was chosen, so that all have their turn.
    n_chosen: Vec<usize>,
}

impl<'a> Observers<'a> {
    /// `is_safe`: whether calls of an operation always came back.
    pub fn new(api: &'a Api, is_safe: impl Fn(u32) -> bool) -> Observers<'a> {
        let mut by_type = vec![Vec::new(); api.types.len()];
        for (number, op) in api.ops.iter().enumerate() {
            let number = number as u32;
            if let Some(object) = observed_type(api, op)
                && is_safe(number)
            {
                by_type[object as usize].push(number);
            }
        }
        Observers { api, by_type, n_chosen: vec![0; api.ops.len()] }
    }

    /// The program with calls of observers behind it, without those that `excluded` names and without the one that the program
    /// itself ends with.
    pub fn observe(&mut self, body: &Body, excluded: &[u32]) -> Body {
        let mut observed = body.clone();
        let mut n_added = 0;
        let last = body.statements.last().filter(|s| s.kind == StatementKind::Call).map(|s| s.op);
        let excluded: Vec<u32> = excluded.iter().copied().chain(last).collect();
        for slot in 0..body.n_slots() {
            let Some(ty) = slot_type(self.api, &body.statements[slot as usize]) else {
                continue;
            };
            for op in self.choice(ty, &excluded) {
                if n_added == MAX_PER_PROGRAM {
                    return observed;
                }
                if let Some(longer) = self.append(&observed, op, slot) {
                    observed = longer;
                    n_added += 1;
                    self.n_chosen[op as usize] += 1;
                }
            }
        }
        observed
    }

    /// The length first, since nearly every change shows in it; then what was chosen least.
    fn choice(&self, ty: u32, excluded: &[u32]) -> Vec<u32> {
        let mut choice: Vec<u32> =
            self.by_type[ty as usize].iter().copied().filter(|op| !excluded.contains(op)).collect();
        choice.sort_by_key(|&op| (self.name(op) != "len", self.n_chosen[op as usize], op));
        choice.truncate(MAX_PER_OBJECT);
        choice
    }

    fn name(&self, op: u32) -> &str {
        let function = self.api.ops[op as usize].function;
        function.map_or("", |function| self.api.functions[function as usize].name.as_str())
    }

    /// `None` where the object is gone, or the call is not possible for another reason.
    fn append(&self, body: &Body, op: u32, slot: u32) -> Option<Body> {
        let mut longer = body.clone();
        let mut args = vec![Arg::new(slot, Mode::Ref)];
        for &wanted in &self.api.ops[op as usize].args[1..] {
            let (kind, mode) = simple_argument(self.api, wanted)?;
            args.push(Arg::new(argument(&mut longer, kind)?, mode));
        }
        longer.push_call(op, &args);
        let last = longer.statements.len() - 1;
        rebuild(self.api, &longer, last, |_| StatementFate::Keep)
    }
}

/// The type whose values an operation observes.
fn observed_type(api: &Api, op: &Op) -> Option<u32> {
    let (&receiver, others) = op.args.split_first()?;
    let Shape::Ref(object) = api.types[receiver as usize].shape else {
        return None;
    };
    let function = &api.functions[op.function? as usize];
    let is_observer = op.role == OpRole::Function
        && function.of_trait.is_none()
        && api.types[object as usize].literal.is_none()
        && others.len() < 2
        && others.iter().all(|&ty| simple_argument(api, ty).is_some())
        && is_comparable(api, op.result)
        && !NOT_OBSERVED.contains(&function.name.as_str());
    is_observer.then_some(object)
}

/// Numbers, texts and the like, also behind a reference or in an `Option`.
fn is_comparable(api: &Api, ty: u32) -> bool {
    let info = &api.types[ty as usize];
    match info.shape {
        Shape::Ref(inner) | Shape::Option(inner) => is_comparable(api, inner),
        _ => info.literal.is_some_and(|literal| literal != LiteralKind::Unit as u32),
    }
}

/// What literal serves for an argument, and how it is passed.
fn simple_argument(api: &Api, ty: u32) -> Option<(LiteralKind, Mode)> {
    let info = &api.types[ty as usize];
    let (literal, mode) = match info.shape {
        Shape::Ref(inner) => (api.types[inner as usize].literal?, Mode::Ref),
        _ => (info.literal?, Mode::Copy),
    };
    let kind = LiteralKind::from_code(literal)?;
    (kind != LiteralKind::Unit && kind != LiteralKind::String).then_some((kind, mode))
}

/// The last literal of the kind that the program has: a key that was inserted, for example. Else nought.
fn argument(body: &mut Body, kind: LiteralKind) -> Option<u32> {
    let is_it = |s: &provoke_wire::Statement| s.kind == StatementKind::Literal && s.op == kind as u32;
    if let Some(index) = body.statements.iter().rposition(is_it) {
        let literal = Literal::from_data(kind, body.data_of(&body.statements[index]))?;
        return Some(body.push_literal(&literal));
    }
    let size = kind.data_size()?;
    let nought = Literal::from_data(kind, &vec![0; size])?;
    Some(body.push_literal(&nought))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::check::check;
    use crate::test_support::sample;

    fn observed(text: &str, excluded: &[&str]) -> String {
        let api = sample::api();
        let number = |key: &&str| api.ops.iter().position(|op| op.key == *key).unwrap() as u32;
        let excluded: Vec<u32> = excluded.iter().map(number).collect();
        let body = Observers::new(&api, |_| true).observe(&sample::body(&api, text), &excluded);
        assert_eq!(check(&api, &body), Ok(()));
        sample::print(&api, &body)
    }

    #[test]
    fn objects_that_are_left_are_observed() {
        assert_eq!(observed("x = make; touch &mut x", &[]), "s0 = make\ns1 = touch &mut s0\ns2 = look &s0\n");
        assert_eq!(observed("x = make; take x", &[]), "s0 = make\ns1 = take s0\n");
        assert_eq!(observed("x = make", &["look"]), "s0 = make\n");
        assert_eq!(observed("x = make; look &x", &[]), "s0 = make\ns1 = look &s0\n");
    }

    #[test]
    fn an_exclusive_borrow_ends_before_its_owner_is_observed() {
        let text = observed("x = make; r = lend_mut &mut x; touch &mut*r", &[]);
        assert!(text.ends_with("drop s1\ns4 = look &s0\n"), "{text}");
    }

    #[test]
    fn arguments_are_taken_from_the_program_or_are_nought() {
        let api = sample::api();
        let mut body = sample::body(&api, "n = 7u8");
        let slot = argument(&mut body, LiteralKind::U8).unwrap();
        assert!(sample::print(&api, &body).ends_with(&format!("s{slot} = U8(7)\n")));
        let slot = argument(&mut body, LiteralKind::I64).unwrap();
        assert!(sample::print(&api, &body).ends_with(&format!("s{slot} = I64(0)\n")));
    }
}
