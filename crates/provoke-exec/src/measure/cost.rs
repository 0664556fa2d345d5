//! What a program costs: what it allocates, how much the target compares, and for how long it sleeps.
//!
//! Work is counted in comparisons, since the compiler lets each of the target's call a function of ours anyway; time would
//! differ from run to run. How long to sleep the program says itself.
//!
//! Decision: `docs/decisions/033-dear-operations-get-modest-arguments.md`

use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use provoke_wire::{COMPARISON_BYTES, DEAR_BYTES, Outcome};

use crate::measure::{allocator, compares};
use crate::run::machine;

/// How many comparisons make a program dear.
const DEAR_COMPARISONS: i64 = (DEAR_BYTES / COMPARISON_BYTES) as i64;

/// How many comparisons there may still be before somebody takes notice.
pub(crate) static COMPARISONS_LEFT: AtomicI64 = AtomicI64::new(i64::MAX);
/// How often there were none left.
static N_NOTICES: AtomicU64 = AtomicU64::new(0);

/// Nanoseconds for which the program wanted to sleep. Each counts as a comparison: as much could have been done meanwhile.
static SLEPT: AtomicU64 = AtomicU64::new(0);

/// The statement in which the program became dear.
static DEAR_STATEMENT: AtomicU32 = AtomicU32::new(NO_STATEMENT);
const NO_STATEMENT: u32 = u32::MAX;

static ALLOCATED_BEFORE: AtomicU64 = AtomicU64::new(0);

/// A program starts.
pub(crate) fn start() {
    DEAR_STATEMENT.store(NO_STATEMENT, Relaxed);
    ALLOCATED_BEFORE.store(allocator::allocated(), Relaxed);
    N_NOTICES.store(0, Relaxed);
    SLEPT.store(0, Relaxed);
    COMPARISONS_LEFT.store(DEAR_COMPARISONS, Relaxed);
    allocator::watch_for_dear();
}

/// The program is over; from now on nothing counts.
pub(crate) fn stop(outcome: &mut Outcome) {
    let left = COMPARISONS_LEFT.swap(i64::MAX, Relaxed);
    allocator::stop_watching();
    let allocated = allocator::allocated() - ALLOCATED_BEFORE.load(Relaxed);
    let work = n_comparisons(N_NOTICES.load(Relaxed), left).saturating_add(SLEPT.load(Relaxed));
    outcome.cost = allocated.saturating_add(COMPARISON_BYTES.saturating_mul(work));
    outcome.dear = Some(DEAR_STATEMENT.load(Relaxed)).filter(|&statement| statement != NO_STATEMENT);
}

/// A thread that an earlier program left may count down while a program starts, and so take back what is left to it.
fn n_comparisons(n_notices: u64, left: i64) -> u64 {
    let n_since = DEAR_COMPARISONS - left.clamp(0, DEAR_COMPARISONS);
    n_notices.saturating_mul(DEAR_COMPARISONS as u64).saturating_add(n_since.unsigned_abs())
}

/// The program that runs has become dear just now. Only the first time counts.
#[cold]
pub(crate) fn note_dear() {
    if let (NO_STATEMENT, Some(statement)) = (DEAR_STATEMENT.load(Relaxed), machine::running_statement()) {
        DEAR_STATEMENT.store(statement, Relaxed);
    }
}

/// There were as many comparisons as there may be.
#[cold]
pub(crate) extern "C" fn compared_much() {
    COMPARISONS_LEFT.store(DEAR_COMPARISONS, Relaxed);
    N_NOTICES.store(N_NOTICES.load(Relaxed) + 1, Relaxed);
    // A trace has long been full by now, and to leave each comparison out takes time, too.
    compares::pause();
    note_dear();
}

/// The program has slept on its own thread, to the end. Whoever is asleep on another one holds nobody up.
pub(crate) fn sleep(nanoseconds: u64) {
    if machine::running_statement().is_none() {
        return;
    }
    let slept = SLEPT.load(Relaxed).saturating_add(nanoseconds);
    SLEPT.store(slept, Relaxed);
    if slept >= DEAR_COMPARISONS as u64 {
        note_dear();
    }
}

/// For a comparison that is not counted on its way here.
pub(crate) fn count_comparison() {
    let left = COMPARISONS_LEFT.load(Relaxed) - 1;
    COMPARISONS_LEFT.store(left, Relaxed);
    if left <= 0 {
        compared_much();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_other_threads_did_to_the_count_it_is_a_number() {
        let n_dear = DEAR_COMPARISONS as u64;
        assert_eq!(n_comparisons(0, DEAR_COMPARISONS - 5), 5);
        assert_eq!(n_comparisons(2, DEAR_COMPARISONS), 2 * n_dear);
        assert_eq!(n_comparisons(0, i64::MAX - 1), 0);
        assert_eq!(n_comparisons(1, i64::MIN), 2 * n_dear);
        assert_eq!(n_comparisons(u64::MAX, 0), u64::MAX);
    }
}
