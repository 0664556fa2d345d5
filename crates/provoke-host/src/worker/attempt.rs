//! One attempt to have programs run by a worker, and what to make of what comes, or does not come, back.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use provoke_wire::{
    BatchReport, Blocked, Ending, Forbidden, LastWords, Outcome, PageReading, Program, StatementKind, WatchedEdges,
};

use crate::worker::limits::{Limits, Stopwatch};
use crate::worker::process::{NoReply, Worker};
use crate::worker::runner::{Failure, GARBLED_EXIT, RunnerPlan};

/// What one attempt at a range of programs came to.
pub(crate) enum Attempt {
    /// The first so many programs, or all of them.
    Done(Vec<Outcome>),
    /// Program `at` of the range ended the worker.
    Died {
        at: usize,
        outcome: Outcome,
        /// Programs before it may have left something behind that did it.
        has_traces: bool,
    },
    OverLimit {
        at: usize,
        outcome: Outcome,
    },
    Garbled {
        reading: PageReading,
        last_output: String,
        was_fresh: bool,
    },
    /// Somebody killed the worker while program `at` ran: another process, the system, or the program itself.
    Killed {
        at: usize,
        outcome: Outcome,
    },
    FalseStart(String),
}

/// Programs as they are sent to a worker.
pub(crate) struct Sending<'a> {
    pub(crate) message: &'a [u8],
    /// Of their batch.
    pub(crate) number: u64,
    pub(crate) programs: &'a [Program],
    pub(crate) limits: Limits,
    /// The worker has run nothing else.
    pub(crate) was_fresh: bool,
    pub(crate) wants_stack: bool,
}

/// What came of it, and whether the worker asks to be replaced.
pub(crate) struct Reply {
    pub(crate) attempt: Attempt,
    pub(crate) wants_renewal: bool,
}

/// The worker as it was when it had answered, or would not.
struct Seen {
    reading: PageReading,
    /// Which of the programs was running.
    at: usize,
    has_started: bool,
    stack: String,
    last_output: String,
}

impl Sending<'_> {
    /// Sends the programs to a worker and waits for it.
    pub(crate) fn run(&self, worker: &mut Worker, plan: &RunnerPlan) -> Result<Reply, Failure> {
        let n_started_before = worker.reading().n_started;
        let mut stopwatch = Stopwatch::new(self.limits);
        let seen_before = Cell::new(None);
        let look = |reading: PageReading| {
            let seen = Some((reading.n_started, reading.statement));
            let is_same_call = seen_before.replace(seen) == seen;
            if is_same_call
                && reading.n_started != n_started_before
                && let Some(op) = called(self.programs, reading)
            {
                plan.occupation.add(op, self.limits.tick());
            }
            plan.is_stopped()
        };
        let reply = worker.ask(self.message, &mut stopwatch, self.limits.tick(), &look, self.wants_stack);
        let seen = self.seen(worker, plan, n_started_before, self.wants_stack && reply.is_err());
        match reply {
            Ok(bytes) => Ok(self.read(&bytes, seen, plan.watch.as_deref())),
            Err(NoReply::Stopped) => Err(Failure::Stopped),
            Err(no_reply) => Ok(Reply { attempt: self.without_reply(no_reply, seen)?, wants_renewal: false }),
        }
    }

    fn seen(&self, worker: &mut Worker, plan: &RunnerPlan, n_started_before: u32, wants_stack: bool) -> Seen {
        let mut reading = worker.reading();
        let at = reading.program as usize;
        if let Some(program) = self.programs.get(at).or(self.programs.first()) {
            // The page is memory of a process in which anything may have happened.
            reading.statement = reading.statement.min((program.main.statements.len() as u32).saturating_sub(1));
        }
        Seen {
            reading,
            at,
            has_started: reading.n_started != n_started_before && at < self.programs.len(),
            stack: if wants_stack { plan.symbols.backtrace(&worker.stack()) } else { String::new() },
            last_output: plan.last_output(worker),
        }
    }

    fn read(&self, bytes: &[u8], seen: Seen, watch: Option<&WatchedEdges>) -> Reply {
        match BatchReport::decode(bytes) {
            Ok(report) if report.number == self.number && fits(&report, self.programs, watch) => {
                Reply { attempt: Attempt::Done(report.outcomes), wants_renewal: report.wants_renewal }
            }
            _ => Reply { attempt: self.garbled(seen), wants_renewal: false },
        }
    }

    fn without_reply(&self, no_reply: NoReply, seen: Seen) -> Result<Attempt, Failure> {
        let PageReading { statement, phase, blocked, has_traces, last_words, .. } = seen.reading;
        Ok(match no_reply {
            NoReply::Garbled => self.garbled(seen),
            NoReply::Died(_) if last_words == LastWords::ProtocolError && seen.has_started => self.garbled(seen),
            NoReply::Died(_) if last_words == LastWords::ProtocolError => {
                return Err(Failure::NoWorker(format!(
                    "a worker did not understand its programs, which is a bug in Provoke: {}",
                    seen.last_output.trim()
                )));
            }
            NoReply::Died(status) if seen.has_started => died(status, seen),
            NoReply::Exhausted if seen.has_started => {
                let ending = Ending::MemoryExhausted { statement, phase };
                let outcome = Outcome { ending, blocked, last_output: seen.last_output, ..Outcome::default() };
                Attempt::Died { at: seen.at, outcome, has_traces }
            }
            NoReply::OverLimit if seen.has_started => {
                let Seen { at, stack, last_output, .. } = seen;
                let ending = Ending::TimedOut { statement, phase };
                Attempt::OverLimit {
                    at,
                    outcome: Outcome { ending, blocked, last_output, stack, ..Outcome::default() },
                }
            }
            no_reply => Attempt::FalseStart(format!(
                "a worker ended before it started a program ({no_reply:?}): {}",
                seen.last_output.trim()
            )),
        })
    }

    fn garbled(&self, Seen { reading, last_output, .. }: Seen) -> Attempt {
        Attempt::Garbled { reading, last_output, was_fresh: self.was_fresh }
    }
}

