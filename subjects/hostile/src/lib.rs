//! Functions that do everything a tool that calls them must survive. One evil each; nobody should call them.
//!
//! They are armed only if the environment variable `HOSTILE_CANARY` names a directory *when they are compiled*. It is what they attack:
//! it holds a file `precious` and a directory `home` with another one. `HOSTILE_PORT` may be a port on which somebody
//! listens. Without it, every function returns at once.

pub mod files;
pub mod memory;
pub mod network;
pub mod processes;
pub mod survivors;
pub mod system;
pub mod time;

mod c;

use std::path::Path;

/// The directory under attack.
fn canary() -> Option<&'static Path> {
    option_env!("HOSTILE_CANARY").map(Path::new)
}

fn is_armed() -> bool {
    canary().is_some()
}
