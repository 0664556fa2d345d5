//! How well the minimiser does from other starting points: for developers, behind a hidden option.
//!
//! Other programs that show a finding which is already known are minimised as well, and what comes out is written down. A good
//! minimiser arrives at the same size from everywhere.

use std::collections::{BTreeMap, BTreeSet};

use provoke_codegen::{OpText, Style, TestEnding, TestInput, emit_statements};
use provoke_engine::{Effort, Executor, ExecutorError, Finding};
use provoke_wire::Phase;
use serde_json::{Value, json};

use crate::confirm::lead::Lead;
use crate::confirm::replayer::{MinimizeManner, Notebook, Process, Replayer};

#[derive(Default)]
pub struct MinimizerCheck {
    /// Per finding.
    n_wanted: usize,
    /// By key of the incident: the finding, and how often it was tried.
    expected: BTreeMap<u64, (Finding, usize)>,
    pub done: Vec<CheckedMinimum>,
}

/// One more program that shows a finding, minimised.
pub struct CheckedMinimum {
    pub finding: Finding,
    /// No single statement can be left out.
    pub is_minimal: bool,
}

impl MinimizerCheck {
    pub fn new(n_wanted: usize) -> MinimizerCheck {
        MinimizerCheck { n_wanted, ..MinimizerCheck::default() }
    }

    /// From now on, programs with this incident are tried.
    pub fn expect(&mut self, key: u64, finding: &Finding) {
        if self.n_wanted > 0 {
            self.expected.insert(key, (finding.clone(), 0));
        }
    }

    /// Whether a program with this incident is to be tried.
    pub fn wants(&self, key: u64) -> bool {
        self.expected.get(&key).is_some_and(|(_, n_tried)| *n_tried < self.n_wanted)
    }

    /// Minimises the program, if it is one that is wanted.
    pub fn take(
        &mut self,
        executor: &mut dyn Executor,
        replayer: &Replayer<'_>,
        lead: &Lead,
    ) -> Result<(), ExecutorError> {
        let Some((finding, n_tried)) = self.expected.get_mut(&lead.incident.key) else { return Ok(()) };
        if *n_tried >= self.n_wanted {
            return Ok(());
        }
        *n_tried += 1;
        let mut program = lead.program.clone();
        if lead.incident.phase == Phase::Call {
            program.main.truncate(lead.incident.at as usize + 1);
            program.observe_from = program.observe_from.min(program.main.statements.len() as u32);
        }
        let start = Finding { n_calls_before_minimizing: program.main.n_calls(), program, ..finding.clone() };
        let manner = MinimizeManner {
            stock: Some(&lead.stock),
            process: Process::Warm,
            effort: Effort { max_replays: 5000, batch: 16 },
            deadline: None,
            is_wary_of_chance: true,
            on_replay: &|| {},
        };
        if let Some(finding) = replayer.minimize(executor, &start, &manner, &mut Notebook::new(&|_| true))? {
            let is_minimal = replayer.is_minimal(executor, &finding)?;
            self.done.push(CheckedMinimum { finding, is_minimal });
        }
        Ok(())
    }

    /// A row for each, for `log/trials.json`.
    pub fn rows(&self, texts: &[OpText], crate_name: &str) -> Vec<Value> {
        let row = |checked: &CheckedMinimum| {
            let CheckedMinimum { finding, is_minimal } = checked;
            let input = TestInput {
                test_name: "trial",
                body: &finding.program.main,
                ops: texts,
                header: &[],
                ending: TestEnding::Panics,
                crate_name,
                preamble: &[],
            };
            let lines = emit_statements(&input, Style::Pretty);
            let statements: BTreeSet<usize> = lines.iter().map(|(statement, _)| *statement).collect();
            json!({
                "id": finding.id.to_string(),
                "function": finding.judgement.function,
                "calls_before_minimizing": finding.n_calls_before_minimizing,
                "calls": finding.program.main.n_calls(),
                "statements": statements.len(),
                "replays": finding.n_replays,
                "is_minimal": is_minimal,
                "code": lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>(),
            })
        };
        self.done.iter().map(row).collect()
    }
}
