//! Tasks that measure Provoke, which are those of `provoke-bench`: handed on with the very same arguments.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::workspace_root;

/// Every such task, with what it does in the words of `provoke-bench`.
pub const TASKS: [(&str, &str); 10] = [
    ("bench throughput", "Compares calls per second of Provoke, a native loop, proptest and quickcheck"),
    ("bench isolation", "Compares calls per second with and without the sandbox"),
    ("bench coverage", "Compares calls per second with and without counters of edges in the worker"),
    ("survey", "Runs Provoke over a list of crates"),
    ("corpus", "Says which known bugs of released crates Provoke finds, and how soon"),
    ("repro randoop", "Our figures beside those published about Randoop: containers, branches, ablations"),
    ("repro t2", "Our figures beside those published about T2: coverage of four classes with as many calls"),
    ("soak", "Kills workers, and the tool itself, at random moments; what is found must be as in peace"),
    ("unchanged record", "Records what Provoke makes of our subjects and fixtures and of five published crates"),
    ("unchanged check", "Makes it again and says what is different"),
];

/// Whether a task that starts with this word is one of them.
pub fn has(word: &str) -> bool {
    TASKS.iter().any(|(task, _)| task.split(' ').next() == Some(word))
}

/// Becomes `provoke-bench`: whoever stops this process stops the measurement. Returns only if that cannot be.
pub fn run(args: &[OsString]) -> String {
    let mut command = command(args);
    let error = command.exec();
    format!("cannot run {command:?}: {error}")
}

/// Builds and runs it in the directory of the caller, from where paths in the arguments are meant.
#[allow(clippy::disallowed_methods, reason = "developer tasks start cargo themselves")]
fn command(args: &[OsString]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "provoke-bench", "--manifest-path"]);
    command.arg(workspace_root().join("Cargo.toml")).arg("--").args(args);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_known_by_its_first_word() {
        assert!(has("survey") && has("bench") && has("unchanged"));
        assert!(!has("tidy") && !has("throughput") && !has(""));
    }

    #[test]
    fn arguments_are_handed_on_as_they_are() {
        let given = ["corpus", "a b.toml", "--", "--sanitizer", "address"].map(OsString::from);
        let command = command(&given);
        let args: Vec<_> = command.get_args().collect();
        let ours = args.iter().position(|arg| *arg == "--").expect("cargo is told where its own end");
        assert_eq!(args[ours + 1..], given);
        assert_eq!(command.get_current_dir(), None);
    }
}
