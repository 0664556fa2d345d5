//! The third stage: the simplest program that still shows the finding, within what it may cost.
//!
//! Decisions:
//! - `docs/decisions/046-minimised-warm-and-confirmed-fresh.md`
//! - `docs/decisions/052-looking-takes-no-longer-than-searching.md`

use std::collections::BTreeSet;

use provoke_engine::{Effort, Executor, ExecutorError, Failure, Finding, Steadiness, Stock};

use crate::confirm::pipeline::Pace;
use crate::confirm::replayer::{Met, MinimizeManner, Notebook, Process, Replayer};

/// Replays of a hang: each costs seconds.
const HANG_REPLAYS: usize = 8;

/// What is minimised, and what is known beside it.
pub(crate) struct Simplifying<'a> {
    pub(crate) found: Finding,
    pub(crate) stock: Option<&'a Stock>,
    /// Nothing is known of its root cause yet.
    pub(crate) is_first: bool,
    /// Incidents that were looked at before.
    pub(crate) known: &'a BTreeSet<u64>,
}

/// The simplest program that was found for the finding, and other incidents that were met on the way.
pub(crate) fn simplify(
    replayer: &Replayer<'_>,
    executor: &mut dyn Executor,
    Simplifying { found, stock, is_first, known }: Simplifying<'_>,
    pace: &Pace<'_>,
) -> Result<(Finding, Vec<Met>), ExecutorError> {
    if pace.clock.is_interrupted() {
        return Ok((found, Vec::new()));
    }
    let is_known = |key| known.contains(&key);
    let mut notebook = Notebook::new(&is_known);
    // In one worker for speed; in fresh ones if the result turns out to need what others left behind.
    let processes: &[Process] = match found.steadiness {
        Steadiness::HiddenState => &[Process::Fresh],
        _ => &[Process::Warm, Process::Fresh],
    };
    for &process in processes {
        let manner = MinimizeManner {
            stock,
            process,
            effort: effort_for(found.incident.event, process, pace.clock.may_minimize(), is_first),
            deadline: pace.clock.minimize_deadline(),
            is_wary_of_chance: found.incident.event != Failure::TimedOut && !found.steadiness.is_flaky(),
            on_replay: pace.on_replay,
        };
        match replayer.minimize(executor, &found, &manner, &mut notebook) {
            Ok(Some(minimized)) => return Ok((minimized, notebook.met)),
            Ok(None) => {}
            // A Ctrl-C in between: better a long test than none.
            Err(_) if pace.clock.is_interrupted() => break,
            Err(error) => return Err(error),
        }
    }
    Ok((Finding { n_replays: notebook.n_replays, ..found }, notebook.met))
}

/// How hard to minimise: a time-out costs seconds each time, a fresh process some tens of milliseconds, everything else about
/// one.
pub(crate) fn effort_for(event: Failure, process: Process, has_time: bool, is_first: bool) -> Effort {
    match (event, process) {
        (Failure::TimedOut, _) if !has_time => Effort { max_replays: 4, batch: 4 },
        (Failure::TimedOut, _) => Effort { max_replays: HANG_REPLAYS, batch: 4 },
        // Enough to leave out what the failing call has nothing to do with: nobody reads a long test. It takes less than a
        // second, and there is a deadline.
        _ if !has_time => Effort { max_replays: 300, batch: 16 },
        (_, Process::Fresh) => Effort { max_replays: 400, batch: 4 },
        // The same place through another function: it only matters whether that takes fewer calls. Each death costs a worker.
        (Failure::Signal(_), _) if !is_first => Effort { max_replays: 60, batch: 16 },
        _ if !is_first => Effort { max_replays: 1000, batch: 16 },
        _ => Effort { max_replays: 5000, batch: 16 },
    }
}
