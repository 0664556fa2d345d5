//! Several workers behind one `Executor`: batches go out to whoever is free and come back in the order they were submitted.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use provoke_engine::{Executor, ExecutorError, LANES};
use provoke_wire::{Batch, BatchReport, Outcome, Program, RunOptions, Table, WatchedEdges};

use crate::Sandbox;
use crate::binary::symbols::Symbols;
use crate::harness::sanitizer::Sanitizer;
use crate::worker::process::WorkerPlan;
use crate::worker::runner::{Failure, Runner, RunnerPlan};

/// How often a waiting caller looks at the interrupt flag.
const TICK: Duration = Duration::from_millis(20);

#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// Workers at work at the same time.
    pub jobs: usize,
    /// The time of one call, without waiting for a processor.
    pub call_limit: Duration,
    /// What the executable was built with.
    pub sanitizer: Sanitizer,
    /// Bytes that one worker may hold.
    pub memory_limit: u64,
    /// Emptied; then each worker has a directory of its own in it.
    pub scratch_directory: PathBuf,
    /// None, unless one is given.
    pub sandbox: Sandbox,
    /// Whether the address space of workers is bounded, too. Some tools reserve terabytes of it.
    pub limits_address_space: bool,
    /// What workers report of the edges that programs reach; nothing where the executable has no counters.
    pub watch: Option<Arc<WatchedEdges>>,
    /// When set, whoever waits is told so and the workers are killed.
    pub interrupt: Arc<AtomicBool>,
}

impl PoolOptions {
    pub fn new(scratch_directory: impl Into<PathBuf>) -> PoolOptions {
        PoolOptions {
            jobs: 1,
            call_limit: Duration::from_millis(200),
            sanitizer: Sanitizer::None,
            memory_limit: 256 << 20,
            scratch_directory: scratch_directory.into(),
            sandbox: Sandbox::off(),
            limits_address_space: true,
            watch: None,
            interrupt: Arc::default(),
        }
    }
}

/// Dropping it kills and reaps every worker.
pub struct Pool {
    shared: Arc<Shared>,
    plan: RunnerPlan,
    threads: Vec<JoinHandle<()>>,
    n_submitted: u64,
    n_received: u64,
    /// How often the workers were renewed.
    generation: u64,
    aside_generation: u64,
}

/// Batch *n* always runs on lane *n* modulo this, whatever the number of jobs. What code under test keeps in its process
/// (statics, the heap's addresses) therefore depends on the batches before it in its lane, and on nothing else.
const N_LANES: u64 = LANES as u64;

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// One worker each.
    lanes: Vec<Mutex<Runner>>,
    has_work: Condvar,
    has_result: Condvar,
}

#[derive(Default)]
struct State {
    is_closed: bool,
    batches: VecDeque<Submitted>,
    finished: BTreeMap<u64, (Batch, BatchReport)>,
    /// Someone waits for these right now, so they go first.
    fresh: VecDeque<(usize, Program, RunOptions)>,
    fresh_finished: BTreeMap<usize, Outcome>,
    /// With the generation of the worker that it is for.
    aside: Option<(u64, Batch)>,
    aside_finished: Option<BatchReport>,
    /// No worker can be had any more.
    failure: Option<String>,
}

/// A batch on its way to a worker.
struct Submitted {
    number: u64,
    generation: u64,
    /// How many edges are known to whoever made it.
    n_known_edges: usize,
    batch: Batch,
}

enum Work {
    Batch(Submitted),
    Fresh(usize, Program, RunOptions),
    Aside(u64, Batch),
}

/// What a thread takes on. Runs aside have one thread, and so one worker, for the sake of repeatable runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    Batches,
    AsideAndFresh,
    Fresh,
}

impl Shared {
    /// The worker for a batch. Two batches of one lane wait for each other; the search never has that many under way.
    fn lane(&self, number: u64) -> MutexGuard<'_, Runner> {
        let lane = &self.lanes[(number % N_LANES) as usize];
        lane.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No invariant of the state spans two critical sections, so a panic elsewhere leaves it usable.
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }
}

