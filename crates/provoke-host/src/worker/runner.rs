//! Runs batches in one worker at a time, and finds for every program what became of it, whatever happens to the worker.
//!
//! Decision: `docs/decisions/053-a-killed-worker-is-no-evidence.md`

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use std::os::unix::process::ExitStatusExt;

use provoke_wire::{
    Batch, BatchReport, Blocked, Ending, Forbidden, LastWords, Outcome, PageReading, Program, Request, RunOptions,
    StatementKind, Table, WatchedEdges, Writer,
};

use crate::binary::symbols::Symbols;
use crate::process::MAX_KILLS;
use crate::sandbox::directories;
use crate::worker::limits::{Limits, Stopwatch};
use crate::worker::occupation::Occupation;
use crate::worker::process::{NoReply, Worker, WorkerPlan};

/// The exit code given to a program whose worker answered nonsense. No process can have it.
pub const GARBLED_EXIT: i32 = -1;

/// Workers that die before they have started anything, in a row, before it is given up.
const MAX_FALSE_STARTS: u32 = 3;
/// Nobody builds a table for that long.
const DESCRIBE_LIMIT: Duration = Duration::from_secs(60);

/// Why a runner has no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The pool is being dropped, or the user interrupted.
    Stopped,
    /// For the user.
    NoWorker(String),
}

/// What all runners of a pool share.
#[derive(Clone, Debug)]
pub(crate) struct RunnerPlan {
    pub(crate) worker: WorkerPlan,
    pub(crate) call_limit: Duration,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) interrupt: Arc<AtomicBool>,
    /// Workers that ended otherwise than by our wish.
    pub(crate) n_restarts: Arc<AtomicU64>,
    /// What workers report of the edges that programs reach.
    pub(crate) watch: Option<Arc<WatchedEdges>>,
    /// All edges that batches have told of so far, in that order.
    pub(crate) known_edges: Arc<Mutex<Vec<u32>>>,
    pub(crate) occupation: Arc<Occupation>,
    /// To make stacks and the reports of a sanitizer readable.
    pub(crate) symbols: Arc<Symbols>,
}

impl RunnerPlan {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.interrupt.load(Ordering::Relaxed)
    }

    /// What a worker said in the end.
    fn last_output(&self, worker: &Worker) -> String {
        self.symbols.in_report(worker.last_output())
    }

    /// How many are known with these.
    pub(crate) fn add_known_edges(&self, news: &[u32]) -> usize {
        let mut known = self.known_edges.lock().unwrap_or_else(|error| error.into_inner());
        known.extend_from_slice(news);
        known.len()
    }

    /// Encodes a batch for a worker, and tells it before what it has missed.
    fn encode(&self, batch: &Batch, skip: usize, n_known: usize, worker: &mut Worker, writer: &mut Writer) {
        let Some(watch) = self.watch.as_ref().filter(|_| batch.options.coverage) else {
            return batch.encode(skip, &[], writer);
        };
        if !worker.is_watching {
            worker.is_watching = true;
            worker.announce(&Request::encode_watch(watch));
        }
        let known = self.known_edges.lock().unwrap_or_else(|error| error.into_inner());
        let news = known.get(worker.n_known_edges..n_known).unwrap_or_default();
        worker.n_known_edges += news.len();
        batch.encode(skip, news, writer);
    }

    fn spawn(&self, directory: &Path) -> Result<Worker, Failure> {
        Worker::spawn(&self.worker, directory).map_err(|error| {
            let executable = self.worker.executable.display();
            Failure::NoWorker(format!("cannot start a worker `{executable}`: {error}"))
        })
    }
}

/// What one attempt at a range of programs came to.
enum Attempt {
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

pub(crate) struct Runner {
    plan: RunnerPlan,
    worker: Option<Worker>,
    /// Which generation of workers the one at work belongs to.
    generation: u64,
    writer: Writer,
    /// Of the worker that is kept.
    directory: PathBuf,
    /// Of workers that run one program and end, while the other may be alive.
    directory_aside: PathBuf,
}

impl Runner {
    /// `number` tells it from the other runners of the plan.
    pub(crate) fn new(plan: RunnerPlan, number: usize) -> Runner {
        let directory = |nth| directories::nth(&plan.worker.scratch_directory, nth);
        let (directory, directory_aside) = (directory(2 * number), directory(2 * number + 1));
        Runner { plan, worker: None, generation: 0, writer: Writer::default(), directory, directory_aside }
    }

