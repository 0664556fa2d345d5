//! Developer tasks, as a library so that tests can run them too.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "developer tasks print for people and start cargo themselves"
)]

pub mod cargo;
pub mod cold_start;
pub mod cores;
pub mod corpus;
mod cost;
pub mod coverage;
pub mod crate_list;
pub mod figures;
pub mod isolation;
pub mod measurement;
pub mod option_value;
pub mod provoke;
pub mod repro;
pub mod skips;
pub mod soak;
pub mod survey;
pub mod survey_table;
pub mod table;
pub mod throughput;
pub mod tidy;
pub mod unchanged;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}
