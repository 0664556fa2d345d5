//! `bench`: calls per second, beside other ways to call, and with and without a part of the tool.

mod cost;
mod coverage;
mod isolation;
mod throughput;

use clap::Subcommand;

/// What is compared.
#[derive(Debug, Subcommand)]
pub enum Comparison {
    /// Compares calls per second of Provoke, a native loop, proptest and quickcheck
    Throughput(throughput::Options),
    /// Compares calls per second with and without the sandbox
    Isolation(isolation::Options),
    /// Compares calls per second with and without counters of edges in the worker
    Coverage(coverage::Options),
}

pub fn run(comparison: &Comparison) -> Result<(), String> {
    match comparison {
        Comparison::Throughput(options) => throughput::run(options),
        Comparison::Isolation(options) => isolation::run(options),
        Comparison::Coverage(options) => coverage::run(options),
    }
}