impl Pool {
    /// Starts the workers and asks one what it can do.
    pub fn start(executable: &Path, options: &PoolOptions) -> Result<(Pool, Table), ExecutorError> {
        let scratch_directory = prepare_scratch(&options.scratch_directory)?;
        let plan = RunnerPlan {
            worker: WorkerPlan {
                executable: executable.to_path_buf(),
                scratch_directory,
                memory_limit: options.memory_limit,
                address_space: options.limits_address_space.then(|| address_space(executable, options.memory_limit)),
                fence: options.sandbox.around(executable),
                sanitizer: options.sanitizer,
            },
            symbols: Arc::new(Symbols::of(executable)),
            call_limit: options.call_limit,
            stop: Arc::default(),
            interrupt: options.interrupt.clone(),
            n_restarts: Arc::new(AtomicU64::new(0)),
            watch: options.watch.clone(),
            known_edges: Arc::default(),
            occupation: Arc::default(),
        };
        let mut pool = Pool {
            shared: Arc::new(Shared {
                lanes: (0..N_LANES as usize).map(|lane| Mutex::new(Runner::new(plan.clone(), lane))).collect(),
                ..Shared::default()
            }),
            plan,
            threads: Vec::new(),
            n_submitted: 0,
            n_received: 0,
            generation: 0,
            aside_generation: 0,
        };
        // Described by a worker of this thread: one that outlived the thread that started it would be killed.
        let table = Runner::new(pool.plan.clone(), N_LANES as usize).describe().map_err(executor_error)?;
        // Whoever asks for a run aside or a fresh one waits for it, and must not wait for batches too: other threads do those.
        let n_jobs = options.jobs.max(1);
        for place in 0..2 * n_jobs {
            let duty = match place {
                place if place < n_jobs => Duty::Batches,
                place if place == n_jobs => Duty::AsideAndFresh,
                _ => Duty::Fresh,
            };
            let (shared, plan) = (pool.shared.clone(), pool.plan.clone());
            let thread = thread::Builder::new()
                .name(format!("worker {place}"))
                .spawn(move || serve(&shared, Runner::new(plan, N_LANES as usize + 1 + place), duty))
                .map_err(|error| ExecutorError(format!("cannot start a thread: {error}")))?;
            pool.threads.push(thread);
        }
        Ok((pool, table))
    }

    /// How many workers died or had to be killed while they ran batches.
    pub fn restarts(&self) -> u64 {
        self.plan.n_restarts.load(Ordering::Relaxed)
    }

    /// The operation that held workers up for longest, if that was longer than a call may take.
    pub fn longest_occupied_by(&self) -> Option<u32> {
        self.plan.occupation.longest(self.plan.call_limit)
    }

    /// Waits until `take` finds what it looks for.
    fn wait_for<T>(&self, mut take: impl FnMut(&mut State) -> Option<T>) -> Result<T, ExecutorError> {
        let mut state = self.shared.lock();
        loop {
            if self.plan.interrupt.load(Ordering::Relaxed) {
                return Err(executor_error(Failure::Stopped));
            }
            if let Some(found) = take(&mut state) {
                return Ok(found);
            }
            if let Some(reason) = &state.failure {
                return Err(ExecutorError(reason.clone()));
            }
            state = match self.shared.has_result.wait_timeout(state, TICK) {
                Ok((state, _)) => state,
                Err(error) => error.into_inner().0,
            };
        }
    }
}

impl Executor for Pool {
    fn submit(&mut self, batch: Batch) -> Result<(), ExecutorError> {
        let mut state = self.shared.lock();
        if let Some(reason) = &state.failure {
            return Err(ExecutorError(reason.clone()));
        }
        let (number, generation) = (self.n_submitted, self.generation);
        let n_known_edges = self.plan.add_known_edges(&batch.news);
        state.batches.push_back(Submitted { number, generation, n_known_edges, batch });
        self.n_submitted += 1;
        self.shared.has_work.notify_all();
        Ok(())
    }

    fn receive(&mut self, is_over: &dyn Fn() -> bool) -> Result<Option<(Batch, BatchReport)>, ExecutorError> {
        if self.n_received == self.n_submitted {
            return Err(ExecutorError("no batch was submitted".into()));
        }
        let next = self.n_received;
        let found = self.wait_for(|state| match state.finished.remove(&next) {
            None if is_over() => Some(None),
            found => found.map(Some),
        })?;
        self.n_received += u64::from(found.is_some());
        Ok(found)
    }

    fn renew_workers(&mut self) {
        self.generation += 1;
    }

    fn renew_warm(&mut self) {
        self.aside_generation += 1;
    }

    fn run_warm(&mut self, programs: Vec<Program>, options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        {
            let mut state = self.shared.lock();
            state.aside = Some((self.aside_generation, batch_of(programs, options)));
            state.aside_finished = None;
            self.shared.has_work.notify_all();
        }
        self.wait_for(|state| state.aside_finished.take().map(|report| report.outcomes))
    }

