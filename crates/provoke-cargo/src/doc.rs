//! The public API as rustdoc JSON.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::cache::make_directory;
use crate::error::CargoError;
use crate::harness::HarnessDir;
use crate::invocation::{explain, stream, tool};
use crate::wrapper::{REAL_RUSTDOC, RUSTDOC_OUT};

impl HarnessDir {
    /// Documents the target and returns the path of the JSON.
    ///
    /// `wrapper` is an executable whose `main` starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked),
    /// normally the tool itself.
    pub fn rustdoc_json(&self, wrapper: &Path) -> Result<PathBuf, CargoError> {
        let directory = self.target.output_directory().join("doc");
        make_directory(&directory)?;
        let json = directory.join(format!("{}.json", self.target.crate_name));
        // Whatever lies there may belong to another version or other features.
        let _ = fs::remove_file(&json);
        self.run_rustdoc(self.rustdoc(wrapper, &directory))?;
        if !json.exists() {
            // Cargo found its last run fresh, and did nothing. An argument that it has not seen before makes it run.
            let mut again = self.rustdoc(wrapper, &directory);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            again.arg(format!("--cfg=provoke_rustdoc_{}", now.as_nanos()));
            self.run_rustdoc(again)?;
        }
        if json.exists() {
            Ok(json)
        } else {
            Err(CargoError::Internal { message: format!("rustdoc did not write `{}`", json.display()) })
        }
    }

    fn rustdoc(&self, wrapper: &Path, out: &Path) -> Command {
        let mut command = self.cargo("rustdoc", &self.target.package_id);
        command
            .env("RUSTDOC", wrapper)
            .env(REAL_RUSTDOC, tool("RUSTDOC", "rustdoc"))
            .env(RUSTDOC_OUT, out)
            .arg("--lib")
            .args(["--", "-Z", "unstable-options", "--output-format", "json", "--document-private-items"])
            .args(["--cap-lints", "allow"]);
        command
    }

    fn run_rustdoc(&self, command: Command) -> Result<(), CargoError> {
        let answer = stream(command, &self.surroundings, Some(&self.log_file), &mut |_| {})?;
        if answer.is_success { Ok(()) } else { Err(explain(&answer.stderr, &self.target.package_name)) }
    }
}
