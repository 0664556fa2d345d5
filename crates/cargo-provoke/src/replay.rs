//! `cargo provoke replay ID`: runs one finding again and shows every step and the state after it.

use std::collections::BTreeMap;

use provoke_cargo::Pool;
use provoke_codegen::{Style, TestEnding, TestInput, emit_statements};
use provoke_engine::{Executor, FindingId};
use provoke_report::{ReplayEnd, ReplayStep, UserError, render_replay};
use provoke_wire::{Ending, Fault, FaultKind, Notion, Outcome, Phase, RunOptions};

use crate::assemble::Assembled;
use crate::failure::from_executor;
use crate::pipeline::Session;
use crate::results::SavedProgram;

pub fn replay(session: &Session<'_>, pool: &mut Pool, assembled: &Assembled, id: &str) -> Result<String, UserError> {
    let ids = session.results.finding_ids();
    let matching: Vec<&String> = ids.iter().filter(|known| known.starts_with(id)).collect();
    let id = match matching.as_slice() {
        [single] => single.as_str(),
        [] => {
            let known = if ids.is_empty() {
                "the last run found nothing".to_string()
            } else {
                format!("known: {}", ids.join(", "))
            };
            return Err(UserError::usage(format!("there is no finding `{id}`"), known));
        }
        _ => {
            return Err(UserError::usage(format!("`{id}` may be several findings"), "give more letters of the id"));
        }
    };
    let damaged = |why: String| {
        UserError::usage(
            format!("the finding {id} cannot be replayed: {why}"),
            "run `cargo provoke` again to find it anew",
        )
    };
    let text = std::fs::read_to_string(session.results.program_file(id)).map_err(|e| damaged(e.to_string()))?;
    let saved: SavedProgram = serde_json::from_str(&text).map_err(|e| damaged(e.to_string()))?;
    let program = saved.load(&assembled.api).map_err(damaged)?;
    let options = RunOptions { notion: Notion::None, trace: true, backtrace: true, entropy: 0xc0ff_ee00, patience: 1 };
    let outcome = pool
        .run_fresh(std::slice::from_ref(&program), options)
        .map_err(|error| from_executor(&error, session.interrupt))?
        .pop()
        .unwrap_or_default();
    let input = TestInput {
        test_name: "replay",
        body: &program.main,
        ops: &assembled.texts,
        header: &[],
        ending: TestEnding::Panics,
        crate_name: &session.target.crate_name,
        preamble: &[],
    };
    let lines = emit_statements(&input, Style::Pretty);
    let is_found = session.assessor(&assembled.api).find(&FindingId(id.to_string()), &program, &outcome).is_some();
    let end = end_of(&saved, &outcome, is_found);
    Ok(render_replay(&steps(&lines, &outcome), &end, session.console.theme()))
}

/// What the replay says about the finding. `is_found`: the same function breaks at the same place.
fn end_of(saved: &SavedProgram, outcome: &Outcome, is_found: bool) -> ReplayEnd {
    let fixed = |happened| ReplayEnd::Fixed { id: saved.id.clone(), before: saved.message.clone(), happened };
    match happened(outcome) {
        None => fixed(None),
        // A place that was renamed or moved to another file makes another finding, but no other failure.
        Some((_, what)) if !is_found && !outcome.panics.iter().any(|panic| panic.message == saved.message) => {
            fixed(Some(what))
        }
        Some(_) => ReplayEnd::Fails,
    }
}

/// What went wrong, and in which statement.
fn happened(outcome: &Outcome) -> Option<(u32, String)> {
    match outcome.ending {
        Ending::Finished => outcome.fault.map(|fault| (fault.statement, what_elements_noticed(fault).to_string())),
        Ending::Panicked => outcome.panics.first().map(|p| (p.statement, format!("panicked: {}", p.message))),
        Ending::Signal { statement, signal, .. } => Some((statement, format!("ended the process by signal {signal}"))),
        Ending::Exit { statement, code, .. } => Some((statement, format!("ended the process with exit code {code}"))),
        Ending::StackOverflow { statement, .. } => Some((statement, "overflowed its stack".to_string())),
        Ending::TimedOut { statement, .. } => Some((statement, "did not return".to_string())),
        Ending::MemoryExhausted { statement, .. } => Some((statement, "asked for too much memory".to_string())),
    }
}

