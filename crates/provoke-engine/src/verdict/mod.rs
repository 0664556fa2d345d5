//! What the engine makes of an outcome: nothing, a refused call, or a finding of a tier.
//!
//! Two stages. [`triage`] runs on every outcome of the search; it has no backtrace and no sources, and only sorts out
//! what can never be a finding. [`judge`] is for the confirming run, with the place and what the sources say about it.
//! Both go through the same rows of [`rules`], in order; the first that applies decides.

pub mod backtrace;
pub mod blamed;
pub mod bucket;
pub mod case;
pub mod explain;
pub mod faulty_clause;
pub mod final_panic;
pub mod finding;
pub mod law_words;
pub mod memory_error;
pub mod panic_kind;
pub mod place;
pub mod rules;
pub mod tracking;
pub mod user_ratings;

use provoke_oracles::{Tier, is_contract};
use provoke_wire::{Blocked, Body, CheckAnswer, Ending, FaultKind, Mode, Outcome, Panic, Phase, StatementKind};

use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::hash::stable::StableHash;
use crate::saved_forms::{self, OracleId};
use crate::verdict::blamed::{function_of, op_of};
use crate::verdict::faulty_clause::FaultyClause;
use crate::verdict::law_words::{law_message, place_in, violation_in};
use crate::verdict::memory_error::{MemoryError, MemoryReport};
use crate::verdict::panic_kind::{PanicEvidence, PanicKind, SiteFacts};
use crate::verdict::place::{Place, Whereabouts};
use crate::verdict::rules::Decision;

use case::case_of;
pub use case::{Case, is_modest};

/// What was being done when it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Activity {
    Call,
    /// An explicit drop, or the clean-up at the end.
    Drop,
    /// Formatting or hashing a value.
    Observe,
}

/// What happened, as far as the worker can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Failure {
    Panic(PanicKind),
    Signal(i32),
    Exit,
    StackOverflow,
    TimedOut,
    MemoryExhausted,
    /// What the sanitizer saw.
    Memory(MemoryError),
    /// What a tracked element noticed.
    Tracked(#[serde(with = "saved_forms::number")] FaultKind),
}

/// Something in an outcome that may turn out to be a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incident {
    /// The same for the same event at the same place in the same function.
    pub key: u64,
    pub event: Failure,
    pub activity: Activity,
    /// Index into the main body: the call, or the statement that made the value that was dropped or observed.
    pub statement: u32,
    /// The statement that the worker reported: like `statement`, but for an explicit drop the drop itself.
    pub at: u32,
    /// Where the worker was when it happened; differs from `activity` for explicit drops.
    #[serde(with = "saved_forms::number")]
    pub phase: Phase,
    /// Place in `Outcome::panics`, for a panic.
    pub panic: Option<usize>,
    /// For what a tracked element noticed: the program ended by a panic.
    pub is_after_panic: bool,
}

/// The first look at an outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Triage {
    /// The program ran to its end without a panic, and dropped nothing twice: it may be kept for reuse.
    pub is_legal: bool,
    /// More than one where cleaning up after a panic went wrong too.
    pub incidents: Vec<Incident>,
}

/// A verdict worth a person's time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub tier: Tier,
    /// The id of a row of [`provoke_oracles::ORACLES`].
    #[serde(with = "saved_forms::oracle")]
    pub oracle: OracleId,
    /// The function of the API that was called; for drops and observations the trait method of the value's type.
    pub function: String,
    pub place: Option<Place>,
    /// Of a broken law: what stands for all functions that the same code breaks it for.
    pub group: Option<String>,
    /// What happened, for people; of a panic, its message.
    pub message: String,
    /// The clause of a contract that was broken, where the message does not say it.
    pub clause: Option<String>,
    /// It was seen in a check that most builds of the target do without.
    pub is_optional: bool,
    /// Of a memory error: who touched, freed and allocated the memory, a line each.
    pub trail: Vec<String>,
}

