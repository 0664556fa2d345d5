//! Running cargo.

use std::process::{Command, Stdio};

use crate::workspace_root;

/// A cargo command at the root, saying nothing unless it fails.
pub fn cargo(subcommand: &str) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace_root()).args([subcommand, "--quiet"]).stdin(Stdio::null());
    command
}

/// Runs a command that has to end well.
pub fn must_succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("cannot run {command:?}: {error}")),
    }
}
