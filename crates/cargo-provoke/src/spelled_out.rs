//! A program as its test spells it: with every look at a history written down, and with the functions themselves where a spec
//! was called in their place.

use provoke_codegen::{POINT, WATCH_FINISH, WATCH_KEPT, WATCH_NEW};
use provoke_engine::{Api, Op};
use provoke_oracles::{TEMPORAL, is_contract};
use provoke_wire::{Arg, Body, Mode, StatementKind};
use serde::{Deserialize, Serialize};

/// A moment at which a history was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub statement: u32,
    pub slot: u32,
    pub op: u32,
}

/// What the keys of operations start with that ask a history, at any time and at its end.
const ASKS: [(&str, bool); 2] = [("law temporal ", false), ("law temporal-end ", true)];

/// Spells out the program of a finding by this oracle that fails at its last statement.
pub fn spelled_out(api: &Api, body: &Body, oracle: &str, points: &[Point]) -> Body {
    let last = body.statements.len().saturating_sub(1);
    // A clause of a spec is broken in the spec.
    let is_kept = |index: usize| index == last && is_contract(oracle);
    let watched = watched(api, body);
    let mut out = Body::default();
    let watch = watched.as_ref().map(|watched| out.push_call(watched.new, &[]));
    let mut slots = Vec::with_capacity(body.statements.len());
    for (index, statement) in body.statements.iter().enumerate() {
        let moved = |arg: &Arg| Arg::new(slots[arg.slot() as usize], arg.mode());
        let args: Vec<Arg> = body.args_of(statement).iter().map(moved).collect();
        if let (Some(watched), Some(watch), true) = (&watched, watch, index == last) {
            if watched.is_end {
                out.push_call(watched.finish, &[Arg::new(watch, Mode::RefMut)]);
            }
            out.push_call(watched.kept, &[Arg::new(watch, Mode::Ref)]);
            break;
        }
        let is_call = statement.kind == StatementKind::Call;
        let plain = api.ops.get(statement.op as usize).filter(|_| is_call).and_then(|op| op.unspecified);
        slots.push(match plain.filter(|_| !is_kept(index)) {
            Some(plain) => out.push_call(plain, &args),
            None => out.push_copy(body, index, &args),
        });
        let Some((watched, watch)) = watched.as_ref().zip(watch) else { continue };
        let is_here = |point: &&Point| {
            point.statement as usize == index && point.slot == watched.object && point.op == watched.asks
        };
        for _ in points.iter().filter(is_here) {
            let object = Arg::new(slots[watched.object as usize], Mode::Ref);
            out.push_call(watched.point, &[object, Arg::new(watch, Mode::RefMut)]);
        }
    }
    out
}

/// The same program with the functions themselves called wherever it calls the spec of one.
pub fn without_specs(api: &Api, body: &Body) -> Body {
    let mut out = body.clone();
    for statement in out.statements.iter_mut().filter(|statement| statement.kind == StatementKind::Call) {
        let plain = api.ops.get(statement.op as usize).and_then(|op| op.unspecified);
        statement.op = plain.unwrap_or(statement.op);
    }
    out.bodies = out.bodies.iter().map(|nested| without_specs(api, nested)).collect();
    out
}

/// A program that ends by asking a history.
struct Watched {
    /// The slot of the object.
    object: u32,
    is_end: bool,
    /// What looks are known by.
    asks: u32,
    new: u32,
    point: u32,
    finish: u32,
    kept: u32,
}

fn watched(api: &Api, body: &Body) -> Option<Watched> {
    let last = body.statements.last().filter(|last| last.kind == StatementKind::Call)?;
    let op = api.ops.get(last.op as usize)?;
    op.law.as_ref().filter(|law| law.oracle.id == TEMPORAL.id)?;
    let (subject, is_end) =
        ASKS.iter().find_map(|(start, is_end)| op.key.strip_prefix(start).map(|rest| (rest, *is_end)))?;
    let number = |key: &str| api.ops.iter().position(|op: &Op| op.key == key).map(|place| place as u32);
    Some(Watched {
        object: body.args_of(last).first()?.slot(),
        is_end,
        asks: number(&format!("{}{subject}", ASKS[0].0))?,
        new: number(WATCH_NEW)?,
        point: number(&format!("{POINT}{subject}"))?,
        finish: number(WATCH_FINISH)?,
        kept: number(WATCH_KEPT)?,
    })
}
