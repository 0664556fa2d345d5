//! `repro`: our figures beside those that were published about other systems, a system at a time.
//!
//! Every finished run of the tool is kept (`ledger.rs`), so that a repro that was stopped goes on where it was.

pub mod ablations;
pub mod bench;
pub mod containers;
pub mod frontier;
pub mod infeasible;
pub mod ledger;
pub mod predicates;
pub mod randoop;
pub mod reached;
pub mod sample;
pub mod spread;
pub mod t2;
pub mod trial;
