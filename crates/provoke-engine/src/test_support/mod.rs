//! Tests of all folders share a toy API, a notation for programs over it, and a stand-in for workers.

pub mod fake;
pub mod sample;
