//! The benchmark laboratory: runs Provoke over crates and says how much it finds, covers and calls.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "measurements print for people and start cargo and the tool themselves"
)]

mod corpus;
mod repro;
mod soak;
mod speed;
mod support;
mod survey;
mod tasks;
mod unchanged;

use std::path::{Path, PathBuf};

pub use tasks::Args;

/// The root of the workspace.
pub(crate) fn workspace_root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    bench.parent().unwrap_or(bench).to_owned()
}
