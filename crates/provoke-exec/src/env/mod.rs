//! The process that code under test runs in: its sandbox, stack, panics, threads, and what std draws from outside.

pub mod confinement;
#[doc(hidden)]
pub mod deterministic_env;
pub mod panics;
pub mod stack;
pub mod sys;
pub mod threads;
