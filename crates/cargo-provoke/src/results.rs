//! The files of a run, under `target/provoke/<package>/`.

use std::path::PathBuf;

use provoke_cargo::write_whole;
use provoke_engine::{Api, Finding};
use provoke_report::{Finding as Reported, Summary, UserError};
use provoke_wire::{Program, StatementKind};
use serde::{Deserialize, Serialize};

use crate::failure::from_cargo;

/// A finding's program on disk: operations by key, since their numbers belong to one build of the worker.
#[derive(Serialize, Deserialize)]
pub struct SavedProgram {
    pub id: String,
    pub message: String,
    /// The operations that the program calls, in the order of the numbers it uses.
    pub ops: Vec<String>,
    /// The encoded program, in hexadecimal.
    pub program: String,
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
        let _ = std::fs::remove_file(self.regression_file());
        let _ = std::fs::remove_file(self.directory.join("log").join("tests.log"));
    }

    pub fn write_finding(&self, api: &Api, reported: &Reported, finding: &Finding) -> Result<(), UserError> {
        if let (Some(test), Some(source)) = (&reported.test, &reported.test_source) {
            write_whole(&self.directory.join(test), source.as_bytes()).map_err(from_cargo)?;
        }
        let saved = save(api, &reported.id, &reported.message, &finding.program);
        let text = serde_json::to_string_pretty(&saved).unwrap_or_default();
        write_whole(&self.program_file(&reported.id), text.as_bytes()).map_err(from_cargo)
    }

    pub fn write_regression(&self, source: &str) -> Result<(), UserError> {
        write_whole(&self.regression_file(), source.as_bytes()).map_err(from_cargo)
    }

    fn regression_file(&self) -> PathBuf {
        self.directory.join("regression.rs")
    }

    pub fn write_summary(&self, summary: &Summary) -> Result<(), UserError> {
        let text = summary.to_json().unwrap_or_default();
        write_whole(&self.directory.join("summary.json"), text.as_bytes()).map_err(from_cargo)
    }

    pub fn read_summary(&self) -> Option<Summary> {
        let text = std::fs::read_to_string(self.directory.join("summary.json")).ok()?;
        Summary::from_json(&text).ok()
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
    SavedProgram { id: id.to_string(), message: message.to_string(), ops: keys, program }
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
