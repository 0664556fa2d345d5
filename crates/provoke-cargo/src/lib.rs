//! Everything that runs cargo or rustc, and everything that spawns, watches and ends a worker.
//!
//! The rest of the tool starts no processes. What is searched for, and what an outcome means, is not known here.

// Starting processes is what this crate is for; everywhere else it is banned.
#![allow(clippy::disallowed_methods)]

mod cache;
mod compile;
mod conditions;
mod contract_checks;
mod control_flow;
mod counted_sources;
mod courses;
mod crate_spec;
mod dead_ends;
mod dependencies;
mod diagnostic;
mod doc;
mod edges;
mod error;
mod format;
mod harness;
mod instrument;
mod invocation;
mod landing_pads;
mod manifest;
#[cfg(target_os = "linux")]
mod occupation;
mod process;
mod rebuild;
mod registry;
mod runtime;
mod sanitizer;
mod similar;
mod source_file;
mod suite;
mod surroundings;
mod tables;
mod target;
mod toolchain;
mod verify;
mod wrapper;

#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod page;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(not(target_os = "linux"))]
#[path = "pool_elsewhere.rs"]
mod pool;
#[cfg(target_os = "linux")]
mod runner;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox_elsewhere.rs"]
mod sandbox;
#[cfg(target_os = "linux")]
mod spawn;
#[cfg(target_os = "linux")]
mod symbols;
#[cfg(target_os = "linux")]
mod worker;

pub use cache::{Cache, DirectoryLock, Fingerprint, write_durably, write_if_changed, write_whole};
pub use compile::{BuildReport, CheckReport};
pub use conditions::{Condition, Side};
pub use contract_checks::{CONTRACT_CHECKS_COMMAND, SPECIFICATIONS_COMMAND};
pub use counted_sources::CountedSources;
pub use crate_spec::{BadCrateSpec, CrateSpec};
pub use dependencies::Dependency;
pub use diagnostic::{Diagnostic, Place};
pub use doc::{Documented, Library};
pub use edges::{Edges, SourcePlace};
pub use error::{CargoError, ErrorClass, disk_full_line};
pub use harness::HarnessDir;
pub use manifest::Profile;
pub use pool::{Pool, PoolOptions};
pub use registry::{default_target_directory, fetch};
pub use runtime::{RUNTIME_CRATE, add_runtime_to};
pub use sandbox::Sandbox;
pub use sanitizer::{SanitizedBuild, Sanitizer};
pub use similar::similar;
pub use source_file::{SourceFiles, read_named_source};
pub use suite::CompiledSuite;
pub use surroundings::{Listener, Surroundings};
pub use target::{FeatureFlags, LockFlags, Origin, Selection, Target, find_targets};
pub use toolchain::{Toolchain, toolchain};
pub use verify::{RunResult, RunStatus, TestFile, Verified, VerifyOptions};
pub use wrapper::run_as_wrapper_if_asked;

#[cfg(not(target_os = "linux"))]
pub use pool::GARBLED_EXIT;
#[cfg(target_os = "linux")]
pub use runner::GARBLED_EXIT;

/// An error where workers cannot run, so that nobody waits for a build in vain.
pub fn check_system() -> Result<(), CargoError> {
    if cfg!(target_os = "linux") { Ok(()) } else { Err(CargoError::UnsupportedSystem) }
}
