//! A program as its test spells it: with every look at a history written down, and with the functions themselves where a spec
//! was called in their place.
//!
//! Decision: `docs/decisions/069-the-worker-says-when-a-history-is-looked-at.md`

use crate::confirm::confirmed::HistoryPoint;
use provoke_api::OpKind;
use provoke_engine::Api;
use provoke_oracles::is_contract;
use provoke_wire::{Arg, Body, Mode, StatementKind};

/// Spells out the program of a finding by this oracle that fails at its last statement.
pub fn spelled_out(api: &Api, body: &Body, oracle: &str, points: &[HistoryPoint]) -> Body {
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
        let plain = is_call.then(|| api.companion(statement.op, OpKind::Unspecified)).flatten();
        slots.push(match plain.filter(|_| !is_kept(index)) {
            Some(plain) => out.push_call(plain, &args),
            None => out.push_copy(body, index, &args),
        });
        let Some((watched, watch)) = watched.as_ref().zip(watch) else { continue };
        let is_here = |point: &&HistoryPoint| {
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
        statement.op = api.companion(statement.op, OpKind::Unspecified).unwrap_or(statement.op);
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
    let (asks, is_end) = match op.kind {
        OpKind::AskHistory => (last.op, false),
        OpKind::AskLife => (op.belongs_to?, true),
        _ => return None,
    };
    let number = |kind: OpKind| api.ops.iter().position(|op| op.kind == kind).map(|place| place as u32);
    Some(Watched {
        object: body.args_of(last).first()?.slot(),
        is_end,
        asks,
        new: number(OpKind::WatchNew)?,
        point: api.companion(asks, OpKind::WatchPoint)?,
        finish: number(OpKind::WatchFinish)?,
        kept: number(OpKind::WatchKept)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_api::OpRole;
    use provoke_engine::Op;

    fn op(key: &str, n_args: usize, kind: OpKind, belongs_to: Option<u32>) -> Op {
        Op {
            key: key.into(),
            role: OpRole::Function,
            function: None,
            trait_function: None,
            kind,
            args: vec![0; n_args],
            result: 0,
            flows: Vec::new(),
            static_args: Vec::new(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to,
        }
    }

    fn api() -> Api {
        let ops = vec![
            op("make", 0, OpKind::Other, None),
            op("push", 1, OpKind::Other, None),
            op("unspecified push", 1, OpKind::Unspecified, Some(1)),
            op("law temporal stays", 1, OpKind::AskHistory, None),
            op("law temporal-end stays", 1, OpKind::AskLife, Some(3)),
            op("point stays", 2, OpKind::WatchPoint, Some(3)),
            op("watch new", 0, OpKind::WatchNew, None),
            op("watch finish", 1, OpKind::WatchFinish, None),
            op("watch kept", 1, OpKind::WatchKept, None),
        ];
        Api { ops, ..Api::default() }
    }

    /// Each call with the slots of its arguments.
    fn shown(api: &Api, body: &Body) -> Vec<String> {
        let line = |statement: &provoke_wire::Statement| {
            let args: Vec<String> = body.args_of(statement).iter().map(|arg| format!(" {arg:?}")).collect();
            format!("{}{}", api.ops[statement.op as usize].key, args.concat())
        };
        body.statements.iter().map(line).collect()
    }

    fn program(ops: &[u32]) -> Body {
        let mut body = Body::default();
        for &op in ops {
            let args = if op == 0 { vec![] } else { vec![Arg::new(0, Mode::RefMut)] };
            body.push_call(op, &args);
        }
        body
    }

    #[test]
    fn a_history_is_written_down_point_by_point() {
        let api = api();
        let point = |statement| HistoryPoint { statement, slot: 0, op: 3 };
        let points = [point(0), point(2), HistoryPoint { op: 4, ..point(1) }, HistoryPoint { slot: 1, ..point(1) }];
        let out = spelled_out(&api, &program(&[0, 1, 1, 4]), "temporal", &points);
        assert_eq!(
            shown(&api, &out),
            [
                "watch new",
                "make",
                "point stays Ref 1 RefMut 0",
                "unspecified push RefMut 1",
                "unspecified push RefMut 1",
                "point stays Ref 1 RefMut 0",
                "watch finish RefMut 0",
                "watch kept Ref 0",
            ]
        );
        let out = spelled_out(&api, &program(&[0, 3]), "temporal", &points);
        assert_eq!(shown(&api, &out), ["watch new", "make", "point stays Ref 1 RefMut 0", "watch kept Ref 0"]);
    }

    #[test]
    fn a_spec_is_called_only_where_a_clause_of_it_is_broken() {
        let api = api();
        let body = program(&[0, 1, 1]);
        let broken = ["make", "unspecified push RefMut 0", "push RefMut 0"];
        assert_eq!(shown(&api, &spelled_out(&api, &body, "postcondition", &[])), broken);
        let other = ["make", "unspecified push RefMut 0", "unspecified push RefMut 0"];
        assert_eq!(shown(&api, &spelled_out(&api, &body, "overflow", &[])), other);
        assert_eq!(shown(&api, &without_specs(&api, &body)), other);
    }
}
