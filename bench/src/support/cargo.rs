//! Running cargo.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::workspace_root;

/// A cargo command at the root, saying nothing unless it fails.
pub fn cargo(subcommand: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace_root()).args([subcommand, "--quiet"]).stdin(Stdio::null());
    command
}

/// Where cargo puts what it builds in this workspace.
pub fn target_directory() -> Result<PathBuf, String> {
    let mut metadata = cargo("metadata");
    metadata.args(["--no-deps", "--format-version", "1"]);
    let output = metadata.output().map_err(|error| format!("cannot run {metadata:?}: {error}"))?;
    let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let directory = answer.as_ref().and_then(|answer| answer["target_directory"].as_str());
    directory.map(PathBuf::from).ok_or_else(|| format!("{metadata:?} failed: {}", output.status))
}

/// Runs a command that has to end well.
pub fn must_succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("cannot run {command:?}: {error}")),
    }
}