    /// Replaces the worker if it is of another generation.
    pub(crate) fn of_generation(&mut self, generation: u64) -> &mut Runner {
        if self.generation != generation {
            self.generation = generation;
            self.worker = None;
        }
        self
    }

    /// Ends the worker that is kept.
    pub(crate) fn dismiss(&mut self) {
        self.worker = None;
    }

    /// What the worker can do.
    pub(crate) fn describe(&mut self) -> Result<Table, Failure> {
        let mut worker = self.plan.spawn(&self.directory)?;
        let mut stopwatch = Stopwatch::new(Limits::new(DESCRIBE_LIMIT));
        let plan = &self.plan;
        let (request, tick) = (Request::encode_describe(), Limits::new(plan.call_limit).tick());
        let reply = worker.ask(&request, &mut stopwatch, tick, &|_| plan.is_stopped(), false);
        let table = match reply {
            Ok(bytes) => Table::decode(&bytes).map_err(|error| error.to_string()),
            Err(NoReply::Stopped) => return Err(Failure::Stopped),
            Err(no_reply) => Err(format!("{no_reply:?}")),
        };
        match table {
            Ok(table) => {
                self.worker = Some(worker);
                Ok(table)
            }
            Err(reason) => Err(Failure::NoWorker(format!(
                "a worker cannot describe itself ({reason}): {}",
                worker.last_output().trim()
            ))),
        }
    }

    /// One outcome per program. Programs that kill or block the worker cost that worker and nothing else. Of the edges that
    /// batches have told of, the first so many are not reported again.
    pub(crate) fn run_batch(&mut self, batch: &Batch, n_known: usize) -> Result<BatchReport, Failure> {
        let mut outcomes: Vec<Option<Outcome>> = Vec::new();
        outcomes.resize_with(batch.programs.len(), || None);
        let mut pending = vec![(0, batch.programs.len())];
        let mut n_false_starts = 0;
        let mut n_kills = vec![0; batch.programs.len()];
        while let Some((from, to)) = pending.pop() {
            if from == to {
                continue;
            }
            let attempt = self.attempt(batch, (from, to), n_known)?;
            if !matches!(attempt, Attempt::Done(_)) {
                self.plan.n_restarts.fetch_add(1, Ordering::Relaxed);
            }
            match attempt {
                Attempt::Done(list) => {
                    n_false_starts = 0;
                    pending.push((from + list.len(), to));
                    for (place, outcome) in list.into_iter().enumerate() {
                        outcomes[from + place] = Some(outcome);
                    }
                }
                Attempt::Died { at, outcome, has_traces } => {
                    n_false_starts = 0;
                    // After the last program comes the report, and that can fail for what an earlier program did.
                    let is_certain = at == 0 || at + 1 < to - from && !has_traces;
                    outcomes[from + at] = Some(if is_certain {
                        outcome
                    } else {
                        self.run_once(&batch.programs[from + at], batch.options, n_known)?
                    });
                    // What came before died with the report. It goes last onto the stack, so it is run first.
                    pending.push((from + at + 1, to));
                    pending.push((from, from + at));
                }
                Attempt::OverLimit { at, outcome } => {
                    n_false_starts = 0;
                    let program = &batch.programs[from + at];
                    outcomes[from + at] = Some(if batch.options.patience == 0 {
                        outcome
                    } else {
                        self.decide(program, batch.options, n_known)?
                    });
                    pending.push((from + at + 1, to));
                    pending.push((from, from + at));
                }
                Attempt::Garbled { reading, last_output, was_fresh } => {
                    n_false_starts = 0;
                    // Any program may have done it: halve until it is found, the last time in a worker of its own.
                    if to - from > 1 {
                        let middle = from + (to - from) / 2;
                        pending.push((middle, to));
                        pending.push((from, middle));
                    } else if was_fresh {
                        outcomes[from] = Some(garbled(reading, last_output));
                    } else {
                        pending.push((from, to));
                    }
                }
                Attempt::Killed { at, .. } if n_kills[from + at] + 1 < MAX_KILLS => {
                    n_kills[from + at] += 1;
                    pending.push((from, to));
                }
                Attempt::Killed { at, outcome } => {
                    outcomes[from + at] = Some(outcome);
                    pending.push((from + at + 1, to));
                    pending.push((from, from + at));
                }
                Attempt::FalseStart(reason) => {
                    n_false_starts += 1;
                    if n_false_starts == MAX_FALSE_STARTS {
                        return Err(Failure::NoWorker(reason));
                    }
                    pending.push((from, to));
                }
            }
        }
        Ok(BatchReport {
            number: batch.number,
            outcomes: outcomes.into_iter().map(Option::unwrap_or_default).collect(),
            // The worker is replaced here; whether one asked for it depends on what else it has run.
            wants_renewal: false,
        })
    }

