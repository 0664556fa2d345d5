//! The harness on disk: a workspace of its own under the target directory, in which everything is compiled.
//!
//! Nothing is written anywhere else. The user's workspace is never built in place, because that could create or change
//! its lock file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cache::{DirectoryLock, make_directory, mirror, write_if_changed, write_whole};
use crate::error::CargoError;
use crate::invocation::cargo;
use crate::manifest::{Profile, harness_manifest, harness_package, verify_manifest};
use crate::runtime::write_runtime;
use crate::surroundings::Surroundings;
use crate::target::Target;

/// Cargo needs some source to accept the package before there is any.
const PLACEHOLDER: &str = "fn main() {}\n";

/// A harness for one target, held by one run of the tool.
#[derive(Debug)]
pub struct HarnessDir {
    pub(crate) target: Target,
    profile: Profile,
    pub(crate) root: PathBuf,
    pub(crate) log_file: PathBuf,
    pub(crate) surroundings: Surroundings,
    _lock: DirectoryLock,
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}

impl HarnessDir {
    /// Writes manifests, runtime and lock file; waits if another run uses the directory.
    pub fn prepare(target: &Target, profile: Profile, surroundings: &Surroundings) -> Result<HarnessDir, CargoError> {
        let output = target.output_directory();
        let lock = DirectoryLock::acquire(&output, surroundings)?;
        let root = output.join("harness");
        let log_file = output.join("log").join("cargo.log");
        write_whole(&log_file, b"")?;
        write_runtime(&root.join("runtime"))?;
        let manifest = harness_manifest(target, profile)?;
        write_if_changed(&root.join("Cargo.toml"), manifest.as_bytes())?;
        let verify = root.join("verify");
        write_if_changed(&verify.join("Cargo.toml"), verify_manifest(target).as_bytes())?;
        write_if_changed(&verify.join("src/lib.rs"), b"")?;
        if !root.join("src/main.rs").exists() {
            write_whole(&root.join("src/main.rs"), PLACEHOLDER.as_bytes())?;
        }
        copy_lock_file(target, &root)?;
        make_directory(&target.build_directory())?;
        Ok(HarnessDir {
            target: target.clone(),
            profile,
            root,
            log_file,
            surroundings: surroundings.clone(),
            _lock: lock,
        })
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What cargo said in this run, in full.
    pub fn log_file(&self) -> &Path {
        &self.log_file
    }

    /// Replaces the sources of the worker: names relative to `src` (`main.rs`, `ops.rs`) and their text.
    /// Files that are the same as before stay untouched, others are removed.
    pub fn write_sources(&self, files: &[(&str, &str)]) -> Result<(), CargoError> {
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
        mirror(&self.root.join("src"), &files)
    }

    pub(crate) fn main_source(&self) -> PathBuf {
        self.root.join("src").join("main.rs")
    }

    pub(crate) fn package(&self) -> String {
        harness_package(&self.target)
    }

    /// A cargo command on the harness workspace, with the user's configuration.
    pub(crate) fn cargo(&self, subcommand: &str, package: &str) -> Command {
        let mut command = cargo(&self.target.working_directory);
        command
            .args([subcommand, "--package", package, "--manifest-path"])
            .arg(self.root.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.target.build_directory());
        for setting in self.profile.settings() {
            command.arg("--config").arg(setting);
        }
        if self.target.is_offline {
            command.arg("--offline");
        }
        command
    }
}

/// Starts the harness with the versions that the user builds with. Cargo then adds the packages of the harness to its copy,
/// so the copy is only made again when the user's file changes.
fn copy_lock_file(target: &Target, root: &Path) -> Result<(), CargoError> {
    let Some(path) = &target.lock_file else {
        return Ok(());
    };
    let wanted = fs::read(path).map_err(CargoError::unreadable(path))?;
    let origin = root.join("Cargo.lock.origin");
    let own = root.join("Cargo.lock");
    let is_current = own.exists() && fs::read(&origin).is_ok_and(|copied| copied == wanted);
    if is_current {
        return Ok(());
    }
    write_whole(&own, &wanted)?;
    write_whole(&origin, &wanted)
}
