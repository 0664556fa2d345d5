//! `repro`: our figures beside those that were published about other systems, a system at a time.
//!
//! Every finished run of the tool is kept (`ledger.rs`), so that a repro that was stopped goes on where it was.

mod ablations;
mod bench;
mod containers;
mod frontier;
mod infeasible;
mod ledger;
mod predicates;
mod randoop;
mod reached;
mod sample;
mod spread;
mod t2;
mod trial;

use clap::Subcommand;

/// The system whose figures are published.
#[derive(Debug, Subcommand)]
pub enum System {
    /// Our figures beside those published about Randoop: containers, branches, ablations
    Randoop(randoop::Options),
    /// Our figures beside those published about T2: coverage of four classes with as many calls
    T2(t2::Options),
}

pub fn run(system: &System) -> Result<(), String> {
    match system {
        System::Randoop(options) => randoop::run(options),
        System::T2(options) => t2::run(options),
    }
}
