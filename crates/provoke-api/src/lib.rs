//! What plan and search say of an operation: its role, its kind, which loans flow through it.
//!
//! The plan is made without the search, and the search knows nothing of the plan; this is what they have in common.
//! No part of the runtime: the worker knows operations by their numbers.

mod flow;
mod kind;
mod names;
mod role;

pub use flow::{Flow, FlowPart, FlowTarget};
pub use kind::OpKind;
pub use names::generic_name;
pub use role::OpRole;
