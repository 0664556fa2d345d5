//! A program as steps: the code of each statement, the state after it, and what went wrong.

use std::collections::BTreeMap;

use provoke_codegen::{OpText, Style, TestEnding, TestInput, emit_statements};
use provoke_engine::MemoryReport;
use provoke_report::ReplayStep;
use provoke_wire::{Ending, Fault, FaultKind, Outcome, Phase, Program};

/// The program as a test spells it, by statement.
pub fn lines(program: &Program, ops: &[OpText], crate_name: &str) -> Vec<(usize, String)> {
    let input = TestInput {
        test_name: "replay",
        body: &program.main,
        ops,
        header: &[],
        ending: TestEnding::Panics,
        crate_name,
        preamble: &[],
    };
    emit_statements(&input, Style::Pretty)
}

/// What went wrong, and in which statement.
pub fn happened(outcome: &Outcome) -> Option<(u32, String)> {
    if let (Ending::Signal { statement, .. }, Some(report)) =
        (outcome.ending, MemoryReport::in_output(&outcome.last_output))
    {
        return Some((statement, format!("broke memory: {}", report.message())));
    }
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

/// Groups the lines of code by statement and adds what was seen after each, where it is not what was seen before.
pub fn steps(lines: &[(usize, String)], outcome: &Outcome, ended_at: Option<(u32, String)>) -> Vec<ReplayStep> {
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
    let name_of = |slot: u32| names.get(&(slot as usize)).cloned().unwrap_or_else(|| "result".to_string());
    let mut last_seen: BTreeMap<u32, &str> = BTreeMap::new();
    for (statement, step) in &mut steps {
        let seen = outcome.steps.iter().filter(|seen| seen.statement as usize == *statement && seen.text != "()");
        let new = seen.filter(|seen| last_seen.insert(seen.slot, &seen.text) != Some(&seen.text));
        step.states = new.map(|seen| (name_of(seen.slot), seen.text.clone())).collect();
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
    use provoke_wire::TracedStep;

    #[test]
    fn what_did_not_change_is_not_shown_again() {
        let line = |statement, text: &str| (statement, text.to_string());
        let lines = [line(0, "let mut list = List::new();"), line(1, "list.clear();"), line(2, "list.push(1);")];
        let step = |statement, slot, text: &str| TracedStep { statement, slot, text: text.into() };
        let outcome = Outcome {
            steps: vec![step(0, 0, "[]"), step(1, 0, "[]"), step(1, 1, "()"), step(2, 0, "[1]"), step(2, 2, "true")],
            ..Outcome::default()
        };
        let shown: Vec<_> = steps(&lines, &outcome, None).into_iter().map(|step| step.states).collect();
        let state = |name: &str, text: &str| (name.to_string(), text.to_string());
        assert_eq!(shown, [vec![state("list", "[]")], vec![], vec![state("list", "[1]"), state("result", "true")]]);
    }
}
