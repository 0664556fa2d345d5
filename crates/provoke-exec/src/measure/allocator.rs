//! The counting global allocator: the cost measure of a program, and its memory limit.
//!
//! The thread that runs programs has counters of its own, written with plain loads and stores; all other threads share a second
//! pair with atomic additions. Memory may be freed on another thread than it came from, so only the sums mean anything.
//!
//! Decision: `docs/decisions/019-the-allocator-is-not-inlined.md`

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use provoke_wire::{DEAR_BYTES, LastWords, Page};

use crate::env::sys;
use crate::measure::cost;

/// How a worker ends that was asked for more memory than it may have.
const EXIT_MEMORY_EXHAUSTED: i32 = 77;

/// Put into the harness by [`worker!`](crate::run::worker).
pub struct CountingAllocator;

static PROGRAM_ALLOCATED: AtomicU64 = AtomicU64::new(0);
static PROGRAM_FREED: AtomicU64 = AtomicU64::new(0);
static OTHER_ALLOCATED: AtomicU64 = AtomicU64::new(0);
static OTHER_FREED: AtomicU64 = AtomicU64::new(0);
/// Bytes that the executor itself allocated between the start and the end of a program.
static UNATTRIBUTED: AtomicU64 = AtomicU64::new(0);
/// The number of live bytes that must not be exceeded.
static CEILING: AtomicU64 = AtomicU64::new(u64::MAX);
/// What the thread that runs programs has allocated when the program that it runs becomes dear.
static DEAR_FROM: AtomicU64 = AtomicU64::new(u64::MAX);
static PAGE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static RUNS_PROGRAMS: Cell<bool> = const { Cell::new(false) };
    static IS_UNATTRIBUTED: Cell<bool> = const { Cell::new(false) };
}

/// The current thread runs programs from now on to its end. There is only one such thread at a time.
pub(crate) fn claim_thread() {
    RUNS_PROGRAMS.set(true);
}

/// Where last words are written.
pub(crate) fn set_page(address: *mut u8) {
    PAGE.store(address, Relaxed);
}

/// All bytes ever allocated, without those of the executor itself.
pub(crate) fn allocated() -> u64 {
    PROGRAM_ALLOCATED.load(Relaxed) + OTHER_ALLOCATED.load(Relaxed) - UNATTRIBUTED.load(Relaxed)
}

/// Bytes that are allocated now.
pub(crate) fn live() -> u64 {
    let allocated = PROGRAM_ALLOCATED.load(Relaxed) + OTHER_ALLOCATED.load(Relaxed);
    let freed = PROGRAM_FREED.load(Relaxed) + OTHER_FREED.load(Relaxed);
    // Another thread may free between the two readings.
    allocated.saturating_sub(freed)
}

/// A program starts: what it allocates from now on makes it dear, if it is much.
pub(crate) fn watch_for_dear() {
    DEAR_FROM.store(PROGRAM_ALLOCATED.load(Relaxed) + DEAR_BYTES, Relaxed);
}

/// From now on nothing makes a program dear.
pub(crate) fn stop_watching() {
    DEAR_FROM.store(u64::MAX, Relaxed);
}

/// From now on, more live bytes than this end the worker.
pub(crate) fn set_ceiling(bytes: u64) {
    CEILING.store(bytes, Relaxed);
}

/// Whether this thread does something of the executor's own.
pub(crate) fn is_unattributed() -> bool {
    IS_UNATTRIBUTED.get()
}

/// Runs something of the executor's own in the middle of a program: it is neither charged to the program nor limited.
pub(crate) fn unattributed<R>(work: impl FnOnce() -> R) -> R {
    // Formatting a panic message may run code under test, and that a callback: count only once.
    if IS_UNATTRIBUTED.replace(true) {
        return work();
    }
    let _interval =
        Interval { ceiling: CEILING.swap(u64::MAX, Relaxed), live: live(), allocated: PROGRAM_ALLOCATED.load(Relaxed) };
    work()
}

/// The state at the beginning of unattributed work; settles up when it ends, also by unwinding.
struct Interval {
    ceiling: u64,
    live: u64,
    allocated: u64,
}

impl Drop for Interval {
    fn drop(&mut self) {
        let allocated = PROGRAM_ALLOCATED.load(Relaxed) - self.allocated;
        UNATTRIBUTED.fetch_add(allocated, Relaxed);
        DEAR_FROM.store(DEAR_FROM.load(Relaxed).saturating_add(allocated), Relaxed);
        let grown = live().saturating_sub(self.live);
        CEILING.store(self.ceiling.saturating_add(grown), Relaxed);
        IS_UNATTRIBUTED.set(false);
    }
}

#[inline]
fn charge(size: usize) {
    let size = size as u64;
    if RUNS_PROGRAMS.get() {
        let allocated = PROGRAM_ALLOCATED.load(Relaxed) + size;
        PROGRAM_ALLOCATED.store(allocated, Relaxed);
        if allocated > DEAR_FROM.load(Relaxed) {
            note_dear();
        }
    } else {
        OTHER_ALLOCATED.fetch_add(size, Relaxed);
    }
    if live() > CEILING.load(Relaxed) {
        exhausted();
    }
}

#[inline]
fn discharge(size: usize) {
    let size = size as u64;
    if RUNS_PROGRAMS.get() {
        PROGRAM_FREED.store(PROGRAM_FREED.load(Relaxed) + size, Relaxed);
    } else {
        OTHER_FREED.fetch_add(size, Relaxed);
    }
}

#[cold]
fn note_dear() {
    // What the executor allocates by itself is no fault of the program, and is taken off when it is done.
    if !is_unattributed() {
        stop_watching();
        cost::note_dear();
    }
}

#[cold]
fn exhausted() -> ! {
    let page = PAGE.load(Relaxed);
    if !page.is_null() {
        // The worker maps the page before it sets a ceiling and never unmaps it.
        unsafe { Page::new(page) }.say_last_words(LastWords::MemoryExhausted);
    }
    sys::exit_at_once(EXIT_MEMORY_EXHAUSTED)
}

// Everything is passed on to the system's allocator; only counting is added. What were inlined here would become part of the
// harness, which is instrumented: then traces would hold how much memory is in use, and that depends on where the crate lies.
unsafe impl GlobalAlloc for CountingAllocator {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        let address = unsafe { System.alloc(layout) };
        if address.is_null() {
            discharge(layout.size());
        }
        address
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        charge(layout.size());
        let address = unsafe { System.alloc_zeroed(layout) };
        if address.is_null() {
            discharge(layout.size());
        }
        address
    }

    #[inline(never)]
    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        discharge(layout.size());
        unsafe { System.dealloc(address, layout) }
    }

    #[inline(never)]
    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let grown = new_size.saturating_sub(layout.size());
        charge(grown);
        let moved = unsafe { System.realloc(address, layout, new_size) };
        if moved.is_null() {
            discharge(grown);
        } else {
            discharge(layout.size().saturating_sub(new_size));
        }
        moved
    }
}