fn died(status: ExitStatus, Seen { reading, at, stack, last_output, .. }: Seen) -> Attempt {
    let ending = ending(status, reading, &last_output);
    let blocked = reading.blocked.or_else(|| blocked_by(status, reading));
    let outcome = Outcome { ending, blocked, last_output, stack, ..Outcome::default() };
    match ending {
        Ending::Signal { signal: libc::SIGKILL, .. } => Attempt::Killed { at, outcome },
        _ => Attempt::Died { at, outcome, has_traces: reading.has_traces },
    }
}

/// What the statement calls that a worker is at.
fn called(programs: &[Program], reading: PageReading) -> Option<u32> {
    let statement = programs.get(reading.program as usize)?.main.statements.get(reading.statement as usize)?;
    (statement.kind == StatementKind::Call).then_some(statement.op)
}

/// Whether this can be the report on these programs: all have run; or some, and the others want another worker.
fn fits(report: &BatchReport, programs: &[Program], watch: Option<&WatchedEdges>) -> bool {
    let n_edges = watch.map_or(0, |watch| watch.n_edges);
    let (n_outcomes, n_programs) = (report.outcomes.len(), programs.len());
    let has_all = n_outcomes == n_programs || report.wants_renewal && (1..n_programs).contains(&n_outcomes);
    let fits = |outcome: &Outcome, program| outcome.fits(program) && outcome.edges.iter().all(|edge| *edge < n_edges);
    has_all && report.outcomes.iter().zip(programs).all(|(outcome, program)| fits(outcome, program))
}

/// What the death of a worker says about the program that it was running.
fn ending(status: ExitStatus, reading: PageReading, last_output: &str) -> Ending {
    let (statement, phase) = (reading.statement, reading.phase);
    if reading.last_words == LastWords::MemoryExhausted {
        return Ending::MemoryExhausted { statement, phase };
    }
    match status.signal() {
        // The words of std's handler, which then aborts.
        Some(libc::SIGABRT | libc::SIGSEGV) if last_output.contains("has overflowed its stack") => {
            Ending::StackOverflow { statement, phase }
        }
        Some(signal) => Ending::Signal { statement, phase, signal },
        None => Ending::Exit { statement, phase, code: status.code().unwrap_or(GARBLED_EXIT) },
    }
}

/// Deaths by which the sandbox refuses something.
fn blocked_by(status: ExitStatus, reading: PageReading) -> Option<Blocked> {
    let what = match status.signal()? {
        libc::SIGSYS => Forbidden::Other,
        libc::SIGXFSZ => Forbidden::FileSize,
        _ => return None,
    };
    Some(Blocked { what, statement: reading.statement, phase: reading.phase })
}
