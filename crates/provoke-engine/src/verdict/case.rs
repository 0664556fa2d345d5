//! All that the rules may look at when they judge an incident, read off the program, the API and the confirming run.

use provoke_api::OpRole;
use provoke_oracles::CLONE_INDEPENDENT;
use provoke_wire::{Body, FaultKind, Literal, LiteralKind, Outcome, Shape, StatementKind};

use super::blamed::op_of;
use super::{Activity, Failure, Incident, Scene, panic_of};
use crate::api::{Api, FunctionFacts, LawOf, Op};
use crate::program::order::magnitude;
use crate::program::twins::shows_dependence;
use crate::verdict::tracking::{culprit, leaks_by_design};

/// All that a rule may look at.
pub struct Case<'a> {
    pub event: Failure,
    pub activity: Activity,
    pub facts: &'a FunctionFacts,
    pub is_builtin: bool,
    /// A function of a dependency.
    pub is_foreign: bool,
    /// What the call asks, if it only asks whether a law holds.
    pub law: Option<&'a LawOf>,
    /// What stands accused if the call is one of a probe.
    pub probe: Option<&'a str>,
    /// What the law says is no consequence of something else that the program does.
    pub is_law_fair: bool,
    /// No number beyond ±1000, no text longer than 1000, no more than 1000 statements.
    pub is_modest: bool,
    /// Numbers in, and nothing else: overflow there is the caller's arithmetic.
    pub is_plain_arithmetic: bool,
    /// The docs of some function that is called up to here oblige callers to something.
    pub has_preconditions: bool,
    /// One of the arguments is `..`.
    pub takes_everything: bool,
    /// One of the numbers among the arguments is zero, or nobody knows.
    pub may_take_zero: bool,
    /// For drops: the function that made the value announces panics.
    pub maker_documents_panics: bool,
    /// Some call gives elements away for good.
    pub leaks_by_design: bool,
    /// A function of the crate was called before a tracked element noticed something.
    pub has_culprit: bool,
    /// A struct literal, a variant or a field is written somewhere up to here.
    pub builds_by_hand: bool,
    /// The fields of a struct are, or a probe is called.
    pub sets_fields: bool,
    /// What panicked is a precondition that was asked before the call, and held.
    pub is_precondition_kept: bool,
    /// What the worker wrote last, if it died.
    pub last_output: &'a str,
    /// `None` on the first look.
    pub scene: Option<&'a Scene>,
}

pub(super) fn case_of<'a>(
    incident: &Incident,
    outcome: &'a Outcome,
    api: &'a Api,
    body: &Body,
    scene: Option<&'a Scene>,
) -> Case<'a> {
    const UNKNOWN: &FunctionFacts = &FunctionFacts {
        path: String::new(),
        name: String::new(),
        of_trait: None,
        documents_panics: false,
        documents_range_panics: false,
        documents_zero_panics: false,
        promises_error: false,
        is_deprecated: false,
        states_preconditions: false,
        documents_overflow: false,
        lends_loosely: false,
        documents_leaks: false,
    };
    let op = op_of(incident, api, body);
    // The facts of a function are about calling it, not about dropping what it returned.
    let facts =
        op.filter(|_| incident.activity == Activity::Call).and_then(|op| api.functions.get(op.function? as usize));
    Case {
        event: incident.event,
        activity: incident.activity,
        facts: facts.unwrap_or(UNKNOWN),
        is_builtin: op.is_none_or(|op| matches!(op.role, OpRole::Builtin | OpRole::Coercion)),
        is_foreign: op.is_some_and(|op| op.role == OpRole::Builtin && !op.kind.is_of_std()),
        law: op.and_then(|op| op.law.as_ref()),
        probe: op.and_then(Op::probe),
        is_law_fair: op.and_then(|op| op.law.as_ref()).is_none_or(|law| {
            law.oracle.id != CLONE_INDEPENDENT.id || shows_dependence(api, body, incident.statement as usize)
        }),
        is_modest: is_modest(body) && !scene.is_some_and(|scene| scene.uses_large_values),
        is_plain_arithmetic: op.is_some_and(|op| is_plain_arithmetic(api, op)),
        has_preconditions: calls_up_to(incident.at, api, body).any(|facts| facts.states_preconditions),
        takes_everything: op.is_some_and(|op| op.args.iter().any(|&ty| is_full_range(api, ty))),
        may_take_zero: may_take_zero(api, body, incident.statement as usize),
        maker_documents_panics: incident.activity == Activity::Drop
            && op.and_then(|op| api.functions.get(op.function? as usize)).is_some_and(|facts| facts.documents_panics),
        leaks_by_design: incident.event == Failure::Tracked(FaultKind::Leak) && leaks_by_design(api, body),
        has_culprit: matches!(incident.event, Failure::Tracked(_)) && culprit(api, body, incident).is_some(),
        builds_by_hand: builds_by_hand(incident.at, api, body),
        sets_fields: calls_before(incident.at, api, body).any(|op| op.role == OpRole::Probe || op.kind.sets_fields()),
        is_precondition_kept: op.zip(panic_of(incident, outcome)).is_some_and(|(op, panic)| {
            let mut there =
                api.preconditions_of(op).filter(|(_, precondition)| precondition.place.is_of(panic)).peekable();
            let is_one_there = there.peek().is_some();
            incident.activity == Activity::Call && is_one_there && there.all(|(place, _)| op.guards.contains(&place))
        }),
        last_output: &outcome.last_output,
        scene,
    }
}

