//! What a run may call: all of the API, or what the user asked for and what makes arguments for that.
//!
//! A function that was not asked for is called only to make a value that something asked for takes, or that such a maker takes
//! in turn. Where a value lies in another one, as in a `Result`, whatever returns that makes it, too. Numbers, texts and what std
//! makes of them need no function of the target. Operations that belong to no function are free wherever what they take is there
//! anyway.
//!
//! Decision: `docs/decisions/044-what-may-be-called-is-settled-first.md`

use provoke_api::{OpKind, OpRole};
use provoke_wire::Shape;

use crate::api::graph::sources_of;
use crate::api::{Api, Op};

/// Whether an operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Calls {
    Never,
    /// For its result, where something else takes that.
    AsMaker,
    /// Also for its own sake.
    Freely,
}

/// By operation: whether it is called, given which functions were asked for. Whether its arguments can be had is not looked at.
pub(crate) fn scope(api: &Api, is_selected: &[bool]) -> Vec<Calls> {
    if is_selected.iter().all(|yes| *yes) {
        let unless_skipped = |op| if is_for_search(api, op) { Calls::Freely } else { Calls::Never };
        return api.ops.iter().map(unless_skipped).collect();
    }
    let mut widening = Widening::new(api);
    for (number, op) in api.ops.iter().enumerate() {
        let is_asked_for = op.function.is_some_and(|function| is_selected[function as usize]);
        if is_asked_for && is_for_search(api, op) {
            widening.call(number, Calls::Freely);
        }
    }
    widening.add_makers();
    widening.add_what_needs_nothing_else();
    widening.calls
}

/// What nobody but a law that is asked later makes use of is never made by the search, so that the law itself is out of its reach.
/// What workers ask by themselves need not be asked.
fn is_for_search(api: &Api, op: &Op) -> bool {
    let is_monitored = op.law.as_ref().is_some_and(|law| law.is_monitored);
    !matches!(op.role, OpRole::Watch | OpRole::Aside) && !is_monitored && !api.policy.skips(api, op)
}

/// What a type is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Nothing,
    /// For something inside of it. What was put in only to be taken out again is no help.
    ToTakeApart,
    ForItself,
}

/// The operations that are called so far, and the types that are needed for them.
struct Widening<'a> {
    api: &'a Api,
    calls: Vec<Calls>,
    needs: Vec<Need>,
    /// Types that are needed and whose makers were not looked at since.
    to_do: Vec<u32>,
    /// By type: the types of values that it can be had from, lent or as a whole.
    sources: Vec<Vec<u32>>,
    /// By type: operations that make it.
    makers: Vec<Vec<usize>>,
    /// By type: whether it can be had without any function of the target.
    is_plain: Vec<bool>,
}

