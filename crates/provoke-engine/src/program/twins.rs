//! Twins: a value and its clone, and programs that change one of them and look at the other.
//!
//! Decision: `docs/decisions/060-independence-of-clones-is-asked-afterwards.md`

use std::collections::BTreeSet;

use provoke_api::OpRole;
use provoke_oracles::CLONE_INDEPENDENT;
use provoke_wire::{Arg, Body, Mode, Program, Shape, Statement, StatementKind};

use crate::api::{Api, Op};
use crate::program::rebuild::{StatementFate, rebuild};

/// The operations that ask about one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twins {
    pub ty: u32,
    pub clone: u32,
    /// Remembers what a value shows.
    pub snapshot: u32,
    /// Whether it still shows that.
    pub law: u32,
}

impl Twins {
    /// Of every type that can be asked about.
    pub fn all(api: &Api) -> Vec<Twins> {
        let watching = |args: &[u32], result: u32| {
            let is_it = |op: &Op| op.role == OpRole::Watch && op.args == args && op.result == result;
            api.ops.iter().position(is_it).map(|number| number as u32)
        };
        let of_law = |number: usize| {
            let op = &api.ops[number];
            op.law.as_ref().filter(|law| law.oracle.id == CLONE_INDEPENDENT.id && !api.policy.skips(api, op))?;
            let &[value, snapshot] = &op.args[..] else { return None };
            let (Shape::Ref(ty), Shape::Ref(text)) =
                (&api.types[value as usize].shape, &api.types[snapshot as usize].shape)
            else {
                return None;
            };
            let (clone, snapshot) = (watching(&[value], *ty)?, watching(&[value], *text)?);
            Some(Twins { ty: *ty, clone, snapshot, law: number as u32 })
        };
        (0..api.ops.len()).filter_map(of_law).collect()
    }

    /// Types that can be cloned and are not to be asked about: their documentation says that clones share.
    pub fn said_to_share(api: &Api) -> BTreeSet<u32> {
        let asked: BTreeSet<u32> = Twins::all(api).iter().map(|twins| twins.ty).collect();
        let clones = api.ops.iter().filter(|op| op.role == OpRole::Watch && is_clone(api, op));
        clones.map(|op| op.result).filter(|ty| !asked.contains(ty)).collect()
    }
}

/// A program whose last statement is a call that may change the value in a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinChange {
    pub body: Body,
    pub slot: u32,
}

impl TwinChange {
    /// The last call of a program as a change of the first value of the type that it is lent. `None` if it is lent none.
    pub fn of(api: &Api, body: Body, ty: u32) -> Option<TwinChange> {
        let args = body.args_of(body.statements.last()?);
        let slot = args.iter().find(|arg| is_lent(**arg) && is_of(api, &body, arg.slot(), ty))?.slot();
        let is_lent_once = args.iter().filter(|arg| arg.slot() == slot).count() == 1;
        is_lent_once.then_some(TwinChange { body, slot })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    Original,
    Clone,
}

/// What a program does with a value and its clone, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    pub remembered: Twin,
    pub changed: Option<Twin>,
    pub asked: Twin,
    /// What is changed is another value, which was made in the same way.
    pub is_elsewhere: bool,
}

/// The program of an experiment; `None` where the loans do not allow it. The last statement asks.
pub fn program(api: &Api, twins: &Twins, change: &TwinChange, experiment: Experiment) -> Option<Program> {
    let last = change.body.statements.len() - 1;
    let mut body = change.body.clone();
    body.truncate(last);
    let elsewhere = if experiment.is_elsewhere {
        let prefix = body.clone();
        body.append(&prefix)
    } else {
        0
    };
    let clone = body.push_call(twins.clone, &[Arg::new(change.slot, Mode::Ref)]);
    let slot_of = |twin| match twin {
        Twin::Original => change.slot,
        Twin::Clone => clone,
    };
    let lent = |twin| Arg::new(slot_of(twin), Mode::Ref);
    let snapshot = body.push_call(twins.snapshot, &[lent(experiment.remembered)]);
    if let Some(changed) = experiment.changed {
        let statement = change.body.statements[last];
        let renumbered = |arg: &Arg| match arg.slot() {
            slot if slot == change.slot && !experiment.is_elsewhere => Arg::new(slot_of(changed), arg.mode()),
            slot => Arg::new(slot + elsewhere, arg.mode()),
        };
        let args: Vec<Arg> = change.body.args_of(&statement).iter().map(renumbered).collect();
        body.push_copy(&change.body, last, &args);
    }
    body.push_call(twins.law, &[lent(experiment.asked), Arg::new(snapshot, Mode::Ref)]);
    let required = body.statements.len() - 1;
    let main = rebuild(api, &body, required, |_| StatementFate::Keep)?;
    // The loans may not have let every call through.
    let is_whole = main.n_calls() == body.n_calls();
    let observe_from = main.statements.len() as u32;
    is_whole.then_some(Program { main, observe_from })
}

