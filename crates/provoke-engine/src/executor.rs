//! The one seam to the outside: something that runs batches of programs.

use provoke_wire::{Batch, BatchReport, Outcome, Program, RunOptions};

/// No worker can be had any more; the message is for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutorError(pub String);

impl std::fmt::Display for ExecutorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExecutorError {}

/// Runs programs somewhere else. A program that kills its worker is an outcome, not an error.
pub trait Executor {
    /// Hands over a batch. Batches may run in any order and on any number of workers.
    fn submit(&mut self, batch: Batch) -> Result<(), ExecutorError>;

    /// Waits for the oldest submitted batch that was not received yet. One outcome per program, in order. Nothing if it is
    /// over before that.
    fn receive(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError>;

    /// Batches that are submitted from now on meet nothing that earlier ones left behind.
    fn renew_workers(&mut self) {}

    /// Neither do runs aside.
    fn renew_warm(&mut self) {}

    /// Runs programs at once, one after the other, on a worker kept for such questions: quick, but what one program leaves
    /// behind the next one finds.
    fn run_warm(&mut self, programs: Vec<Program>, options: RunOptions) -> Result<Vec<Outcome>, ExecutorError>;

    /// Runs each program alone in a fresh worker, with nothing left over from any other.
    fn run_fresh(&mut self, programs: &[Program], options: RunOptions) -> Result<Vec<Outcome>, ExecutorError>;
}
