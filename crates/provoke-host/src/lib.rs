//! Everything that runs cargo or rustc, and everything that spawns, watches and ends a worker.
//!
//! The rest of the tool starts no processes. What is searched for, and what an outcome means, is not known here.

// Starting processes is what this crate is for; everywhere else it is banned.
#![allow(clippy::disallowed_methods)]

mod binary;
mod cache;
mod cargo;
mod context;
mod error;
mod harness;
mod process;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/elsewhere.rs"]
mod sandbox;
mod source_file;
mod verify;
mod worker;

pub use binary::branches::{Branch, Side};
pub use binary::edges::{Edges, SourcePlace};
pub use cache::{Cache, DirectoryLock, Fingerprint, write_durably, write_if_changed, write_whole};
pub use cargo::crate_spec::{BadCrateSpec, CrateSpec};
pub use cargo::diagnostic::{Diagnostic, DiagnosticPlace};
pub use cargo::registry::{default_target_directory, fetch};
pub use cargo::similar::similar;
pub use cargo::target::{FeatureFlags, LockFlags, Origin, Selection, Target, find_targets};
pub use cargo::toolchain::{Toolchain, toolchain};
pub use context::{CargoContext, Listener};
pub use error::{CargoError, ErrorClass, disk_full_line};
pub use harness::HarnessDir;
pub use harness::compile::{BuildReport, CheckReport};
pub use harness::contract_checks::{CONTRACT_CHECKS_COMMAND, SPECIFICATIONS_COMMAND};
pub use harness::counted_sources::CountedSources;
pub use harness::dependencies::Dependency;
pub use harness::doc::{Documented, Library};
pub use harness::manifest::Profile;
pub use harness::runtime::{RUNTIME_CRATE, add_runtime_to};
pub use harness::sanitizer::{SanitizedBuild, Sanitizer};
pub use harness::wrapper::run_as_wrapper_if_asked;
pub use sandbox::Sandbox;
pub use source_file::{SourceFiles, read_named_source};
pub use verify::suite::CompiledSuite;
pub use verify::{RunResult, RunStatus, TestFile, Verified, VerifyOptions};
pub use worker::pool::{Pool, PoolOptions};

#[cfg(not(target_os = "linux"))]
pub use worker::pool::GARBLED_EXIT;
#[cfg(target_os = "linux")]
pub use worker::runner::GARBLED_EXIT;

/// An error where workers cannot run, so that nobody waits for a build in vain.
pub fn check_system() -> Result<(), CargoError> {
    if cfg!(target_os = "linux") { Ok(()) } else { Err(CargoError::UnsupportedSystem) }
}
