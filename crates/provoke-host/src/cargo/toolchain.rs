//! Which compiler builds the target.

use std::path::Path;
use std::process::Command;

use crate::cargo::invocation::{capture, cargo, complaint, tool};
use crate::context::CargoContext;
use crate::error::CargoError;

/// The compiler and cargo as they apply in one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolchain {
    /// `1.95.0`, or `1.97.0-nightly`.
    pub rustc_version: String,
    pub cargo_version: String,
    /// `x86_64-unknown-linux-gnu`
    pub host: String,
    /// All that `rustc -vV` says: two compilers with the same text are the same.
    pub rustc_description: String,
}

impl Toolchain {
    pub fn is_nightly(&self) -> bool {
        self.rustc_version.contains("nightly") || self.rustc_version.contains("dev")
    }
}

/// Asks rustc and cargo, running in `directory`.
pub fn toolchain(directory: &Path, cargo_context: &CargoContext) -> Result<Toolchain, CargoError> {
    let mut rustc = Command::new(tool("RUSTC", "rustc"));
    rustc.current_dir(directory).arg("-vV");
    let rustc_description = ask(rustc, cargo_context)?;
    let mut version = cargo(directory);
    version.arg("-vV");
    let cargo_description = ask(version, cargo_context)?;
    Ok(Toolchain {
        rustc_version: field(&rustc_description, "release: ", "rustc")?,
        host: field(&rustc_description, "host: ", "rustc")?,
        cargo_version: field(&cargo_description, "release: ", "cargo")?,
        rustc_description,
    })
}

fn ask(command: Command, cargo_context: &CargoContext) -> Result<String, CargoError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (answer, out) = capture(command, cargo_context, None)?;
    if answer.is_success {
        Ok(out)
    } else {
        Err(CargoError::ToolFailed { program, message: complaint(&answer.stderr) })
    }
}

fn field(description: &str, name: &str, program: &str) -> Result<String, CargoError> {
    description.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned()).ok_or_else(|| {
        CargoError::ToolFailed {
            program: program.into(),
            message: format!("no `{}` in its description", name.trim_end_matches(": ")),
        }
    })
}
