//! Runs batches in one worker at a time, and finds for every program what became of it, whatever happens to the worker.
//!
//! Decision: `docs/decisions/053-a-killed-worker-is-no-evidence.md`

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use provoke_wire::{
    Batch, BatchReport, Ending, Outcome, PageReading, Program, Request, RunOptions, Table, WatchedEdges, Writer,
};

use crate::binary::symbols::Symbols;
use crate::process::MAX_KILLS;
use crate::sandbox::directories;
use crate::worker::attempt::{Attempt, Reply, Sending};
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
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.interrupt.load(Ordering::Relaxed)
    }

    /// What a worker said in the end.
    pub(crate) fn last_output(&self, worker: &Worker) -> String {
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
        let mut pending = Pending::all_of(batch.programs.len());
        let mut n_false_starts = 0;
        while let Some(range) = pending.ranges.pop() {
            let attempt = self.attempt(batch, range.clone(), n_known)?;
            if !matches!(attempt, Attempt::Done(_)) {
                self.plan.n_restarts.fetch_add(1, Ordering::Relaxed);
            }
            n_false_starts = match &attempt {
                Attempt::FalseStart(reason) if n_false_starts + 1 == MAX_FALSE_STARTS => {
                    return Err(Failure::NoWorker(reason.clone()));
                }
                Attempt::FalseStart(_) => n_false_starts + 1,
                Attempt::Killed { .. } => n_false_starts,
                _ => 0,
            };
            let attempt = self.decided(batch, &range, attempt, n_known)?;
            pending.take(range, attempt);
        }
        Ok(BatchReport {
            number: batch.number,
            outcomes: pending.outcomes.into_iter().map(Option::unwrap_or_default).collect(),
            // The worker is replaced here; whether one asked for it depends on what else it has run.
            wants_renewal: false,
        })
    }

    /// The attempt with an outcome that counts.
    fn decided(
        &mut self,
        batch: &Batch,
        range: &Range<usize>,
        attempt: Attempt,
        n_known: usize,
    ) -> Result<Attempt, Failure> {
        match attempt {
            // After the last program comes the report, and that can fail for what an earlier program did.
            Attempt::Died { at, has_traces, .. } if at > 0 && (has_traces || at + 1 >= range.len()) => {
                let outcome = self.run_once(&batch.programs[range.start + at], batch.options, n_known)?;
                Ok(Attempt::Died { at, outcome, has_traces })
            }
            Attempt::OverLimit { at, .. } if batch.options.patience > 0 => {
                let outcome = self.decide(&batch.programs[range.start + at], batch.options, n_known)?;
                Ok(Attempt::OverLimit { at, outcome })
            }
            attempt => Ok(attempt),
        }
    }

    fn attempt(&mut self, batch: &Batch, range: Range<usize>, n_known: usize) -> Result<Attempt, Failure> {
        let was_fresh = self.worker.is_none();
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.plan.spawn(&self.directory)?,
        };
        if range.end == batch.programs.len() {
            self.plan.encode(batch, range.start, n_known, &mut worker, &mut self.writer);
        } else {
            self.plan.encode(&part(batch, range.clone()), 0, n_known, &mut worker, &mut self.writer);
        }
        let sending = Sending {
            message: &self.writer.bytes,
            number: batch.number,
            programs: &batch.programs[range],
            limits: Limits::new(self.plan.call_limit),
            was_fresh,
            wants_stack: batch.options.stack,
        };
        let Reply { attempt, wants_renewal } = sending.run(&mut worker, &self.plan)?;
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
            let sending = Sending {
                message: &self.writer.bytes,
                number: batch.number,
                programs: &batch.programs,
                limits,
                was_fresh: true,
                wants_stack: options.stack,
            };
            match sending.run(&mut worker, &self.plan)?.attempt {
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

/// What is left to do of a batch.
struct Pending {
    /// The last one comes first.
    ranges: Vec<Range<usize>>,
    /// By program of the batch.
    outcomes: Vec<Option<Outcome>>,
    n_kills: Vec<u32>,
}

impl Pending {
    fn all_of(n_programs: usize) -> Pending {
        let mut pending =
            Pending { ranges: Vec::new(), outcomes: vec![None; n_programs], n_kills: vec![0; n_programs] };
        pending.push(0..n_programs);
        pending
    }

    fn push(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.ranges.push(range);
        }
    }

    fn take(&mut self, range: Range<usize>, attempt: Attempt) {
        match attempt {
            Attempt::Done(outcomes) => {
                self.push(range.start + outcomes.len()..range.end);
                for (place, outcome) in outcomes.into_iter().enumerate() {
                    self.outcomes[range.start + place] = Some(outcome);
                }
            }
            Attempt::Killed { at, .. } if self.n_kills[range.start + at] + 1 < MAX_KILLS => {
                self.n_kills[range.start + at] += 1;
                self.push(range);
            }
            Attempt::Died { at, outcome, .. }
            | Attempt::OverLimit { at, outcome }
            | Attempt::Killed { at, outcome } => {
                let at = range.start + at;
                self.outcomes[at] = Some(outcome);
                // What came before died with the report. It goes last onto the stack, so it is run first.
                self.push(at + 1..range.end);
                self.push(range.start..at);
            }
            // Any program may have done it: halve until it is found, the last time in a worker of its own.
            Attempt::Garbled { .. } if range.len() > 1 => {
                let middle = range.start + range.len() / 2;
                self.push(middle..range.end);
                self.push(range.start..middle);
            }
            Attempt::Garbled { reading, last_output, was_fresh: true } => {
                self.outcomes[range.start] = Some(garbled(reading, last_output));
            }
            Attempt::Garbled { .. } | Attempt::FalseStart(_) => self.push(range),
        }
    }
}

fn part(batch: &Batch, range: Range<usize>) -> Batch {
    let (number, options) = (batch.number, batch.options);
    Batch { number, options, programs: batch.programs[range].to_vec(), news: Vec::new() }
}

fn garbled(reading: PageReading, last_output: String) -> Outcome {
    Outcome {
        ending: Ending::Exit { statement: reading.statement, phase: reading.phase, code: GARBLED_EXIT },
        blocked: reading.blocked,
        last_output,
        ..Outcome::default()
    }
}
