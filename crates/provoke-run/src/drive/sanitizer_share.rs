//! The sanitized worker of a run: whether there is one, when it is built, and which share of the search it gets.
//!
//! With `--sanitizer address` the whole search runs in it. With `auto`, the search starts at once in a plain worker while the
//! other one is built behind it, and the last fifth of the calls, or of the time, is made there. The share comes at the end
//! because a run bounded by calls must not depend on how long a build takes: then it is waited for. A run bounded by time takes
//! what is there by then.
//!
//! Decision: `docs/decisions/074-the-sanitizer-has-the-last-fifth.md`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use provoke_engine::{Api, End, ExecutorError, Search};
use provoke_host::{CargoError, HarnessDir, Pool, SanitizedBuild, Sanitizer, Target};
use provoke_model::Model;
use provoke_report::{Event, RunPhase, UserError};
use provoke_wire::Table;

use crate::confirm::confirmer::Confirmer;
use crate::confirm::confirmer::allowance::{AfterSearch, PARTS};
use crate::error::{from_cargo, from_executor};
use crate::events::Events;
use crate::prepare::unsafe_code::has_unsafe_code;
use crate::session::{Session, WorkerProgram};
use crate::settings::{RunSettings, SanitizerMode};

/// A search that is over sooner than this is over before the worker is built, or would wait for it longer than it takes.
const MIN_TIME: Duration = Duration::from_secs(20);
const MIN_CALLS: u64 = 5_000_000;

/// Which part of a run the sanitizer sees.
pub enum Sanitizing {
    None,
    /// All of it, in this worker.
    All {
        executable: PathBuf,
        build: SanitizedBuild,
    },
    /// The end of it, if the worker can be built.
    Share {
        build: SanitizedBuild,
    },
}

impl Sanitizing {
    /// Builds the worker now, if all of the search is to run in it.
    pub fn of(settings: &RunSettings, session: &Session<'_>) -> Result<Sanitizing, UserError> {
        let new_build = || SanitizedBuild::new(&session.harness, &session.wrapper).map_err(from_cargo);
        match settings.sanitizer {
            SanitizerMode::None => Ok(Sanitizing::None),
            SanitizerMode::Address => {
                let build = new_build()?;
                let executable = build_now(&session.harness, &build, session.events)?;
                Ok(Sanitizing::All { executable, build })
            }
            SanitizerMode::Auto if is_worth_it(settings, session.target, &session.prepared.model) => {
                Ok(Sanitizing::Share { build: new_build()? })
            }
            SanitizerMode::Auto => Ok(Sanitizing::None),
        }
    }

    /// The worker that the search starts with.
    pub fn first_worker<'a>(&'a self, plain: &'a Path) -> WorkerProgram<'a> {
        match self {
            Sanitizing::All { executable, .. } => WorkerProgram { executable, sanitizer: Sanitizer::Address },
            Sanitizing::None | Sanitizing::Share { .. } => {
                WorkerProgram { executable: plain, sanitizer: Sanitizer::None }
            }
        }
    }

    /// How tests are verified that only fail with the sanitizer.
    pub fn build(&self) -> Option<&SanitizedBuild> {
        match self {
            Sanitizing::None => None,
            Sanitizing::All { build, .. } | Sanitizing::Share { build } => Some(build),
        }
    }

    /// What comes after the search in the first worker.
    pub fn after_search(&self) -> AfterSearch {
        match self {
            Sanitizing::Share { .. } => AfterSearch::Search,
            Sanitizing::None | Sanitizing::All { .. } => AfterSearch::Nothing,
        }
    }

    /// How many calls the first worker may make.
    pub fn first_calls(&self, calls: Option<u64>) -> Option<u64> {
        match self {
            Sanitizing::Share { .. } => calls.map(first_calls),
            Sanitizing::None | Sanitizing::All { .. } => calls,
        }
    }
}

fn first_calls(calls: u64) -> u64 {
    calls - calls / u64::from(PARTS)
}

/// How many calls there may be in all where the first worker stopped by itself after so many.
fn with_share(first: u64, limit: Option<u64>) -> Option<u64> {
    let all = first.saturating_add(first / u64::from(PARTS - 1));
    Some(limit.map_or(all, |limit| all.min(limit)))
}

pub fn build_now(harness: &HarnessDir, build: &SanitizedBuild, events: &Events) -> Result<PathBuf, UserError> {
    let started = Instant::now();
    events.emit(Event::PhaseStarted { phase: RunPhase::BuildingSanitized });
    let executable = harness.build_sanitized(build).map_err(from_cargo)?;
    let seconds = started.elapsed().as_secs_f64();
    events.emit(Event::PhaseFinished { phase: RunPhase::BuildingSanitized, seconds });
    Ok(executable)
}

fn is_worth_it(run: &RunSettings, target: &Target, model: &Model) -> bool {
    is_long_enough(run) && has_unsafe_code(target, model)
}

fn is_long_enough(run: &RunSettings) -> bool {
    run.time.is_none_or(|time| time >= MIN_TIME) && run.calls.is_none_or(|calls| calls >= MIN_CALLS)
}

/// Whether programs mean the same to the worker with this table.
fn is_same(api: &Api, table: &Table) -> bool {
    let ops = || api.ops.iter().zip(&table.ops);
    api.types == table.types
        && api.ops.len() == table.ops.len()
        && ops().all(|(op, signature)| op.args == signature.args && op.result == signature.result)
}

/// A worker that is built while the search runs.
pub struct BackgroundBuild<'scope> {
    thread: Option<ScopedJoinHandle<'scope, Result<PathBuf, CargoError>>>,
    /// Ends it early.
    stop: Arc<AtomicBool>,
    /// Set when the worker can be used.
    pub is_ready: Arc<AtomicBool>,
    /// Workers that died in its share of the search.
    pub n_restarts: u64,
}