fn what_elements_noticed(fault: Fault) -> &'static str {
    match (fault.kind, fault.phase) {
        (FaultKind::DoubleDrop, Phase::Cleanup) => "dropped an element twice when this was dropped in the end",
        (FaultKind::DoubleDrop, _) => "dropped an element that was not alive",
        (FaultKind::UseAfterDrop, _) => "used an element that was not alive",
        (FaultKind::Leak, _) => "made an element that was never dropped",
    }
}

/// Groups the lines of code by statement and adds what was seen after each.
fn steps(lines: &[(usize, String)], outcome: &Outcome) -> Vec<ReplayStep> {
    let ended_at = happened(outcome);
    let mut steps: Vec<(usize, ReplayStep)> = Vec::new();
    for (statement, line) in lines {
        match steps.last_mut() {
            Some((last, step)) if last == statement => {
                step.code.push('\n');
                step.code.push_str(line);
            }
            _ => steps.push((*statement, ReplayStep { code: line.clone(), ..ReplayStep::default() })),
        }
    }
    let names: BTreeMap<usize, String> =
        lines.iter().filter_map(|(statement, line)| Some((*statement, declared_name(line)?))).collect();
    for (statement, step) in &mut steps {
        let seen = outcome.steps.iter().filter(|seen| seen.statement as usize == *statement && seen.text != "()");
        let name_of = |slot: u32| names.get(&(slot as usize)).cloned().unwrap_or_else(|| "result".to_string());
        step.states = seen.map(|seen| (name_of(seen.slot), seen.text.clone())).collect();
        if let Some((at, what)) = &ended_at
            && *at as usize == *statement
        {
            step.outcome = Some(what.clone());
        }
    }
    steps.into_iter().map(|(_, step)| step).collect()
}

/// The variable that a line declares, if any. Statements of the main body and slots have the same numbers.
fn declared_name(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("let ")?;
    let rest = rest.strip_prefix("mut ").unwrap_or(rest);
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (name != "_" && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::Panic;

    fn saved(message: &str) -> SavedProgram {
        SavedProgram { id: "3f2a".into(), message: message.into(), ops: Vec::new(), program: String::new() }
    }

    fn panicked(message: &str) -> Outcome {
        let panic = Panic {
            statement: 2,
            phase: Phase::Call,
            message: message.into(),
            file: "src/lib.rs".into(),
            line: 1,
            column: 1,
            backtrace: String::new(),
        };
        Outcome { ending: Ending::Panicked, panics: vec![panic], ..Outcome::default() }
    }

    fn fixed(happened: Option<&str>) -> ReplayEnd {
        ReplayEnd::Fixed { id: "3f2a".into(), before: "left: 3".into(), happened: happened.map(str::to_owned) }
    }

    #[test]
    fn a_finding_that_runs_to_its_end_or_ends_otherwise_is_fixed() {
        let saved = saved("left: 3");
        assert_eq!(end_of(&saved, &Outcome::default(), false), fixed(None));
        let refused = panicked("the key must be below 3");
        assert_eq!(end_of(&saved, &refused, false), fixed(Some("panicked: the key must be below 3")));
        let aborted = Ending::Signal { statement: 1, phase: Phase::Call, signal: 6 };
        let aborted = Outcome { ending: aborted, ..Outcome::default() };
        assert_eq!(end_of(&saved, &aborted, false), fixed(Some("ended the process by signal 6")));
    }

    #[test]
    fn a_finding_fails_as_before_at_its_place_or_with_its_message() {
        assert_eq!(end_of(&saved("left: 3"), &panicked("left: 4"), true), ReplayEnd::Fails);
        assert_eq!(end_of(&saved("left: 3"), &panicked("left: 3"), false), ReplayEnd::Fails);
    }
}
