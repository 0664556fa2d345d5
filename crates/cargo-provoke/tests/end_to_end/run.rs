//! One run of the tool: how it ended and what it said.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::copied_crate::CopiedCrate;

/// Nothing here takes a tenth of it; it only keeps a hang from becoming ours.
const TIME_LIMIT: Duration = Duration::from_secs(600);

pub struct Run {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// What lies in `target/provoke` afterwards, if anything.
    summary: Option<Value>,
}

impl Run {
    pub fn of(command: Command, copied: &CopiedCrate) -> Run {
        Run::watched(command, copied, |_, _| {})
    }

    /// Gives the process and what it has written to standard error so far to `watch`, again and again.
    pub fn watched(mut command: Command, copied: &CopiedCrate, mut watch: impl FnMut(&Child, &str)) -> Run {
        let output = tempfile::tempdir().unwrap();
        let (stdout, stderr) = (output.path().join("stdout"), output.path().join("stderr"));
        command.stdin(Stdio::null());
        command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        let mut child = command.spawn().expect("the tool starts");
        let deadline = Instant::now() + TIME_LIMIT;
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            watch(&child, &read(&stderr));
            if Instant::now() > deadline {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("{command:?} does not end; it said\n{}", read(&stderr));
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        Run {
            code: status.code(),
            stdout: copied.without_path(&read(&stdout)),
            stderr: without_waiting(&copied.without_path(&read(&stderr))),
            summary: summary_in(&copied.path("target/provoke")),
        }
    }

    /// Fails with all that was said if the exit code is another one.
    #[track_caller]
    pub fn exits_with(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// One line of complaint, a hint, the right exit code, and no sign of a bug. Gives what was said.
    #[track_caller]
    pub fn refuses_with(self, code: i32) -> String {
        let run = self.exits_with(code);
        let n_lines = |start: &str| run.stderr.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!((n_lines("error: "), n_lines("hint: ")), (1, 1), "{}", run.stderr);
        for sign in ["panicked", "backtrace", "RUST_BACKTRACE", "bug in Provoke"] {
            assert!(!run.stderr.contains(sign), "{sign} in\n{}", run.stderr);
        }
        run.stderr
    }

    #[track_caller]
    pub fn summary(&self) -> &Value {
        self.summary.as_ref().unwrap_or_else(|| panic!("no summary.json, or several; it said\n{}", self.stderr))
    }

    #[track_caller]
    pub fn findings(&self) -> &[Value] {
        self.summary()["findings"].as_array().expect("a list of findings")
    }

    /// Tier and function of each finding, sorted.
    #[track_caller]
    pub fn verdicts(&self) -> Vec<String> {
        let line = |finding: &Value| format!("{} {}", text(&finding["tier"]), text(&finding["function"]));
        let mut verdicts: Vec<String> = self.findings().iter().map(line).collect();
        verdicts.sort();
        verdicts
    }

    /// Tier, oracle, function and length of each finding, a sorted line each.
    #[track_caller]
    pub fn lines_with_calls(&self) -> String {
        let line = |finding: &Value| {
            let parts = ["tier", "oracle", "function"].map(|part| text(&finding[part]));
            format!("{} {} calls\n", parts.join(" "), finding["calls"])
        };
        let mut lines: Vec<String> = self.findings().iter().map(line).collect();
        lines.sort();
        lines.concat()
    }

    /// What must not depend on the machine and its load: everything but the times, and but the number of regression tests.
    /// Those run in processes of their own, side by side, where code with hidden state behaves as it happens to.
    #[track_caller]
    pub fn timeless_summary(&self) -> TimelessSummary {
        let mut summary = self.summary().clone();
        summary["seconds"] = Value::Null;
        summary["search"]["calls_per_second"] = Value::Null;
        summary["tests"]["regression"] = Value::Null;
        summary["tests"]["regression_left_out"] = Value::Null;
        for finding in summary["findings"].as_array_mut().expect("a list of findings") {
            finding["found_after_seconds"] = Value::Null;
        }
        for point in summary["growth"].as_array_mut().expect("a list of points") {
            point["seconds"] = Value::Null;
        }
        TimelessSummary(summary)
    }
}

/// What is the same in each run with the same options.
#[derive(Clone, Debug)]
pub struct TimelessSummary(Value);

impl TimelessSummary {
    pub fn text(&self) -> String {
        format!("{:#}\n", self.0)
    }

    /// Shows the first lines that differ, of the hundreds that there are.
    #[track_caller]
    pub fn assert_same_as(&self, other: &TimelessSummary, what: &str) {
        let [one, other] = [self.text(), other.text()];
        let differing: Vec<_> = one.lines().zip(other.lines()).filter(|(one, other)| one != other).take(8).collect();
        assert!(one == other, "{what}: {differing:#?}");
    }
}

#[track_caller]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text, not {value}"))
}

#[track_caller]
pub fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a whole number, not {value}"))
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

/// Of the only package that has one; `None` also if there are several.
fn summary_in(directory: &Path) -> Option<Value> {
    let packages = fs::read_dir(directory).ok()?.flatten();
    let summaries: Vec<String> =
        packages.filter_map(|package| fs::read_to_string(package.path().join("summary.json")).ok()).collect();
    match summaries.as_slice() {
        [summary] => Some(serde_json::from_str(summary).expect("summary.json is JSON")),
        _ => None,
    }
}

/// Tests run side by side, and cargo lets only one at a time at its package cache: that wait is none of the run's story.
fn without_waiting(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains("waiting for file lock")).collect()
}