impl<'scope> BackgroundBuild<'scope> {
    /// Nothing where all of the search runs in one worker.
    pub fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        sanitizing: &Sanitizing,
        harness: &'env HarnessDir,
    ) -> BackgroundBuild<'scope> {
        let stop = Arc::<AtomicBool>::default();
        match sanitizing {
            Sanitizing::Share { build } => {
                let is_ready = Arc::clone(build.is_built());
                let build = build.in_background(Arc::clone(&stop));
                let thread = scope.spawn(move || harness.build_sanitized(&build));
                BackgroundBuild { thread: Some(thread), stop, is_ready, n_restarts: 0 }
            }
            Sanitizing::None | Sanitizing::All { .. } => {
                BackgroundBuild { thread: None, stop, is_ready: Arc::default(), n_restarts: 0 }
            }
        }
    }

    /// Waits for the worker, unless it is too late for it by the clock. Nothing if there is none.
    fn executable(
        &self,
        thread: ScopedJoinHandle<'_, Result<PathBuf, CargoError>>,
        session: &Session<'_>,
        is_too_late: bool,
    ) -> Option<PathBuf> {
        while !thread.is_finished() {
            if is_too_late || session.interrupt().is_asked() {
                self.stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        match thread.join() {
            Ok(Ok(executable)) => Some(executable),
            Ok(Err(CargoError::Interrupted)) | Err(_) => None,
            Ok(Err(error)) => {
                warn(session.events, &error.to_string());
                None
            }
        }
    }

    /// The share of the search that is the sanitizer's: from what the search has gathered so far. If there is no worker for
    /// it, the plain one goes on.
    pub fn run_share(
        &mut self,
        session: &Session<'_>,
        run: &RunSettings,
        search: &mut Search<'_>,
        confirmer: &mut Confirmer<'_>,
        plain: &mut Pool,
        end: End,
    ) -> Result<End, ExecutorError> {
        let Some(thread) = self.thread.take() else { return Ok(end) };
        let is_plateau = end == End::Plateau;
        let executable = self.executable(thread, session, run.time.is_some() && !is_plateau);
        if session.interrupt().is_asked() {
            return Ok(end);
        }
        // Told to give way to a worker that cannot be had after all.
        let is_cut_short = end == End::Stopped && self.is_ready.load(Ordering::Relaxed);
        match executable.and_then(|executable| self.pool(&executable, session, run, search)) {
            Some(mut sanitized) => {
                confirmer.go_on();
                session.events.emit(Event::PhaseStarted { phase: RunPhase::SearchingSanitized });
                let calls = if is_plateau { with_share(search.stats().planned_calls, run.calls) } else { run.calls };
                let end = search.forget_programs().allow(calls).run(&mut sanitized, confirmer)?;
                confirmer.work_off(&mut sanitized, AfterSearch::Nothing)?;
                confirmer.finish(&mut sanitized)?;
                self.n_restarts = sanitized.restarts();
                Ok(if is_plateau && end == End::Spent { End::Plateau } else { end })
            }
            None => {
                let end = if end == End::Spent || is_cut_short {
                    confirmer.go_on();
                    search.allow(run.calls).run(plain, confirmer)?
                } else {
                    end
                };
                confirmer.work_off(plain, AfterSearch::Nothing)?;
                confirmer.finish(plain)?;
                Ok(end)
            }
        }
    }

    /// Sanitized workers, if programs mean the same to them.
    fn pool(&self, executable: &Path, session: &Session<'_>, run: &RunSettings, search: &Search<'_>) -> Option<Pool> {
        let problem =
            match session.start_pool(WorkerProgram { executable, sanitizer: Sanitizer::Address }, run.jobs, None) {
                Ok((pool, table)) if is_same(search.api(), &table) => return Some(pool),
                Ok(_) => "the sanitized worker differs from the plain one".to_string(),
                Err(error) => error.to_string(),
            };
        warn(session.events, &problem);
        None
    }
}

fn warn(events: &Events, problem: &str) {
    let message = format!("memory errors are not looked for: {problem}");
    events.emit(Event::Warning { message, hint: Some("`--sanitizer none` does without".to_string()) });
}

impl Drop for BackgroundBuild<'_> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A pool for findings that only the sanitizer sees, built when the first of them is met.
pub fn replay_pool(session: &Session<'_>) -> Result<Pool, UserError> {
    let build = SanitizedBuild::new(&session.harness, &session.wrapper).map_err(from_cargo)?;
    let executable = build_now(&session.harness, &build, session.events)?;
    let pool = session.start_pool(WorkerProgram { executable: &executable, sanitizer: Sanitizer::Address }, 1, None);
    pool.map(|(pool, _)| pool).map_err(|error| from_executor(&error, session.interrupt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_has_to_be_long_enough_by_every_bound_that_it_has() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (time, calls, is_enough) in [
            (seconds(30), None, true),
            (seconds(19), None, false),
            (seconds(20), None, true),
            (None, Some(4_000_000), false),
            (None, Some(5_000_000), true),
            (seconds(10), Some(5_000_000), false),
            (seconds(60), Some(1_000), false),
        ] {
            let settings = RunSettings { time, calls, ..RunSettings::default() };
            assert_eq!(is_long_enough(&settings), is_enough, "{time:?} {calls:?}");
        }
    }

    #[test]
    fn the_plain_worker_gets_all_calls_but_a_fifth() {
        assert_eq!(first_calls(5_000_001), 4_000_001);
        assert_eq!(Sanitizing::None.first_calls(Some(7)), Some(7));
        assert_eq!((with_share(4_000, None), with_share(4_000, Some(4_100))), (Some(5_000), Some(4_100)));
    }
}
