//! The files of a run, under `target/provoke/<package>/`.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use provoke_engine::{Api, Finding};
use provoke_host::{write_durably, write_whole};
use provoke_report::{Reached, ReportedFinding, Summary, UserError};
use provoke_wire::{Program, StatementKind};
use serde::{Deserialize, Serialize};

use crate::error::from_cargo;

/// A finding's program on disk: operations by key, since their numbers belong to one build of the worker.
#[derive(Serialize, Deserialize)]
pub struct SavedProgram {
    pub id: String,
    pub message: String,
    /// The operations that the program calls, in the order of the numbers it uses.
    pub ops: Vec<String>,
    /// The encoded program, in hexadecimal.
    pub program: String,
    /// The sanitizer that it takes to show the finding.
    #[serde(default)]
    pub sanitizer: Option<String>,
}

pub struct Results {
    pub directory: PathBuf,
}

impl Results {
    pub fn new(directory: PathBuf) -> Results {
        Results { directory }
    }

    /// Removes what an earlier run found.
    pub fn clear(&self) {
        let _ = std::fs::remove_dir_all(self.directory.join("findings"));
        let _ = std::fs::remove_dir_all(self.directory.join("rejected"));
        let _ = std::fs::remove_file(self.directory.join("summary.json"));
        let _ = std::fs::remove_file(self.coverage_file());
        let _ = std::fs::remove_file(self.regression_file());
        let _ = std::fs::remove_file(self.directory.join("log").join("tests.log"));
        let _ = std::fs::remove_file(log_of_findings(&self.directory));
    }

    pub fn write_finding(&self, api: &Api, reported: &ReportedFinding, finding: &Finding) -> Result<(), UserError> {
        if let (Some(test), Some(source)) = (&reported.test, &reported.test_source) {
            write_durably(&self.directory.join(test), source.as_bytes()).map_err(from_cargo)?;
        }
        let mut saved = save(api, &reported.id, &reported.message, &finding.program);
        saved.sanitizer = reported.sanitizer.clone();
        let text = serde_json::to_string_pretty(&saved).unwrap_or_default();
        write_durably(&self.program_file(&reported.id), text.as_bytes()).map_err(from_cargo)
    }

    /// Removes the files of findings that turned out to show what another one shows better.
    pub fn forget_findings_but<'a>(&self, kept: impl Iterator<Item = &'a str>) {
        let kept: BTreeSet<&str> = kept.collect();
        for id in self.finding_ids().iter().filter(|id| !kept.contains(id.as_str())) {
            let _ = std::fs::remove_file(self.program_file(id));
            let _ = std::fs::remove_file(self.program_file(id).with_extension("rs"));
        }
    }

    pub fn write_regression(&self, source: &str) -> Result<(), UserError> {
        write_whole(&self.regression_file(), source.as_bytes()).map_err(from_cargo)
    }

    fn regression_file(&self) -> PathBuf {
        self.directory.join("regression.rs")
    }

    pub fn write_summary(&self, summary: &Summary) -> Result<(), UserError> {
        let text = summary.to_json().unwrap_or_default();
        write_durably(&self.directory.join("summary.json"), text.as_bytes()).map_err(from_cargo)
    }

    /// After each run that has counters.
    pub fn write_coverage(&self, reached: &Reached) -> Result<(), UserError> {
        write_whole(&self.coverage_file(), reached.to_json().unwrap_or_default().as_bytes()).map_err(from_cargo)
    }

    fn coverage_file(&self) -> PathBuf {
        self.directory.join("coverage.json")
    }

    pub fn read_summary(&self) -> Option<Summary> {
        let text = std::fs::read_to_string(self.directory.join("summary.json")).ok()?;
        Summary::from_json(&text).ok()
    }

    /// How the minimiser fared from other starting points, for developers.
    pub fn write_trials(&self, rows: &[serde_json::Value]) -> Result<(), UserError> {
        let text = serde_json::to_string_pretty(rows).unwrap_or_default();
        write_whole(&self.directory.join("log").join("trials.json"), text.as_bytes()).map_err(from_cargo)
    }

    pub fn program_file(&self, id: &str) -> PathBuf {
        self.directory.join("findings").join(format!("{id}.json"))
    }

    /// The ids of all findings of the last run.
    pub fn finding_ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = std::fs::read_dir(self.directory.join("findings"))
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok()?.strip_suffix(".json").map(str::to_string))
            .collect();
        ids.sort();
        ids
    }
}