    fn attempt(&mut self, batch: &Batch, (from, to): (usize, usize), n_known: usize) -> Result<Attempt, Failure> {
        let was_fresh = self.worker.is_none();
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.plan.spawn(&self.directory)?,
        };
        if to == batch.programs.len() {
            self.plan.encode(batch, from, n_known, &mut worker, &mut self.writer);
        } else {
            self.plan.encode(&part(batch, from, to), 0, n_known, &mut worker, &mut self.writer);
        }
        let limits = Limits::new(self.plan.call_limit);
        let (attempt, wants_renewal) = try_range(
            &mut worker,
            &self.writer.bytes,
            (batch.number, &batch.programs[from..to]),
            limits,
            was_fresh,
            batch.options.stack,
            &self.plan,
        )?;
        if matches!(attempt, Attempt::Done(_)) && !wants_renewal {
            self.worker = Some(worker);
        }
        Ok(attempt)
    }

    /// The program alone in a fresh worker, with the limit that is given to a first run, and ten times that if need be.
    /// No edge is known.
    pub(crate) fn run_fresh(&mut self, program: &Program, options: RunOptions) -> Result<Outcome, Failure> {
        self.run_once(program, options, 0)
    }

    fn run_once(&mut self, program: &Program, options: RunOptions, n_known: usize) -> Result<Outcome, Failure> {
        let limits = Limits::new(self.plan.call_limit * options.patience.max(1));
        match self.run_alone(program, options, limits, n_known)? {
            (outcome, is_over) if !is_over || options.patience == 0 => Ok(outcome),
            _ => self.decide(program, options, n_known),
        }
    }

    /// The run that counts for a program that was over its limit.
    fn decide(&mut self, program: &Program, options: RunOptions, n_known: usize) -> Result<Outcome, Failure> {
        let limits = Limits::new(self.plan.call_limit * options.patience.max(1)).relaxed();
        Ok(self.run_alone(program, options, limits, n_known)?.0)
    }

    /// The outcome, and whether the limit ended it.
    fn run_alone(
        &mut self,
        program: &Program,
        options: RunOptions,
        limits: Limits,
        n_known: usize,
    ) -> Result<(Outcome, bool), Failure> {
        let batch = Batch { number: 0, options, programs: vec![program.clone()], news: Vec::new() };
        let mut reason = String::new();
        let mut n_kills = 0;
        for _ in 0..MAX_FALSE_STARTS + MAX_KILLS {
            let mut worker = self.plan.spawn(&self.directory_aside)?;
            self.plan.encode(&batch, 0, n_known, &mut worker, &mut self.writer);
            let bytes = &self.writer.bytes;
            match try_range(&mut worker, bytes, (0, &batch.programs), limits, true, options.stack, &self.plan)?.0 {
                Attempt::Done(outcomes) => {
                    return Ok((outcomes.into_iter().next().unwrap_or_default(), false));
                }
                Attempt::Killed { .. } if n_kills + 1 < MAX_KILLS => n_kills += 1,
                Attempt::Died { outcome, .. } | Attempt::Killed { outcome, .. } => return Ok((outcome, false)),
                Attempt::OverLimit { outcome, .. } => return Ok((outcome, true)),
                Attempt::Garbled { reading, last_output, .. } => {
                    return Ok((garbled(reading, last_output), false));
                }
                Attempt::FalseStart(why) => reason = why,
            }
        }
        Err(Failure::NoWorker(reason))
    }
}

