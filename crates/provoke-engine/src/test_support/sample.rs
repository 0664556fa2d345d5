//! A small API and a notation for programs over it, for tests.
//!
//! `x = make; r = view &x; touch &mut x; drop r` is one statement after the other: an optional name, the key of an
//! operation, its arguments. An argument is `x` (moved), `=x` (copied), `&x`, `&mut x`, `*x` (`&*x`) or `&mut*x`.
//! `7u8` and `"text"` are literals.

use provoke_api::{Flow, FlowPart, FlowTarget, OpKind, OpRole};
use provoke_wire::{Abilities, Arg, Body, Literal, LiteralKind, Mode, Shape, StatementKind, TypeInfo, ValueIdentity};

use provoke_oracles::CLONE_INDEPENDENT;

use crate::options::{Guidance, Regions, SearchOptions, Strategy};

use crate::api::{Api, FunctionFacts, LawOf, Op};

const DROPPING: Abilities = Abilities(Abilities::PROBED.0 | Abilities::NEEDS_DROP.0);
const COPY: Abilities = Abilities(Abilities::PROBED.0 | Abilities::COPY.0);

/// A guided search over everything in the API.
pub fn options(api: &Api) -> SearchOptions {
    SearchOptions {
        strategy: Strategy::Guided,
        seed: 0,
        notion: ValueIdentity::Equality,
        max_calls: None,
        is_selected: vec![true; api.functions.len()],
        max_component_bytes: 1 << 20,
        guidance: Guidance::ALL,
        regions: Regions { of_edges: vec![0; 3], owners: vec![None] },
        edge_places: vec![0; 3],
        unsteady_sites: Vec::new(),
        until_plateau: false,
    }
}

/// Types are named by their index: see the table in the body.
pub fn api() -> Api {
    let ty = |name: &str, shape, abilities, literal: Option<LiteralKind>| TypeInfo {
        name: name.into(),
        size: 8,
        align: 8,
        abilities,
        shape,
        literal: literal.map(|kind| kind as u32),
    };
    let types = vec![
        ty("()", Shape::Plain, COPY, Some(LiteralKind::Unit)),
        ty("u8", Shape::Plain, COPY, Some(LiteralKind::U8)),
        ty("&str", Shape::Plain, COPY, Some(LiteralKind::Str)),
        ty("Foo", Shape::Plain, DROPPING, None),
        ty("&Foo", Shape::Ref(3), COPY, None),
        ty("&mut Foo", Shape::RefMut(3), Abilities::PROBED, None),
        // Holds references, and dropping it runs no code.
        ty("View", Shape::Plain, Abilities::PROBED, None),
        ty("&View", Shape::Ref(6), COPY, None),
        ty("&mut View", Shape::RefMut(6), Abilities::PROBED, None),
        // Holds references, and dropping it runs code.
        ty("Guard", Shape::Plain, DROPPING, None),
        ty("&mut Guard", Shape::RefMut(9), Abilities::PROBED, None),
        ty("String", Shape::Plain, DROPPING, Some(LiteralKind::String)),
    ];
    const OUTER: FlowPart = FlowPart::Outer;
    const INNER: FlowPart = FlowPart::Inner;
    let to_result = |arg, part| Flow { arg, part, target: FlowTarget::Result };
    let to_arg = |arg, part, target| Flow { arg, part, target: FlowTarget::Arg(target) };
    let mut functions = Vec::new();
    let mut op = |key: &str, args: &[u32], result, flows: &[Flow], static_args: &[u8]| {
        functions.push(FunctionFacts { path: format!("sample::{key}"), name: key.into(), ..FunctionFacts::default() });
        Op {
            key: key.into(),
            role: OpRole::Function,
            function: Some(functions.len() as u32 - 1),
            trait_function: None,
            kind: OpKind::Other,
            args: args.to_vec(),
            result,
            flows: flows.to_vec(),
            static_args: static_args.to_vec(),
            law: None,
            guards: Vec::new(),
            accused: None,
            belongs_to: None,
        }
    };
    let ops = vec![
        op("make", &[], 3, &[], &[]),
        op("take", &[3], 0, &[], &[]),
        op("take2", &[3, 3], 0, &[], &[]),
        op("number", &[1], 0, &[], &[]),
        op("look", &[4], 1, &[], &[]),
        op("look2", &[4, 4], 1, &[], &[]),
        op("touch", &[5], 0, &[], &[]),
        op("touch_and_look", &[5, 4], 0, &[], &[]),
        op("lend", &[4], 4, &[to_result(0, OUTER)], &[]),
        op("lend_mut", &[5], 5, &[to_result(0, OUTER)], &[]),
        op("downgrade", &[5], 4, &[to_result(0, OUTER)], &[]),
        op("new_view", &[], 6, &[], &[]),
        op("view", &[4], 6, &[to_result(0, OUTER)], &[]),
        op("view_mut", &[5], 6, &[to_result(0, OUTER)], &[]),
        op("view_static", &[4], 6, &[], &[0]),
        op("subview", &[7], 6, &[to_result(0, INNER)], &[]),
        op("borrow_view", &[7], 7, &[to_result(0, OUTER), to_result(0, INNER)], &[]),
        op("view_as_mut", &[8], 8, &[to_result(0, OUTER), to_result(0, INNER)], &[]),
        op("add_to_view", &[8, 4], 0, &[to_arg(1, OUTER, 0)], &[]),
        op("tie_view", &[8], 0, &[to_arg(0, OUTER, 0)], &[]),
        op("leak_view", &[6], 0, &[], &[0]),
        op("use_view", &[7], 0, &[], &[]),
        op("join_views", &[8, 6], 0, &[to_arg(1, INNER, 0)], &[]),
        op("new_guard", &[], 9, &[], &[]),
        op("add_to_guard", &[10, 4], 0, &[to_arg(1, OUTER, 0)], &[]),
        op("forget_foo", &[3], 1, &[], &[0]),
        op("text", &[2], 11, &[], &[]),
    ];
    Api { types, ops, functions, ..Api::default() }
}

