//! The harness on disk: a workspace of its own under the target directory, in which everything is compiled.
//!
//! Nothing is written anywhere else. The user's workspace is never built in place, because that could create or change
//! its lock file.

pub mod compile;
pub(crate) mod compiled_runtime;
pub mod contract_checks;
pub mod counted_sources;
pub mod dependencies;
pub mod doc;
pub mod instrument;
pub mod manifest;
pub mod rebuild;
pub mod runtime;
pub mod sanitizer;
pub mod wrapper;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use crate::cache::{DirectoryLock, make_directory, mirror, write_if_changed, write_whole};
use crate::cargo::invocation::cargo;
use crate::cargo::target::Target;
use crate::context::CargoContext;
use crate::error::CargoError;
use crate::harness::dependencies::Dependency;
use crate::harness::manifest::{Profile, harness_manifest, harness_package, verify_manifest};
use crate::harness::runtime::write_runtime;
use crate::sandbox::Sandbox;

/// Cargo needs some source to accept the package before there is any.
const PLACEHOLDER: &str = "fn main() {}\n";

/// A harness for one target, held by one run of the tool.
#[derive(Debug)]
pub struct HarnessDir {
    pub(crate) target: Target,
    profile: Profile,
    pub(crate) root: PathBuf,
    pub(crate) log_file: PathBuf,
    pub(crate) cargo_context: CargoContext,
    /// What cargo calls for rustc, where workers have counters.
    pub(crate) counting_wrapper: Option<PathBuf>,
    /// What has counters beside the target.
    pub(crate) counted_dependencies: Vec<Dependency>,
    /// Not if this toolchain or the target does not let them be.
    pub(crate) has_counters: AtomicBool,
    /// What cargo calls for rustc, where contracts are checked that otherwise are not.
    pub(crate) contracts_wrapper: Option<PathBuf>,
    _lock: DirectoryLock,
}

impl std::fmt::Debug for CargoContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CargoContext").field("interrupt", &self.interrupt).finish_non_exhaustive()
    }
}

impl HarnessDir {
    /// Writes manifests, runtime and lock file; waits if another run uses the directory.
    pub fn prepare(target: &Target, profile: Profile, cargo_context: &CargoContext) -> Result<HarnessDir, CargoError> {
        let output = target.output_directory();
        let lock = DirectoryLock::acquire(&output, cargo_context)?;
        let root = output.join("harness");
        let log_file = output.join("log").join("cargo.log");
        write_whole(&log_file, b"")?;
        write_runtime(&root.join("runtime"))?;
        write_if_changed(&root.join("verify/src/lib.rs"), b"")?;
        if !root.join("src/main.rs").exists() {
            write_whole(&root.join("src/main.rs"), PLACEHOLDER.as_bytes())?;
        }
        copy_lock_file(target, &root)?;
        make_directory(&target.build_directory())?;
        let harness = HarnessDir {
            target: target.clone(),
            profile,
            root,
            log_file,
            cargo_context: cargo_context.clone(),
            counting_wrapper: None,
            counted_dependencies: Vec::new(),
            has_counters: AtomicBool::new(false),
            contracts_wrapper: None,
            _lock: lock,
        };
        harness.use_dependencies(&[])?;
        Ok(harness)
    }

    /// Lets the worker and the tests name these dependencies of the target.
    pub fn use_dependencies(&self, dependencies: &[Dependency]) -> Result<(), CargoError> {
        let manifest = harness_manifest(&self.target, dependencies, self.profile)?;
        write_if_changed(&self.root.join("Cargo.toml"), manifest.as_bytes())?;
        let manifest = verify_manifest(&self.target, dependencies);
        write_if_changed(&self.root.join("verify/Cargo.toml"), manifest.as_bytes())
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    /// What code under test is run in.
    pub fn sandbox(&self) -> &Sandbox {
        &self.cargo_context.sandbox
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
        self.cargo_into(&self.target.build_directory(), subcommand, package)
    }

    /// The same, into another build directory.
    pub(crate) fn cargo_into(&self, directory: &Path, subcommand: &str, package: &str) -> Command {
        let mut command = self.unchecked_cargo(directory, subcommand, package);
        self.check_contracts(&mut command);
        command
    }

    /// For what does not run: contracts are not checked.
    pub(crate) fn unchecked_cargo(&self, directory: &Path, subcommand: &str, package: &str) -> Command {
        let mut command = self.plain_cargo(subcommand);
        command.args(["--package", package]).arg("--target-dir").arg(directory);
        for setting in self.profile.settings() {
            command.arg("--config").arg(setting);
        }
        command
    }

    /// `cargo metadata` of the harness workspace.
    pub(crate) fn cargo_metadata(&self) -> Command {
        self.plain_cargo("metadata")
    }

    fn plain_cargo(&self, subcommand: &str) -> Command {
        let mut command = cargo(&self.target.working_directory);
        command.args([subcommand, "--manifest-path"]).arg(self.root.join("Cargo.toml"));
        if self.target.is_offline {
            command.arg("--offline");
        }
        command
    }
}

/// Starts the harness with the versions that the user builds with. Cargo then adds the packages of the harness to its copy,
/// so the copy is only made again when the user's file changes.
fn copy_lock_file(target: &Target, root: &Path) -> Result<(), CargoError> {
    let own = root.join("Cargo.lock");
    // A damaged one, cargo would not replace.
    let is_whole = fs::read_to_string(&own).is_ok_and(|text| is_lock_file(&text));
    if !is_whole {
        let _ = fs::remove_file(&own);
    }
    let Some(path) = &target.lock_file else {
        return Ok(());
    };
    let wanted = fs::read(path).map_err(CargoError::unreadable(path))?;
    let origin = root.join("Cargo.lock.origin");
    let is_current = is_whole && fs::read(&origin).is_ok_and(|copied| copied == wanted);
    if is_current {
        return Ok(());
    }
    write_whole(&own, &wanted)?;
    write_whole(&origin, &wanted)
}

fn is_lock_file(text: &str) -> bool {
    text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("package"))
}