impl Judgement {
    /// The message, with the clause that it is about.
    pub fn words(&self) -> String {
        match &self.clause {
            Some(clause) => format!("{}: {clause}", self.message),
            None => self.message.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Legal,
    /// The program misuses the crate, or says nothing about it; why, for the log.
    Illegal(&'static str),
    Finding(Judgement),
}

/// What the confirming run adds: where it was, and what the sources say about that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    pub whereabouts: Whereabouts,
    pub site: Option<SiteFacts>,
    /// Some number that the program made, though it spells none out, is beyond what is modest.
    pub uses_large_values: bool,
    /// See [`Judgement::trail`].
    pub trail: Vec<String>,
    /// Of a broken law that the target states: where.
    pub stated_at: Option<Place>,
    /// The clause of a contract that was being asked and came to no answer, or to one that it made itself.
    pub spoilt_clause: Option<FaultyClause>,
}

/// Sorts out what can never be a finding. Cheap: nothing is allocated for an outcome without trouble.
pub fn triage(outcome: &Outcome, api: &Api, body: &Body) -> Triage {
    let mut triage = Triage { is_legal: is_legal(outcome), incidents: Vec::new() };
    if triage.is_legal && outcome.fault.is_none() {
        return triage;
    }
    for incident in incidents_of(outcome, api, body) {
        let case = case_of(&incident, outcome, api, body, None);
        let decision = api.policy.on_first_look(rules::decide(&case), &case, || function_of(&incident, api, body));
        if matches!(decision, Decision::Finding { .. }) {
            triage.incidents.push(incident);
        }
    }
    triage
}

/// What leaks does no harm to others. What was blocked does something else outside of the sandbox, where a test would run it.
pub fn is_legal(outcome: &Outcome) -> bool {
    let is_harmless = outcome.fault.is_none_or(|fault| fault.kind == FaultKind::Leak);
    matches!(outcome.ending, Ending::Finished) && outcome.panics.is_empty() && is_harmless && outcome.blocked.is_none()
}

/// Whether the sandbox may have caused what happened: it refused something before, or in the same statement.
fn is_after(blocked: Blocked, at: u32, phase: Phase) -> bool {
    // What is asked before a call comes with it.
    let with_call = |phase: Phase| if phase == Phase::Check { Phase::Call } else { phase };
    match (with_call(phase), with_call(blocked.phase)) {
        (Phase::Call, Phase::Call) => at >= blocked.statement,
        (phase, blocked) => phase >= blocked,
    }
}

/// The verdict on one incident of a confirming run. `scene` is needed for panics; other events have no place.
pub fn judge(incident: &Incident, outcome: &Outcome, api: &Api, body: &Body, scene: Option<&Scene>) -> Verdict {
    let mut incident = incident.clone();
    if let (Some(panic), Some(scene)) = (panic_of(&incident, outcome), scene) {
        incident.event = Failure::Panic(PanicKind::of(PanicEvidence {
            message: &panic.message,
            hook_file: &panic.file,
            via: scene.whereabouts.via.as_deref(),
            site: scene.site.as_ref(),
        }));
    }
    let case = case_of(&incident, outcome, api, body, scene);
    let function = function_of(&incident, api, body);
    match api.policy.revise(rules::decide(&case), &case, &function) {
        Decision::Illegal(reason) => Verdict::Illegal(reason),
        Decision::Finding { tier, oracle } => Verdict::Finding(Judgement {
            tier,
            oracle: oracle.id,
            function,
            place: scene.and_then(|scene| place_of(scene).or_else(|| scene.stated_at.clone())),
            group: group_of(&case),
            message: message_of(&incident, outcome, api, body),
            clause: scene.and_then(|scene| scene.site.as_ref()?.clause_text.clone()).filter(|_| is_contract(oracle.id)),
            is_optional: scene.is_some_and(|scene| scene.site.as_ref().is_some_and(|site| site.is_optional)),
            trail: scene.map_or_else(Vec::new, |scene| scene.trail.clone()),
        }),
    }
}

fn group_of(case: &Case<'_>) -> Option<String> {
    let is_broken = case.event == Failure::Panic(PanicKind::LawBroken);
    case.law.filter(|law| is_broken && !law.group.is_empty()).map(|law| law.group.clone())
}

/// The place, with the function's name from the source where it is known: symbols change with inlining.
fn place_of(scene: &Scene) -> Option<Place> {
    let mut place = scene.whereabouts.place.clone()?;
    if let Some(function) = scene.site.as_ref().and_then(|site| site.function.clone()) {
        place.function = function;
    }
    Some(place)
}

fn panic_of<'a>(incident: &Incident, outcome: &'a Outcome) -> Option<&'a Panic> {
    outcome.panics.get(incident.panic?)
}

