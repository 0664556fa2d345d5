//! Contracts that a crate states about itself; who is to blame is decided by the engine's rules.

pub mod invariant;
pub mod postcondition;
pub mod precondition;
