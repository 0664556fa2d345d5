//! The benchmark laboratory: runs Provoke over crates and says how much it finds, covers and calls.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "measurements print for people and start cargo and the tool themselves"
)]

pub mod corpus;
pub mod repro;
pub mod soak;
pub mod speed;
pub mod support;
pub mod survey;
pub mod unchanged;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench).to_owned()
}
