//! The search: components, strategies, literal pools, verdicts and the minimiser.
//!
//! The engine knows nothing of rustdoc or processes. It is given an [`Api`] and something that runs programs.

mod api;
mod builder;
mod check;
mod components;
mod executor;
mod graph;
mod literals;
mod loans;
mod options;
mod rng;
#[cfg(test)]
mod sample;
mod search;
mod seen;

pub use api::{Api, Flow, FlowPart, FlowTarget, FunctionFacts, Op, OpRole, Wants};
pub use check::{CheckError, Rule, accepts, check, check_program, is_copy, needs_drop};
pub use executor::{Executor, ExecutorError};
pub use graph::Graph;
pub use literals::{Literals, Mined};
pub use loans::Loans;
pub use options::{SearchOptions, Strategy};
pub use search::{Search, Sink, Stats, Suspect};
