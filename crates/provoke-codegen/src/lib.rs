//! From a model to a harness, and from a program back to Rust source. No I/O here.

mod op;

pub use op::{OpText, PlannedFlow, PlannedOp, Role};
