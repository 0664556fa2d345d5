//! The search: components, strategies, literal pools, verdicts and the minimiser.
//!
//! The engine knows nothing of rustdoc or processes. It is given an [`Api`] and something that runs programs.

mod api;
mod executor;

pub use api::{Api, Flow, FlowPart, FlowTarget, FunctionFacts, Op, OpRole};
pub use executor::{Executor, ExecutorError};
