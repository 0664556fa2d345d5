//! Faults of tracked elements: which call is to blame, and which leaks are meant.
//!
//! Decision: `docs/decisions/059-tracked-faults-blame-the-last-call.md`

use std::collections::BTreeSet;

use provoke_wire::{Body, FaultKind, Phase, Statement, StatementKind};

use crate::api::{Api, Op};
use crate::verdict::{Failure, Incident};

/// The last call of one of the crate's functions before the fault shows. In a minimal program that is the one that treats its
/// elements badly: nothing can be left out between it and the fault.
pub fn culprit<'a>(api: &'a Api, body: &Body, incident: &Incident) -> Option<&'a Op> {
    let shows_later = incident.phase == Phase::Cleanup || incident.event == Failure::Tracked(FaultKind::Leak);
    let end = if shows_later { body.statements.len() } else { incident.at as usize + 1 };
    let calls = body.statements.iter().take(end).rev().filter(|statement| statement.kind == StatementKind::Call);
    calls.filter_map(|statement| api.ops.get(statement.op as usize)).find(|op| op.function.is_some())
}

/// The last function of the crate that a program calls.
pub fn last_function<'a>(api: &'a Api, body: &Body) -> Option<&'a str> {
    let calls = body.statements.iter().rev().filter(|statement| statement.kind == StatementKind::Call);
    let function = calls.filter_map(|statement| api.ops.get(statement.op as usize)?.function).next()?;
    Some(&api.functions.get(function as usize)?.path)
}

/// Whether a call has the function in it, nested bodies included.
pub fn calls_function(api: &Api, body: &Body, path: &str) -> bool {
    any_call(api, body, &|op| op.function.is_some_and(|f| api.functions[f as usize].path == path))
}

/// Whether the program calls one of the operations.
pub fn calls_any(body: &Body, ops: &BTreeSet<u32>) -> bool {
    let is_one = |line: &Statement| line.kind == StatementKind::Call && ops.contains(&line.op);
    body.statements.iter().any(is_one) || body.bodies.iter().any(|nested| calls_any(nested, ops))
}

/// Some call gives an element away for good, or says that it may.
pub fn leaks_by_design(api: &Api, body: &Body) -> bool {
    any_call(api, body, &|op| {
        let facts = op.function.and_then(|f| api.functions.get(f as usize));
        let name = facts.map_or(op.key.as_str(), |facts| facts.name.as_str());
        let has_name = ["leak", "forget", "into_raw"].iter().any(|word| name.contains(word));
        let result = api.types.get(op.result as usize).map_or("", |ty| ty.name.as_str());
        let has_type = ["ManuallyDrop<", "MaybeUninit<", "NonNull<", "*mut ", "*const "];
        has_name || facts.is_some_and(|facts| facts.documents_leaks) || has_type.iter().any(|ty| result.contains(ty))
    })
}

fn any_call(api: &Api, body: &Body, is_it: &dyn Fn(&Op) -> bool) -> bool {
    let calls = body.statements.iter().filter(|statement| statement.kind == StatementKind::Call);
    calls.filter_map(|statement| api.ops.get(statement.op as usize)).any(is_it)
        || body.bodies.iter().any(|nested| any_call(api, nested, is_it))
}
