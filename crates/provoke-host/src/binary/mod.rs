//! What an instrumented executable tells of the target: edges, branches, and where they are in the sources.

pub mod branches;
pub mod control_flow;
pub mod edges;
pub mod landing_pads;
pub mod noreturn;
pub mod reachability;
#[cfg(target_os = "linux")]
pub mod symbols;
pub mod tables;
