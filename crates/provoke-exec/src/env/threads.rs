//! Threads that programs leave running.
//!
//! They share the counters of the edges with the programs after them. Threads that sleep do no harm, and some crates keep a pool of
//! them from the first call on: so each program waits until the others sleep, and what they did by then is its own. A thread that
//! goes on and on would give its edges to later programs by chance, so that the batch has to end.
//!
//! Decision: `docs/decisions/088-a-program-that-changes-the-process-ends-its-batch.md`

use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::env::sys;

/// The thread that waits and the one that runs programs.
const OWN_THREADS: u64 = 2;
/// A thread that has been joined may be counted for a moment longer.
const SETTLING_LOOKS: u32 = 20;
/// Threads that have run for so long since the program ended, and run still, are busy. It is their own time, so that a busy machine
/// changes nothing.
const BUSY_NANOSECONDS: u64 = 5_000_000;
/// Where the system does not tell how long a thread has run, or never lets it run: about half a second.
const MAX_LOOKS: u32 = 3_000;

/// Threads that were started in this process, by whomever.
static N_STARTED: AtomicU64 = AtomicU64::new(0);

/// A thread is about to be started.
pub(crate) fn one_starts() {
    N_STARTED.fetch_add(1, Relaxed);
}

/// The threads beside that of a batch.
pub(crate) struct Others {
    n_started: u64,
    may_be_left: bool,
}

/// What one look at the others shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    are_asleep: bool,
    /// For how long all of them have run so far, as far as the system tells.
    nanoseconds_run: u64,
}

impl Others {
    /// On the thread of a batch, before its first program.
    pub fn at_start() -> Self {
        Others { n_started: N_STARTED.load(Relaxed), may_be_left: false }
    }

    /// After a program: waits until all others sleep or are gone; whether there is one that does not come to rest.
    pub fn are_busy(&mut self) -> bool {
        let n_started = N_STARTED.load(Relaxed);
        if n_started == self.n_started && !self.may_be_left {
            return false;
        }
        self.n_started = n_started;
        self.may_be_left = true;
        let mut first = None;
        for _ in 0..MAX_LOOKS {
            if n_others() == Some(0) {
                self.may_be_left = false;
                return false;
            }
            let now = look();
            if now.are_asleep {
                return false;
            }
            let nanoseconds_before = *first.get_or_insert(now.nanoseconds_run);
            if now.nanoseconds_run.saturating_sub(nanoseconds_before) > BUSY_NANOSECONDS {
                return true;
            }
            sys::pause_briefly();
        }
        true
    }

    /// After the last program: whether any are left that were started since the first.
    pub fn are_left(&self) -> bool {
        if !self.may_be_left {
            return false;
        }
        for _ in 0..SETTLING_LOOKS {
            match n_others() {
                Some(0) => return false,
                Some(_) => sys::pause_briefly(),
                None => return true,
            }
        }
        true
    }
}

/// `None` if the system does not tell.
fn n_others() -> Option<u64> {
    // A directory has two links more than it has directories, and here each is a thread.
    let tasks = std::fs::metadata("/proc/self/task").ok()?;
    Some(tasks.nlink().saturating_sub(OWN_THREADS + 2))
}

fn look() -> Look {
    let mut look = Look { are_asleep: true, nanoseconds_run: 0 };
    // Where nobody can tell, nobody waits.
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return look };
    let own = sys::thread_id().to_string();
    let others = tasks.flatten().filter(|task| task.file_name().as_encoded_bytes() != own.as_bytes());
    for task in others {
        // One that is gone has no files.
        let read = |file: &str| std::fs::read_to_string(task.path().join(file)).unwrap_or_default();
        look.are_asleep &= is_asleep(&read("stat"));
        look.nanoseconds_run += nanoseconds_run(&read("schedstat")).unwrap_or(0);
    }
    look
}

/// From the line about a thread: number, name in parentheses, state. A name may hold anything.
fn is_asleep(stat: &str) -> bool {
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.bytes().next());
    !matches!(state, Some(b'R' | b'D'))
}

/// The first of three numbers.
fn nanoseconds_run(schedstat: &str) -> Option<u64> {
    schedstat.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_thread_is_read_behind_its_name() {
        assert!(!is_asleep("7 (worker) R 1 7 7 0"));
        assert!(!is_asleep("7 (a) S (b) D 1 7 7 0"));
        assert!(is_asleep("7 (a) R (b) S 1 7 7 0"));
        assert!(is_asleep(""));
        assert_eq!(nanoseconds_run("5000001 812 3\n"), Some(5_000_001));
        assert_eq!(nanoseconds_run(""), None);
    }
}
