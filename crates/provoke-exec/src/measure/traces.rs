//! What programs leave behind in the process: threads, a changed environment, and what the filter's handler noted.
//!
//! Programs that come later may feel it. After a change of the process itself the batch ends at once and goes on in another
//! worker, and so it is after a thread that does not come to rest. Threads that sleep and files are left alone until the batch
//! is over, because some crates keep a pool of threads from the first call on, and others write a file with every call; but the
//! tool looks twice at a death in a process with threads.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

use crate::env::{confinement, sys, threads};

/// A thread is about to be started.
pub(crate) fn thread_starts() {
    threads::one_starts();
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

/// The C library's own function of a name, which a stand-in of the worker hides; null if there is none.
pub(crate) fn real(symbol: &'static CStr, found: &OnceLock<usize>) -> *mut c_void {
    *found.get_or_init(|| sys::next_symbol(symbol) as usize) as *mut c_void
}
