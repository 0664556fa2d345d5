//! The pool on systems where workers cannot run: it can be named, and never exists.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use provoke_engine::{Executor, ExecutorError};
use provoke_wire::{Batch, BatchReport, Outcome, Program, RunOptions, Table, WatchedEdges};

use crate::Sandbox;
use crate::error::CargoError;
use crate::harness::sanitizer::Sanitizer;

/// The exit code given to a program whose worker answered nonsense. No process can have it.
pub const GARBLED_EXIT: i32 = -1;

#[derive(Clone, Debug)]
pub struct PoolOptions {
    pub jobs: usize,
    pub call_limit: Duration,
    pub sanitizer: Sanitizer,
    pub memory_limit: u64,
    pub scratch_directory: PathBuf,
    pub sandbox: Sandbox,
    pub limits_address_space: bool,
    pub watch: Option<Arc<WatchedEdges>>,
    pub interrupt: Arc<AtomicBool>,
}

impl PoolOptions {
    pub fn new(scratch_directory: impl Into<PathBuf>) -> PoolOptions {
        PoolOptions {
            jobs: 1,
            call_limit: Duration::from_millis(500),
            sanitizer: Sanitizer::None,
            memory_limit: 512 << 20,
            scratch_directory: scratch_directory.into(),
            sandbox: Sandbox::off(),
            limits_address_space: true,
            watch: None,
            interrupt: Arc::default(),
        }
    }
}

pub struct Pool {
    never: Infallible,
}

impl Pool {
    pub fn start(_: &Path, _: &PoolOptions) -> Result<(Pool, Table), ExecutorError> {
        Err(ExecutorError(CargoError::UnsupportedSystem.to_string()))
    }

    pub fn restarts(&self) -> u64 {
        match self.never {}
    }

    pub fn longest_occupied_by(&self) -> Option<u32> {
        match self.never {}
    }
}

impl Executor for Pool {
    fn submit(&mut self, _: Batch) -> Result<(), ExecutorError> {
        match self.never {}
    }

    fn receive(&mut self, _: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        match self.never {}
    }

    fn run_warm(&mut self, _: Vec<Program>, _: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        match self.never {}
    }

    fn run_fresh(&mut self, _: &[Program], _: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        match self.never {}
    }
}