/// Sends encoded programs to a worker and makes sense of what comes, or does not come, back.
fn try_range(
    worker: &mut Worker,
    message: &[u8],
    (number, programs): (u64, &[Program]),
    limits: Limits,
    was_fresh: bool,
    wants_stack: bool,
    plan: &RunnerPlan,
) -> Result<(Attempt, bool), Failure> {
    let n_started_before = worker.reading().n_started;
    let mut stopwatch = Stopwatch::new(limits);
    let seen_before = Cell::new(None);
    let look = |reading: PageReading| {
        let seen = Some((reading.n_started, reading.statement));
        let is_same_call = seen_before.replace(seen) == seen;
        if is_same_call
            && reading.n_started != n_started_before
            && let Some(op) = called(programs, reading)
        {
            plan.occupation.add(op, limits.tick());
        }
        plan.is_stopped()
    };
    let reply = worker.ask(message, &mut stopwatch, limits.tick(), &look, wants_stack);
    let mut reading = worker.reading();
    let stack = if wants_stack && reply.is_err() { plan.symbols.backtrace(&worker.stack()) } else { String::new() };
    let last_output = plan.last_output(worker);
    let at = reading.program as usize;
    let has_started = reading.n_started != n_started_before && at < programs.len();
    if let Some(program) = programs.get(at).or(programs.first()) {
        // The page is memory of a process in which anything may have happened.
        reading.statement = reading.statement.min((program.main.statements.len() as u32).saturating_sub(1));
    }
    let garbled = |last_output| Attempt::Garbled { reading, last_output, was_fresh };
    let attempt = match reply {
        Ok(bytes) => match BatchReport::decode(&bytes) {
            Ok(report) if report.number == number && fits(&report, programs, plan.watch.as_deref()) => {
                return Ok((Attempt::Done(report.outcomes), report.wants_renewal));
            }
            _ => garbled(last_output),
        },
        Err(NoReply::Stopped) => return Err(Failure::Stopped),
        Err(NoReply::Garbled) => garbled(last_output),
        Err(NoReply::Died(_)) if reading.last_words == LastWords::ProtocolError => {
            if !has_started {
                return Err(Failure::NoWorker(format!(
                    "a worker did not understand its programs, which is a bug in Provoke: {}",
                    last_output.trim()
                )));
            }
            garbled(last_output)
        }
        Err(NoReply::Died(status)) if has_started => {
            let ending = ending(status, reading, &last_output);
            let blocked = reading.blocked.or_else(|| blocked_by(status, reading));
            let outcome = Outcome { ending, blocked, last_output, stack, ..Outcome::default() };
            match ending {
                Ending::Signal { signal: libc::SIGKILL, .. } => Attempt::Killed { at, outcome },
                _ => Attempt::Died { at, outcome, has_traces: reading.has_traces },
            }
        }
        Err(NoReply::Exhausted) if has_started => {
            let ending = Ending::MemoryExhausted { statement: reading.statement, phase: reading.phase };
            let outcome = Outcome { ending, blocked: reading.blocked, last_output, ..Outcome::default() };
            Attempt::Died { at, outcome, has_traces: reading.has_traces }
        }
        Err(NoReply::OverLimit) if has_started => Attempt::OverLimit {
            at,
            outcome: Outcome {
                ending: Ending::TimedOut { statement: reading.statement, phase: reading.phase },
                blocked: reading.blocked,
                last_output,
                stack,
                ..Outcome::default()
            },
        },
        Err(no_reply) => Attempt::FalseStart(format!(
            "a worker ended before it started a program ({no_reply:?}): {}",
            last_output.trim()
        )),
    };
    Ok((attempt, false))
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

fn part(batch: &Batch, from: usize, to: usize) -> Batch {
    let (number, options) = (batch.number, batch.options);
    Batch { number, options, programs: batch.programs[from..to].to_vec(), news: Vec::new() }
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

fn garbled(reading: PageReading, last_output: String) -> Outcome {
    Outcome {
        ending: Ending::Exit { statement: reading.statement, phase: reading.phase, code: GARBLED_EXIT },
        blocked: reading.blocked,
        last_output,
        ..Outcome::default()
    }
}