fn builds_by_hand(at: u32, api: &Api, body: &Body) -> bool {
    calls_before(at, api, body)
        .any(|op| op.role == OpRole::Probe || op.role == OpRole::Constructor && !op.args.is_empty())
}

/// What is called up to there.
fn calls_before<'a>(at: u32, api: &'a Api, body: &Body) -> impl Iterator<Item = &'a Op> {
    let calls = body.statements.iter().take(at as usize + 1).filter(|line| line.kind == StatementKind::Call);
    calls.filter_map(|line| api.ops.get(line.op as usize))
}

/// Whether a number that the call gets is zero or was worked out elsewhere.
pub(super) fn may_take_zero(api: &Api, body: &Body, call: usize) -> bool {
    let Some(call) = body.statements.get(call).filter(|statement| statement.kind == StatementKind::Call) else {
        return true;
    };
    let Some(op) = api.ops.get(call.op as usize) else { return true };
    op.args.iter().zip(body.args_of(call)).any(|(&ty, arg)| {
        let kind = api.types[ty as usize].literal.and_then(LiteralKind::from_code);
        let is_number = kind.is_some_and(|kind| (LiteralKind::U8..=LiteralKind::Isize).contains(&kind));
        let maker = body.statements.get(arg.slot() as usize);
        let is_other = maker.is_some_and(|maker| {
            maker.kind == StatementKind::Literal && body.data_of(maker).iter().any(|byte| *byte != 0)
        });
        is_number && !is_other
    })
}

/// The functions that are called up to a statement, and by it.
fn calls_up_to<'a>(statement: u32, api: &'a Api, body: &Body) -> impl Iterator<Item = &'a FunctionFacts> {
    let calls = body.statements.iter().take(statement as usize + 1).filter(|line| line.kind == StatementKind::Call);
    calls.filter_map(|line| api.functions.get(api.ops.get(line.op as usize)?.function? as usize))
}

fn is_full_range(api: &Api, ty: u32) -> bool {
    api.types.get(ty as usize).is_some_and(|info| info.name == "core::ops::range::RangeFull")
}

/// All arguments are numbers, or references to some.
fn is_plain_arithmetic(api: &Api, op: &Op) -> bool {
    let is_number = |ty: u32| {
        let info = api.types.get(ty as usize)?;
        let code = match info.shape {
            Shape::Ref(target) | Shape::RefMut(target) => api.types.get(target as usize)?.literal?,
            _ => info.literal?,
        };
        let kind = LiteralKind::from_code(code)?;
        Some(kind >= LiteralKind::U8 && kind <= LiteralKind::F64)
    };
    !op.args.is_empty() && op.args.iter().all(|&ty| is_number(ty) == Some(true))
}

/// The limits within which a caller is surely reasonable.
const MODEST: u128 = 1000;

/// The modest arguments rule: no number beyond ±1000, no text longer than 1000, no run of more than 1000 statements.
pub fn is_modest(body: &Body) -> bool {
    body.statements.len() as u128 <= MODEST
        && body
            .statements
            .iter()
            .filter(|statement| statement.kind == StatementKind::Literal)
            .all(|statement| is_modest_literal(statement.op, body.data_of(statement)))
        && body.bodies.iter().all(is_modest)
}

/// Numbers by their magnitude, text by its length.
fn is_modest_literal(kind: u32, data: &[u8]) -> bool {
    let Some(kind) = LiteralKind::from_code(kind) else {
        return false;
    };
    // Text is measured without decoding it.
    if matches!(kind, LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes) {
        return data.len() as u128 <= MODEST;
    }
    match Literal::from_data(kind, data) {
        Some(Literal::F32(bits)) => f64::from(f32::from_bits(bits)).abs() <= MODEST as f64,
        Some(Literal::F64(bits)) => f64::from_bits(bits).abs() <= MODEST as f64,
        Some(literal) => magnitude(&literal).is_none_or(|n| n <= MODEST),
        None => false,
    }
}
