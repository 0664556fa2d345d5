//! Tests of findings, compiled and run before anyone sees them.

pub mod spelling;
pub mod steps;
pub mod verifier;