    fn run_fresh(&mut self, programs: &[Program], options: RunOptions) -> Result<Vec<Outcome>, ExecutorError> {
        {
            let mut state = self.shared.lock();
            let jobs = programs.iter().cloned().enumerate();
            state.fresh = jobs.map(|(place, program)| (place, program, options)).collect();
            state.fresh_finished.clear();
            self.shared.has_work.notify_all();
        }
        let n_programs = programs.len();
        self.wait_for(|state| {
            (state.fresh_finished.len() == n_programs)
                .then(|| std::mem::take(&mut state.fresh_finished).into_values().collect())
        })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.plan.stop.store(true, Ordering::Relaxed);
        self.shared.lock().is_closed = true;
        self.shared.has_work.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has dropped its worker on the way.
            let _ = thread.join();
        }
        for number in 0..N_LANES {
            self.shared.lane(number).dismiss();
        }
        // What code under test wrote is of no use to anybody; what cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.plan.worker.scratch_directory);
    }
}

/// Programs of which nothing is known yet.
fn batch_of(programs: Vec<Program>, options: RunOptions) -> Batch {
    Batch { number: 0, options, programs, news: Vec::new() }
}

/// Room for the program itself (twice: its debug information is mapped for backtraces), for stacks and for what allocators reserve
/// in advance, which is much where there are many processors; but an end to what can be mapped.
fn address_space(executable: &Path, memory_limit: u64) -> u64 {
    const ROOM: u64 = 16 << 30;
    let program = fs::metadata(executable).map_or(0, |file| file.len());
    memory_limit.saturating_add(program.saturating_mul(2)).saturating_add(ROOM)
}

/// The life of one thread and its worker.
fn serve(shared: &Shared, mut runner: Runner, duty: Duty) {
    let _alarm = Alarm { shared };
    while let Some(work) = next_work(shared, duty) {
        let failure = match work {
            Work::Batch(Submitted { number, generation, n_known_edges, batch }) => {
                match shared.lane(number).of_generation(generation).run_batch(&batch, n_known_edges) {
                    Ok(report) => {
                        shared.lock().finished.insert(number, (batch, report));
                        None
                    }
                    Err(failure) => Some(failure),
                }
            }
            Work::Fresh(place, program, options) => match runner.run_fresh(&program, options) {
                Ok(outcome) => {
                    shared.lock().fresh_finished.insert(place, outcome);
                    None
                }
                Err(failure) => Some(failure),
            },
            Work::Aside(generation, batch) => match runner.of_generation(generation).run_batch(&batch, 0) {
                Ok(report) => {
                    shared.lock().aside_finished = Some(report);
                    None
                }
                Err(failure) => Some(failure),
            },
        };
        if let Some(failure) = failure {
            shared.lock().failure.get_or_insert(executor_error(failure).0);
        }
        shared.has_result.notify_all();
    }
}

fn next_work(shared: &Shared, duty: Duty) -> Option<Work> {
    let mut state = shared.lock();
    loop {
        if state.is_closed || state.failure.is_some() {
            return None;
        }
        if duty == Duty::AsideAndFresh
            && let Some((generation, batch)) = state.aside.take()
        {
            return Some(Work::Aside(generation, batch));
        }
        if duty != Duty::Batches
            && let Some((place, program, options)) = state.fresh.pop_front()
        {
            return Some(Work::Fresh(place, program, options));
        }
        if duty == Duty::Batches
            && let Some(submitted) = state.batches.pop_front()
        {
            return Some(Work::Batch(submitted));
        }
        state = shared.has_work.wait(state).unwrap_or_else(|error| error.into_inner());
    }
}

/// Tells whoever waits if a thread is lost, so that nobody waits for ever.
struct Alarm<'a> {
    shared: &'a Shared,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let reason = "a thread that watches a worker panicked, which is a bug in Provoke";
            self.shared.lock().failure.get_or_insert(reason.into());
            self.shared.has_work.notify_all();
            self.shared.has_result.notify_all();
        }
    }
}

fn executor_error(failure: Failure) -> ExecutorError {
    ExecutorError(match failure {
        Failure::Stopped => "interrupted".into(),
        Failure::NoWorker(reason) => reason,
    })
}

fn prepare_scratch(directory: &Path) -> Result<PathBuf, ExecutorError> {
    let failed = |error| ExecutorError(format!("cannot write `{}`: {error}", directory.display()));
    // What an earlier run left there could change what programs do.
    let _ = fs::remove_dir_all(directory);
    let _ = fs::remove_file(directory);
    fs::create_dir_all(directory).map_err(failed)?;
    fs::canonicalize(directory).map_err(failed)
}
