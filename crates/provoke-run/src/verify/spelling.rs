//! A program as its test spells it: with every look at a history written down, and with the functions themselves where a spec
//! was called in their place.
//!
//! Decision: `docs/decisions/069-the-worker-says-when-a-history-is-looked-at.md`

use crate::confirm::confirmed::HistoryPoint;
use provoke_codegen::{POINT, WATCH_FINISH, WATCH_KEPT, WATCH_NEW};
use provoke_engine::{Api, Op};
use provoke_oracles::{TEMPORAL, is_contract};
use provoke_wire::{Arg, Body, Mode, StatementKind};

/// What the keys of operations start with that ask a history, at any time and at its end.
const ASKS: [(&str, bool); 2] = [("law temporal ", false), ("law temporal-end ", true)];

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
        let plain = api.ops.get(statement.op as usize).filter(|_| is_call).and_then(|op| op.unspecified);
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

#[cfg(test)]
mod tests {
    use provoke_api::OpRole;

    use super::*;
    use provoke_engine::{LawOf, Wants};

    fn op(key: &str, n_args: usize) -> Op {
        let law = key.starts_with("law").then(|| LawOf {
            oracle: &TEMPORAL,
            subject: "list::List::stays".into(),
            group: String::new(),
            is_monitored: true,
            stated_at: None,
        });
        Op {
            key: key.into(),
            role: OpRole::Function,
            function: None,
            trait_function: None,
            wants: Wants::Any,
            args: vec![0; n_args],
            result: 0,
            flows: Vec::new(),
            static_args: Vec::new(),
            law,
            guards: Vec::new(),
            probe: None,
            unspecified: None,
            sets_fields: false,
        }
    }

    fn api() -> Api {
        let keys = [
            ("make", 0),
            ("push", 1),
            ("unspecified push", 1),
            ("law temporal stays", 1),
            ("law temporal-end stays", 1),
            ("point stays", 2),
            (WATCH_NEW, 0),
            (WATCH_FINISH, 1),
            (WATCH_KEPT, 1),
        ];
        let mut api = Api { ops: keys.map(|(key, n_args)| op(key, n_args)).into(), ..Api::default() };
        api.ops[1].unspecified = Some(2);
        api
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