impl<'a> Widening<'a> {
    fn new(api: &'a Api) -> Widening<'a> {
        let sources_of = |ty| sources_of(api, ty).into_iter().map(|source| source.slot_type).collect();
        let sources: Vec<Vec<u32>> = (0..api.types.len() as u32).map(sources_of).collect();
        let mut makers = vec![Vec::new(); api.types.len()];
        for (number, op) in api.ops.iter().enumerate() {
            if is_for_search(api, op) && op.role != OpRole::Law {
                makers[op.result as usize].push(number);
            }
        }
        Widening {
            api,
            calls: vec![Calls::Never; api.ops.len()],
            needs: vec![Need::Nothing; api.types.len()],
            to_do: Vec::new(),
            is_plain: plain_types(api, &sources),
            sources,
            makers,
        }
    }

    fn call(&mut self, number: usize, calls: Calls) {
        self.calls[number] = self.calls[number].max(calls);
        for &arg in &self.api.ops[number].args {
            self.need(arg, Need::ForItself);
        }
    }

    fn need(&mut self, arg: u32, need: Need) {
        for &ty in &self.sources[arg as usize] {
            if !self.is_plain[ty as usize] && self.needs[ty as usize] < need {
                self.needs[ty as usize] = need;
                self.to_do.push(ty);
            }
        }
    }

    fn add_makers(&mut self) {
        while let Some(ty) = self.to_do.pop() {
            let is_for_itself = self.needs[ty as usize] == Need::ForItself;
            for number in self.makers[ty as usize].clone() {
                let op = &self.api.ops[number];
                if op.function.is_some() {
                    self.call(number, Calls::AsMaker);
                } else if !builds(self.api, op) {
                    op.args.iter().for_each(|&arg| self.need(arg, Need::ToTakeApart));
                } else if is_for_itself {
                    self.call(number, Calls::AsMaker);
                    // A new `Vec` is there to be filled.
                    if op.role == OpRole::Builtin {
                        self.parts(ty).into_iter().for_each(|part| self.need(part, Need::ForItself));
                    }
                }
            }
        }
    }

    /// The types that a type is made up of, by its name.
    fn parts(&self, ty: u32) -> Vec<u32> {
        let name_of = |ty: u32| self.api.types[ty as usize].name.as_str();
        let is_part = |&other: &u32| other != ty && mentions(name_of(ty), name_of(other));
        (0..self.api.types.len() as u32).filter(is_part).collect()
    }

    /// Operations of no function all of whose arguments are needed by others, or are results of what was asked for.
    fn add_what_needs_nothing_else(&mut self) {
        let api = self.api;
        let is_needed = |ty: usize| self.is_plain[ty] || self.needs[ty] != Need::Nothing;
        let mut is_there: Vec<bool> = (0..api.types.len()).map(is_needed).collect();
        for (op, calls) in api.ops.iter().zip(&self.calls) {
            is_there[op.result as usize] |= *calls == Calls::Freely;
        }
        let mut left: Vec<usize> = (0..api.ops.len())
            .filter(|&number| {
                let op = &api.ops[number];
                op.function.is_none() && op.role != OpRole::Law && is_for_search(api, op)
            })
            .collect();
        let mut n_before = usize::MAX;
        while left.len() < n_before {
            n_before = left.len();
            left.retain(|&number| {
                let op = &api.ops[number];
                let is_had = |&arg: &u32| self.sources[arg as usize].iter().any(|&ty| is_there[ty as usize]);
                // What takes nothing at all may make what nobody needs.
                let is_free = !op.args.is_empty() && op.args.iter().all(is_had);
                if is_free || self.calls[number] == Calls::AsMaker {
                    self.calls[number] = Calls::Freely;
                    is_there[op.result as usize] = true;
                }
                self.calls[number] != Calls::Freely
            });
        }
    }
}

/// Whether an operation of no function puts its arguments together to something larger. Others take something out of them.
fn builds(api: &Api, op: &Op) -> bool {
    let name_of = |ty: u32| referenced_name(api, ty);
    let result = name_of(op.result);
    op.args.is_empty()
        || op.kind.sets_fields()
        || op.role == OpRole::Coercion
        || op.args.iter().any(|&arg| name_of(arg) != result && mentions(result, name_of(arg)))
}

/// Types that are made from literals without any function of the target, and have nothing in them that is not.
fn plain_types(api: &Api, sources: &[Vec<u32>]) -> Vec<bool> {
    let mut is_made: Vec<bool> = api.types.iter().map(|info| info.literal.is_some()).collect();
    // A default value may be the target's own doing.
    let is_plain = |op: &&Op| op.role == OpRole::Builtin && op.kind != OpKind::DefaultValue;
    let mut left: Vec<&Op> = api.ops.iter().filter(|op| is_plain(op) && is_for_search(api, op)).collect();
    let mut n_before = usize::MAX;
    while left.len() < n_before {
        n_before = left.len();
        left.retain(|op| {
            let is_had = |&arg: &u32| sources[arg as usize].iter().any(|&ty| is_made[ty as usize]);
            is_made[op.result as usize] |= op.args.iter().all(is_had);
            !is_made[op.result as usize]
        });
    }
    // What lies behind references only, as `str` does, is there with them.
    let mut is_known = is_made.clone();
    for (ty, _) in is_made.iter().enumerate().filter(|(_, is_made)| **is_made) {
        is_known[referenced(api, ty as u32) as usize] = true;
    }
    let others: Vec<&str> = (0..api.types.len())
        .filter(|&ty| !is_known[ty] && referenced(api, ty as u32) == ty as u32)
        .map(|ty| api.types[ty].name.as_str())
        .collect();
    let is_plain = |ty: usize| is_made[ty] && !others.iter().any(|other| mentions(&api.types[ty].name, other));
    (0..api.types.len()).map(is_plain).collect()
}

/// What a type is a reference to, or the type itself.
fn referenced(api: &Api, ty: u32) -> u32 {
    match api.types[ty as usize].shape {
        Shape::Ref(target) | Shape::RefMut(target) => referenced(api, target),
        _ => ty,
    }
}

pub(crate) fn referenced_name(api: &Api, ty: u32) -> &str {
    &api.types[referenced(api, ty) as usize].name
}

/// Whether the name of a type has the other one in it, as a whole.
fn mentions(name: &str, other: &str) -> bool {
    let is_part_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    name.match_indices(other)
        .any(|(at, _)| !name[..at].ends_with(is_part_of_word) && !name[at + other.len()..].starts_with(is_part_of_word))
}

#[cfg(test)]
#[path = "scope_tests.rs"]
mod tests;
