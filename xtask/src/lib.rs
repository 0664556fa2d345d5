//! Developer tasks, as a library so that tests can run them too.

pub mod measuring;
pub mod tidy;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}
