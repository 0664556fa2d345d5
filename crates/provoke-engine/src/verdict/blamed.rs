//! Which function stands accused of an incident.

use provoke_api::generic_name;
use provoke_wire::{Body, FaultKind, Phase, StatementKind};

use crate::api::{Api, FunctionFacts};
use crate::verdict::panic_kind::PanicKind;
use crate::verdict::tracking::culprit;
use crate::verdict::{Activity, Failure, Incident, activity_of};

pub(super) fn op_of<'a>(incident: &Incident, api: &'a Api, body: &Body) -> Option<&'a crate::api::Op> {
    let statement = body.statements.get(incident.statement as usize)?;
    if statement.kind == StatementKind::Call { api.ops.get(statement.op as usize) } else { None }
}

/// Whom a statement is about, by what was being done there.
pub(crate) fn function_at(api: &Api, body: &Body, at: u32, phase: Phase) -> String {
    let (activity, statement) = activity_of(body, at, phase);
    let event = Failure::Exit;
    function_of(
        &Incident { key: 0, event, activity, statement, at, phase, panic: None, is_after_panic: false },
        api,
        body,
    )
}

pub(super) fn function_of(incident: &Incident, api: &Api, body: &Body) -> String {
    if let Some(lender) = loose_lender(incident, api, body) {
        return lender;
    }
    let is_tracked = matches!(incident.event, Failure::Tracked(_));
    let op = if is_tracked { culprit(api, body, incident) } else { op_of(incident, api, body) };
    let Some(op) = op else {
        return String::new();
    };
    let type_name = || {
        let info = api.types.get(op.result as usize);
        info.map_or("_", |info| generic_name(&info.name))
    };
    let activity = if is_tracked { Activity::Call } else { incident.activity };
    match activity {
        Activity::Call => match op.function.and_then(|f| api.functions.get(f as usize)) {
            _ if op.law.as_ref().is_some_and(|law| law.is_monitored) => {
                let subject = || op.law.as_ref().map(|law| law.subject.clone());
                last_called(incident.statement, api, body).or_else(subject).unwrap_or_default()
            }
            _ if op.law.is_some() => {
                let subject = op.law.as_ref().map(|law| law.subject.clone()).filter(|subject| !subject.is_empty());
                subject.unwrap_or_else(|| function_behind(incident.statement, api, body))
            }
            Some(facts) => facts.path.clone(),
            None => op.accused.as_ref().unwrap_or(&op.key).clone(),
        },
        Activity::Drop => format!("<{} as Drop>::drop", type_name()),
        Activity::Observe => format!("<{} as Debug>::fmt", type_name()),
    }
}

/// Which function of the API, or which probe, was called last before a statement.
pub(super) fn last_called(statement: u32, api: &Api, body: &Body) -> Option<String> {
    let before = body.statements.iter().take(statement as usize).rev();
    let ops = before.filter(|line| line.kind == StatementKind::Call).filter_map(|line| api.ops.get(line.op as usize));
    let mut names = ops.filter_map(|op| {
        let function = op.function.and_then(|function| api.functions.get(function as usize));
        function.map(|facts| facts.path.clone()).or_else(|| op.probe().map(str::to_string))
    });
    names.next()
}

/// Who lent what is used here without saying from whom: whatever is wrong with it, no caller could know that it is not to
/// be used any more.
pub(super) fn loose_lender(incident: &Incident, api: &Api, body: &Body) -> Option<String> {
    let is_about_memory = match incident.event {
        Failure::Signal(_) | Failure::Memory(_) | Failure::Tracked(FaultKind::UseAfterDrop | FaultKind::DoubleDrop) => {
            true
        }
        Failure::Panic(PanicKind::LawBroken) => {
            let law = op_of(incident, api, body).and_then(|op| op.law.as_ref());
            law.is_some_and(|law| law.subject.is_empty())
        }
        _ => false,
    };
    if !is_about_memory {
        return None;
    }
    last_function_behind(incident.at, api, body, |facts| facts.lends_loosely)
}

/// The function of the API that the arguments of a statement came from last: what a law without a subject is about.
pub(super) fn function_behind(statement: u32, api: &Api, body: &Body) -> String {
    last_function_behind(statement, api, body, |_| true).unwrap_or_default()
}

/// The last such function that a statement or the values it uses came through.
pub(super) fn last_function_behind(
    statement: u32,
    api: &Api,
    body: &Body,
    is_it: impl Fn(&FunctionFacts) -> bool,
) -> Option<String> {
    let mut is_needed = vec![false; statement as usize + 1];
    is_needed[statement as usize] = true;
    for at in (0..=statement as usize).rev().filter(|at| *at < body.statements.len()) {
        let line = &body.statements[at];
        if !is_needed[at] {
            continue;
        }
        if line.kind == StatementKind::Call
            && let Some(facts) = api.ops.get(line.op as usize).and_then(|op| api.functions.get(op.function? as usize))
            && is_it(facts)
        {
            return Some(facts.path.clone());
        }
        for arg in body.args_of(line) {
            let maker = arg.slot().checked_sub(body.n_inputs());
            if let Some(place) = maker.and_then(|maker| is_needed.get_mut(maker as usize)) {
                *place = true;
            }
        }
    }
    None
}
