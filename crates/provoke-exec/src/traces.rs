//! What programs leave behind in the process: threads, a changed environment, and what the filter's handler noted.
//!
//! Programs that come later may feel it. After a change of the process itself the batch ends at once and goes on in another
//! worker. Threads and files are left alone until the batch is over, because some crates keep a pool of threads from the
//! first call on, and others write a file with every call; but the tool looks twice at a death in a process with threads.

use std::ffi::{CStr, c_void};
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::confinement;
use crate::sys;

/// The thread that waits and the one that runs programs.
const OWN_THREADS: u64 = 2;
/// A thread that has been joined may be counted for a moment longer.
const SETTLING_LOOKS: u32 = 20;

/// Threads that were started in this process, by whomever.
static N_STARTED: AtomicU64 = AtomicU64::new(0);

/// Called on the thread of a batch, before its first program: threads started so far.
pub(crate) fn n_threads_started() -> u64 {
    N_STARTED.load(Relaxed)
}

/// Called on the same thread, after its last program: whether threads are left that were started since.
pub(crate) fn are_threads_left(n_started_before: u64) -> bool {
    N_STARTED.load(Relaxed) != n_started_before && has_other_threads()
}

/// A thread is about to be started.
pub(crate) fn thread_starts() {
    N_STARTED.fetch_add(1, Relaxed);
    if let Some(page) = confinement::page() {
        page.start_thread();
    }
}

/// The environment is about to be changed.
pub(crate) fn environment_changes() {
    if let Some(page) = confinement::page() {
        page.leave_traces();
    }
}

fn has_other_threads() -> bool {
    for _ in 0..SETTLING_LOOKS {
        // A directory has two links more than it has directories, and here each is a thread.
        match std::fs::metadata("/proc/self/task") {
            Ok(tasks) if tasks.nlink() <= OWN_THREADS + 2 => return false,
            Ok(_) => sys::pause_briefly(),
            Err(_) => return true,
        }
    }
    true
}

/// The C library's own function of a name, which a stand-in of the worker hides; null if there is none.
pub(crate) fn real(symbol: &'static CStr, found: &OnceLock<usize>) -> *mut c_void {
    *found.get_or_init(|| sys::next_symbol(symbol) as usize) as *mut c_void
}
