//! Functions that do not return. Errors, all of them.

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Duration;

use crate::{c, is_armed};

/// Uses the processor without end.
pub fn runs_without_end() {
    let mut n = 0u64;
    while is_armed() {
        n = black_box(n.wrapping_add(1));
    }
}

/// Sleeps without end.
pub fn oversleeps() {
    while is_armed() {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

/// Wants a lock twice.
pub fn locks_itself_out() -> bool {
    let lock = Mutex::new(());
    let _one = lock.lock();
    if is_armed() { lock.lock().is_ok() } else { true }
}

/// Stops its own process.
pub fn stops_itself() {
    const SIGSTOP: i32 = 19;
    if is_armed() {
        unsafe { c::raise(SIGSTOP) };
    }
}