/// Adds a finding to the log in a results directory, one JSON object a line, so that whoever watches a run need not wait
/// for its summary. A log that cannot be written must not stop anything.
pub fn log_finding(directory: &Path, reported: &ReportedFinding) {
    let path = log_of_findings(directory);
    let line = serde_json::to_string(reported).unwrap_or_default() + "\n";
    let open = || -> std::io::Result<File> {
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        OpenOptions::new().append(true).create(true).open(&path)
    };
    // In one piece: a reader may look at any time.
    let _ = open().and_then(|mut file| file.write_all(line.as_bytes()));
}

fn log_of_findings(directory: &Path) -> PathBuf {
    directory.join("log").join("findings.jsonl")
}

pub fn save(api: &Api, id: &str, message: &str, program: &Program) -> SavedProgram {
    let mut keys: Vec<String> = Vec::new();
    let mut renumbered = program.clone();
    renumber(&mut renumbered.main, &mut |op| {
        let key = &api.ops[op as usize].key;
        let place = keys.iter().position(|known| known == key).unwrap_or_else(|| {
            keys.push(key.clone());
            keys.len() - 1
        });
        Some(place as u32)
    });
    let program = renumbered.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    SavedProgram { id: id.to_string(), message: message.to_string(), ops: keys, program, sanitizer: None }
}

impl SavedProgram {
    /// The program with the operation numbers of this worker; the key of an operation that it lacks otherwise.
    pub fn load(&self, api: &Api) -> Result<Program, String> {
        let bytes = self.program.as_bytes();
        let decoded: Option<Vec<u8>> =
            bytes.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
        let mut program = decoded
            .and_then(|bytes| Program::from_bytes(&bytes).ok())
            .ok_or_else(|| "the file is damaged".to_string())?;
        let mut missing = None;
        renumber(&mut program.main, &mut |op| {
            let key = self.ops.get(op as usize)?;
            let found = api.ops.iter().position(|o| o.key == *key);
            if found.is_none() {
                missing.get_or_insert_with(|| key.clone());
            }
            found.map(|place| place as u32)
        });
        match missing {
            None => Ok(program),
            Some(key) => Err(format!("the crate no longer has `{key}`")),
        }
    }
}

fn renumber(body: &mut provoke_wire::Body, number: &mut dyn FnMut(u32) -> Option<u32>) {
    for statement in &mut body.statements {
        if statement.kind == StatementKind::Call
            && let Some(new) = number(statement.op)
        {
            statement.op = new;
        }
    }
    for nested in &mut body.bodies {
        renumber(nested, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_report::Tier;

    #[test]
    fn findings_are_logged_a_line_each_until_the_next_run() {
        let directory = tempfile::tempdir().unwrap();
        let results = Results::new(directory.path().to_path_buf());
        let finding = |id: &str| ReportedFinding {
            id: id.into(),
            tier: Tier::Error,
            oracle: "unreachable".into(),
            function: "a::f".into(),
            message: "two\nlines".into(),
            location: None,
            calls: 1,
            calls_before_minimizing: 1,
            found_after_seconds: 0.5,
            flaky: false,
            test: None,
            expected: String::new(),
            happened: String::new(),
            explanation: Vec::new(),
            accepted: None,
            test_source: None,
            also_through: Vec::new(),
            trace: Vec::new(),
            operands: Vec::new(),
            n_similar: 0,
            minimize_replays: 0,
            sanitizer: None,
        };
        for id in ["1", "2"] {
            log_finding(&results.directory, &finding(id));
        }
        let text = std::fs::read_to_string(log_of_findings(&results.directory)).unwrap();
        let read: Vec<ReportedFinding> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read, [finding("1"), finding("2")]);
        results.clear();
        assert!(!log_of_findings(&results.directory).exists());
    }
}
