//! Provoke as developer tasks run it: built once, then started by its path, so that a run is not mixed with cargo's work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use serde_json::Value;

use crate::support::cargo::cargo;
use crate::workspace_root;

/// The optimised tool, ready to run.
pub struct Provoke {
    executable: PathBuf,
    /// Holds the summaries that it writes.
    scratch: tempfile::TempDir,
    n_runs: AtomicU32,
}

/// How one run of the tool ended.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Absent if a signal ended it.
    pub code: Option<i32>,
    pub summary: Option<Value>,
    /// The last thing it said on standard error that is no hint.
    pub last_line: String,
    /// From starting the process to its end.
    pub wall_seconds: f64,
}

impl Provoke {
    pub fn build() -> Result<Provoke, String> {
        let mut build = cargo("build");
        build.args(["--release", "--package", "cargo-provoke", "--message-format", "json-render-diagnostics"]);
        let output = build.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(format!("{build:?} failed: {}", output.status));
        }
        let messages = String::from_utf8_lossy(&output.stdout);
        let executable = executable_in(&messages).ok_or("cargo does not say where it put cargo-provoke")?;
        Provoke::at(&executable)
    }

    /// One that was built before.
    pub fn at(executable: &Path) -> Result<Provoke, String> {
        // Runs start in another directory than the one that a relative path is meant in.
        let cannot_use = |error| format!("cannot use {}: {error}", executable.display());
        let executable = executable.canonicalize().map_err(cannot_use)?;
        let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        Ok(Provoke { executable, scratch, n_runs: AtomicU32::new(0) })
    }

    pub fn executable(&self) -> &Path {
        &self.executable
    }

    /// The tool at the root; options are still to be added.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.arg("provoke").current_dir(workspace_root());
        command
    }

    /// Runs a command of [`Provoke::command`] to its end and reads what it wrote.
    pub fn run(&self, mut command: Command) -> Result<Run, String> {
        // One for each run: several may be under way, and that of an earlier one must not be read again.
        let number = self.n_runs.fetch_add(1, Ordering::Relaxed);
        let summary_path = self.scratch.path().join(format!("summary-{number}.json"));
        command.args(["--without", "regression"]).arg("--json").arg(&summary_path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let started = Instant::now();
        let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let wall_seconds = started.elapsed().as_secs_f64();
        let summary = fs::read(&summary_path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let _ = fs::remove_file(&summary_path);
        let last_line = last_line(&String::from_utf8_lossy(&output.stderr));
        Ok(Run { code: output.status.code(), summary, last_line, wall_seconds })
    }
}

impl Run {
    /// It came to its end, with findings or without.
    pub fn is_normal(&self) -> bool {
        self.summary.is_some() && matches!(self.code, Some(0 | 100))
    }

    /// The exit code, and what is wrong with the run if something is.
    pub fn status(&self) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| code.to_string());
        match self.summary {
            _ if self.is_normal() => code,
            Some(_) => format!("{code}: {}", self.last_line),
            None => format!("{code}, no summary: {}", self.last_line),
        }
    }
}

/// The path of the tool in what `cargo build` told as JSON, a message a line.
fn executable_in(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut tools = messages.filter(|message| message["target"]["name"] == "cargo-provoke");
    tools.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

pub(crate) fn last_line(stderr: &str) -> String {
    let lines = stderr.lines().map(str::trim);
    let mut told = lines.filter(|line| !line.is_empty() && !line.starts_with("hint:") && !line.starts_with("note:"));
    told.next_back().unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_the_tool_s_own() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"provoke-wire"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"other"},"executable":"/there/other"}
{"reason":"compiler-artifact","target":{"name":"cargo-provoke"},"executable":"/there/cargo-provoke"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable_in(messages), Some(PathBuf::from("/there/cargo-provoke")));
        assert_eq!(executable_in("no JSON"), None);
    }

    #[test]
    fn hints_are_not_what_went_wrong() {
        assert_eq!(last_line("   Reading\n error: it broke\n\n hint: mend it\nnote: see there\n"), "error: it broke");
        assert_eq!(last_line(""), "it said nothing");
    }

    #[test]
    fn a_run_is_normal_only_with_a_summary_and_an_expected_code() {
        let run = |code, summary| Run { code, summary, last_line: "oh".to_owned(), wall_seconds: 0.0 };
        assert_eq!(run(Some(100), Some(Value::Null)).status(), "100");
        assert_eq!(run(Some(70), Some(Value::Null)).status(), "70: oh");
        assert_eq!(run(Some(0), None).status(), "0, no summary: oh");
        assert_eq!(run(None, None).status(), "killed, no summary: oh");
        assert!(!run(Some(0), None).is_normal());
    }
}