/// Whether a program whose statement `law` fails shows that a change of one of the two changed the other: between the cloning
/// and the law, functions are called that are lent the one that is not watched, and nobody touches the watched one or what
/// was made from it. What the caller handed in behind an `Rc` is shared by the caller's own doing.
pub fn shows_dependence(api: &Api, body: &Body, law: usize) -> bool {
    shown_dependence(api, body, law).is_some()
}

fn shown_dependence(api: &Api, body: &Body, law: usize) -> Option<()> {
    let &[watched, snapshot] = body.args_of(body.statements.get(law)?) else { return None };
    let (watched, taken_at) = (watched.slot(), snapshot.slot() as usize);
    let is_watching = |statement: &Statement| is_call(statement, |op| api.ops[op as usize].role == OpRole::Watch);
    let subject_of = |index: usize| {
        let statement = body.statements.get(index).filter(|statement| is_watching(statement))?;
        body.args_of(statement).first().map(|arg| arg.slot())
    };
    if body.n_inputs() > 0 || subject_of(taken_at) != Some(watched) {
        return None;
    }
    let cloned_at =
        (0..taken_at).rev().find(|&index| subject_of(index).is_some_and(|of| of == watched || index as u32 == watched));
    let cloned_at = cloned_at?;
    let other = if cloned_at as u32 == watched { subject_of(cloned_at)? } else { cloned_at as u32 };
    let is_shared_by_caller =
        |statement: &Statement| is_call(statement, |op| is_counted(api, api.ops[op as usize].result));
    if body.statements[..law].iter().any(is_shared_by_caller) {
        return None;
    }
    let is_made_from_watched = made_from(body, watched, &[cloned_at, taken_at]);
    let mut n_changes = 0;
    for index in (cloned_at + 1..law).filter(|index| *index != taken_at) {
        let statement = &body.statements[index];
        let args = body.args_of(statement);
        if args.iter().any(|arg| is_made_from_watched[arg.slot() as usize]) {
            return None;
        }
        match statement.kind {
            StatementKind::Literal | StatementKind::Drop => {}
            StatementKind::Call if args.iter().any(|arg| arg.slot() == other && is_lent(*arg)) => n_changes += 1,
            StatementKind::Call | StatementKind::Callback => return None,
        }
    }
    (n_changes > 0).then_some(())
}

/// By slot: whether it holds the value, or something that may hold on to a part of it.
fn made_from(body: &Body, slot: u32, except: &[usize]) -> Vec<bool> {
    let mut is_made_from = vec![false; body.statements.len()];
    is_made_from[slot as usize] = true;
    for (index, statement) in body.statements.iter().enumerate().filter(|(index, _)| !except.contains(index)) {
        let args = body.args_of(statement);
        if statement.kind == StatementKind::Drop || !args.iter().any(|arg| is_made_from[arg.slot() as usize]) {
            continue;
        }
        is_made_from[index] = true;
        for arg in args.iter().filter(|arg| arg.mode().is_exclusive()) {
            is_made_from[arg.slot() as usize] = true;
        }
    }
    is_made_from
}

fn is_call(statement: &Statement, is_it: impl Fn(u32) -> bool) -> bool {
    statement.kind == StatementKind::Call && is_it(statement.op)
}

/// `Rc`, `Arc` and what holds one by its name.
fn is_counted(api: &Api, ty: u32) -> bool {
    let name = api.types[ty as usize].name.as_str();
    ["alloc::rc::", "alloc::sync::"].iter().any(|module| name.contains(module))
}

fn is_clone(api: &Api, op: &Op) -> bool {
    matches!(op.args[..], [arg] if api.types[arg as usize].shape == Shape::Ref(op.result))
}

fn is_lent(arg: Arg) -> bool {
    matches!(arg.mode(), Mode::Ref | Mode::RefMut)
}

fn is_of(api: &Api, body: &Body, slot: u32, ty: u32) -> bool {
    body.statements.get(slot as usize).is_some_and(|maker| is_call(maker, |op| api.ops[op as usize].result == ty))
}

#[cfg(test)]
#[path = "twins_tests.rs"]
mod tests;