fn incidents_of(outcome: &Outcome, api: &Api, body: &Body) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (index, panic) in outcome.panics.iter().enumerate() {
        let kind = PanicKind::of(PanicEvidence {
            message: &panic.message,
            hook_file: &panic.file,
            ..PanicEvidence::default()
        });
        incidents.push((Failure::Panic(kind), panic.statement, panic.phase, Some(index)));
    }
    // The worker asked by itself what the last statement asks.
    incidents.extend(
        broken_before_end(outcome, body).map(|last| (Failure::Panic(PanicKind::LawBroken), last, Phase::Call, Some(0))),
    );
    // The sanitizer ends the process when it has spoken.
    let said = || MemoryError::in_output(&outcome.last_output).map(Failure::Memory);
    let death = match outcome.ending {
        Ending::Finished | Ending::Panicked => None,
        Ending::Signal { statement, phase, signal } => {
            Some((said().unwrap_or(Failure::Signal(signal)), statement, phase))
        }
        Ending::Exit { statement, phase, .. } => Some((Failure::Exit, statement, phase)),
        Ending::StackOverflow { statement, phase } => Some((Failure::StackOverflow, statement, phase)),
        Ending::TimedOut { statement, phase } => Some((Failure::TimedOut, statement, phase)),
        Ending::MemoryExhausted { statement, phase } => Some((Failure::MemoryExhausted, statement, phase)),
    };
    incidents.extend(death.map(|(event, statement, phase)| (event, statement, phase, None)));
    incidents.extend(outcome.fault.map(|fault| {
        let (statement, phase) = match (outcome.ending, outcome.panics.first()) {
            // What the panic left behind is what went wrong.
            (Ending::Panicked, Some(panic)) => (panic.statement, Phase::Call),
            _ => (fault.statement, fault.phase),
        };
        (Failure::Tracked(fault.kind), statement, phase, None)
    }));
    // What goes wrong while a precondition is asked says something about the clause, and nothing about the function.
    let is_own_doing = |at: u32, phase: Phase| {
        phase != Phase::Check && !outcome.blocked.is_some_and(|blocked| is_after(blocked, at, phase))
    };
    incidents
        .into_iter()
        .filter(|(_, statement, phase, _)| is_own_doing(*statement, *phase))
        .map(|(event, statement, phase, panic)| {
            let at = statement;
            let (mut activity, mut statement) = activity_of(body, at, phase);
            // What goes wrong while the values are dropped after a panic is the doing of the call that panicked.
            if let (Phase::Cleanup, Some(first), true) = (phase, outcome.panics.first(), panic.is_none())
                && first.phase == Phase::Call
            {
                (activity, statement) = activity_of(body, first.statement, Phase::Call);
            }
            let is_after_panic = matches!(event, Failure::Tracked(_)) && outcome.ending == Ending::Panicked;
            let mut incident = Incident { key: 0, event, activity, statement, at, phase, panic, is_after_panic };
            incident.key = key_of(&incident, outcome, api, body);
            incident
        })
        .collect()
}

/// The last statement, if a worker ended the program right before it with the answer that it would give.
fn broken_before_end(outcome: &Outcome, body: &Body) -> Option<u32> {
    let checked = outcome.checked.filter(|checked| checked.answer == CheckAnswer::Broken)?;
    let last = body.statements.last().filter(|last| last.kind == StatementKind::Call && last.op == checked.op)?;
    let is_same = body.args_of(last).first().is_some_and(|arg| arg.slot() == checked.slot);
    (is_same && checked.n_statements as usize + 1 == body.statements.len()).then_some(checked.n_statements)
}

/// An explicit drop counts for the statement that made the value, as the clean-up at the end does.
fn activity_of(body: &Body, statement: u32, phase: Phase) -> (Activity, u32) {
    match phase {
        Phase::Observe => (Activity::Observe, statement),
        Phase::Cleanup => (Activity::Drop, statement),
        Phase::Call | Phase::Check => match body.statements.get(statement as usize) {
            Some(line) if line.kind == StatementKind::Drop => {
                let made_by = body.args_of(line).first().map_or(statement, |arg| {
                    debug_assert_eq!(arg.mode(), Mode::Move);
                    arg.slot().saturating_sub(body.n_inputs())
                });
                (Activity::Drop, made_by)
            }
            _ => (Activity::Call, statement),
        },
    }
}

/// Deeper in the stack, ways to a clause are not told apart any more: each one costs a look.
const MAX_DEPTH: u32 = 16 << 10;