/// Adds a law about clones of `Foo` and what it needs, and a function that changes a `Foo`.
pub fn add_twins(api: &mut Api) {
    let snapshot = api.types.len() as u32;
    let info = TypeInfo { name: "Snapshot".into(), literal: None, abilities: DROPPING, ..api.types[3].clone() };
    api.types.push(info.clone());
    api.types.push(TypeInfo { name: "&Snapshot".into(), shape: Shape::Ref(snapshot), abilities: COPY, ..info });
    let make = api.ops[0].clone();
    let mut add = |key: &str, role, args: &[u32], result| {
        let function = (role == OpRole::Function).then_some(api.functions.len() as u32);
        api.ops.push(Op { key: key.into(), role, function, args: args.to_vec(), result, ..make.clone() });
    };
    add("clone", OpRole::Watch, &[4], 3);
    add("snapshot", OpRole::Watch, &[4], snapshot);
    add("same", OpRole::Law, &[4, snapshot + 1], 0);
    add("stir", OpRole::Function, &[5], 0);
    let stir = FunctionFacts { path: "sample::stir".into(), name: "stir".into(), ..FunctionFacts::default() };
    api.functions.push(stir);
    for op in api.ops.iter_mut().filter(|op| op.role == OpRole::Law) {
        op.law = Some(LawOf {
            oracle: &CLONE_INDEPENDENT,
            subject: "<Foo as Clone>::clone".into(),
            group: String::new(),
            is_monitored: false,
            stated_at: None,
        });
    }
}

/// Reads the notation; panics where a test is misspelt.
pub fn body(api: &Api, text: &str) -> Body {
    let mut body = Body::default();
    let mut names: Vec<(String, u32)> = Vec::new();
    for line in text.split(';').map(str::trim).filter(|l| !l.is_empty()) {
        let (name, line) = match line.split_once(" = ") {
            Some((name, line)) => (Some(name), line),
            None => (None, line),
        };
        let slot_of = |name: &str| {
            let known = names.iter().rev().find(|(known, _)| known == name);
            known.unwrap_or_else(|| panic!("no slot {name}")).1
        };
        let slot = if let Some(number) = line.strip_suffix("u8") {
            body.push_literal(&Literal::U8(number.parse().unwrap()))
        } else if let Some(text) = line.strip_prefix('"') {
            body.push_literal(&Literal::Str(text.trim_end_matches('"').into()))
        } else {
            let line = line.replace("&mut ", "&mut_").replace("&mut*", "&mut*_");
            let mut words = line.split_whitespace();
            let key = words.next().unwrap();
            let args: Vec<Arg> = words.map(|word| arg(word, slot_of)).collect();
            if key == "drop" {
                body.push_drop(args[0].slot());
                continue;
            }
            let op = api.ops.iter().position(|op| op.key == key);
            body.push_call(op.unwrap_or_else(|| panic!("no operation {key}")) as u32, &args)
        };
        if let Some(name) = name {
            names.push((name.into(), slot));
        }
    }
    body
}

fn arg(word: &str, slot_of: impl Fn(&str) -> u32) -> Arg {
    let prefixes = [
        ("&mut*_", Mode::ReborrowMut),
        ("&mut_", Mode::RefMut),
        ("&", Mode::Ref),
        ("*", Mode::Reborrow),
        ("=", Mode::Copy),
        ("", Mode::Move),
    ];
    let (prefix, mode) = prefixes.iter().find(|(p, _)| word.starts_with(p)).unwrap();
    Arg::new(slot_of(&word[prefix.len()..]), *mode)
}

/// One statement per line, slots as `s0`, `s1`….
pub fn print(api: &Api, body: &Body) -> String {
    let mut text = String::new();
    for (index, statement) in body.statements.iter().enumerate() {
        let args: String = body
            .args_of(statement)
            .iter()
            .map(|arg| {
                let prefix = match arg.mode() {
                    Mode::Move => "",
                    Mode::Copy => "=",
                    Mode::Ref => "&",
                    Mode::RefMut => "&mut ",
                    Mode::Reborrow => "*",
                    Mode::ReborrowMut => "&mut*",
                };
                format!(" {prefix}s{}", arg.slot())
            })
            .collect();
        let slot = body.slot_of(index);
        text += &match statement.kind {
            StatementKind::Call => {
                format!("s{slot} = {}{args}", api.ops[statement.op as usize].key)
            }
            StatementKind::Drop => format!("drop{args}"),
            StatementKind::Callback => format!("s{slot} = callback{args}"),
            StatementKind::Literal => {
                let kind = LiteralKind::from_code(statement.op).unwrap();
                format!("s{slot} = {:?}", Literal::from_data(kind, body.data_of(statement)).unwrap())
            }
        };
        text.push('\n');
    }
    text
}