fn key_of(incident: &Incident, outcome: &Outcome, api: &Api, body: &Body) -> u64 {
    let mut hash = StableHash::new();
    match incident.event {
        // The kind may be sorted more finely later, so the place decides here.
        Failure::Panic(kind) => hash.number(100 + kind as u64),
        Failure::Signal(signal) => hash.number(1000 + signal.unsigned_abs() as u64),
        Failure::Exit => hash.number(1),
        Failure::StackOverflow => hash.number(2),
        Failure::TimedOut => hash.number(3),
        Failure::MemoryExhausted => hash.number(4),
        Failure::Memory(error) => hash.number(500 + error as u64),
        Failure::Tracked(kind) => hash.number(10 + kind as u64),
    }
    // Where a fault shows says little: the call that is to blame came before.
    if !matches!(incident.event, Failure::Tracked(_)) {
        hash.number(incident.activity as u64);
    }
    hash.text(&function_of(incident, api, body));
    if let Some(law) = op_of(incident, api, body).and_then(|op| op.law.as_ref()).filter(|law| law.is_monitored) {
        hash.text(&law.subject);
        // A worker that asks by itself panics nowhere.
        return hash.finish();
    }
    if let Some(panic) = panic_of(incident, outcome) {
        hash.text(&panic.file);
        hash.number(u64::from(panic.line));
        hash.number(u64::from(panic.column));
        // Whose fault it is depends on the way that led there, and on which of several clauses it was.
        if api.is_about_clause(panic) {
            hash.text(&panic.message);
            hash.number(u64::from(panic.depth.min(MAX_DEPTH)));
        }
    }
    hash.finish()
}

/// Where something happened, through whatever function: the line that panicked. What has no line is known by its key.
pub fn spot_of(incident: &Incident, outcome: &Outcome) -> u64 {
    match panic_of(incident, outcome) {
        Some(panic) if incident.event != Failure::Panic(PanicKind::LawBroken) => {
            let mut hash = StableHash::new();
            hash.text(&panic.file);
            hash.number(u64::from(panic.line));
            hash.number(u64::from(panic.column));
            hash.finish()
        }
        _ => incident.key,
    }
}

fn message_of(incident: &Incident, outcome: &Outcome, api: &Api, body: &Body) -> String {
    match incident.event {
        Failure::Panic(PanicKind::LawBroken) => {
            let law = op_of(incident, api, body).and_then(|op| op.law.as_ref());
            let said = panic_of(incident, outcome).and_then(|panic| violation_in(&panic.message));
            law.map_or_else(String::new, |law| law_message(law, said.map(|(property, _)| property)))
        }
        Failure::Panic(_) => panic_of(incident, outcome).map_or_else(String::new, |p| p.message.clone()),
        Failure::Signal(signal) => {
            let mut text = format!("ended by signal {signal}");
            if let Some(name) = signal_name(signal) {
                text.push_str(&format!(" ({name})"));
            }
            if let Some(words) = last_words(&outcome.last_output) {
                text.push_str(&format!(": {words}"));
            }
            text
        }
        Failure::Exit => "ended the process".into(),
        Failure::StackOverflow => "overflowed its stack".into(),
        Failure::TimedOut => "did not return in time".into(),
        Failure::MemoryExhausted => "exhausted the memory".into(),
        Failure::Memory(error) => {
            let report = MemoryReport::in_output(&outcome.last_output);
            report.map_or_else(|| error.name().into(), |report| report.message())
        }
        Failure::Tracked(kind) => rules::tracked_oracle(kind).message.unwrap_or_default().to_string(),
    }
}

/// Where a law is stated that an incident breaks, as the compiler knows the place.
pub fn stated_at(incident: &Incident, outcome: &Outcome, api: &Api, body: &Body) -> Option<(String, u32, u32)> {
    let is_broken = incident.event == Failure::Panic(PanicKind::LawBroken);
    let law = op_of(incident, api, body).and_then(|op| op.law.as_ref()).filter(|_| is_broken)?;
    let said = panic_of(incident, outcome).and_then(|panic| violation_in(&panic.message));
    said.and_then(|(_, place)| place_in(place)).or_else(|| law.stated_at.clone())
}

/// What a process that aborts says of the reason: the line after the place of a panic that must not unwind, or the
/// allocator's complaint.
fn last_words(output: &str) -> Option<&str> {
    let mut lines = output.lines().map(str::trim);
    let is_place = |line: &str| line.starts_with("thread ") && line.contains("panicked at ");
    let mut found = None;
    while let Some(line) = lines.next() {
        if is_place(line) {
            found = lines.next();
        } else if found.is_none()
            && ["free(): ", "malloc", "double free", "corrupted "].iter().any(|s| line.starts_with(s))
        {
            found = Some(line);
        }
    }
    found.filter(|line| !line.is_empty())
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        31 => "SIGSYS",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
