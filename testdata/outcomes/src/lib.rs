//! One function for each way in which a call can end; its docs and its name say what the tool must make of it.
//!
//! No result can be an argument, so that each function gets only literals. Calls that do not return at all are in `hangs`.

mod drops;
mod endings;
mod noise;

pub use drops::{DropsBadly, DropsBadlyOnTheWay};
pub use endings::{aborts, allocates, ends_the_process, overflows_the_stack, reads_nowhere};
pub use noise::{
    chatters, leaves_a_busy_thread_behind, leaves_a_child_behind, litters, panics_on_a_thread, replaces_the_panic_hook,
};

/// The error that the `try_` functions promise.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Suspicious: nothing announces the panic.
pub fn indexes_without_a_word(place: u8) -> bool {
    [true, false, true][usize::from(place)]
}

/// Not reported.
///
/// # Panics
/// If `place` is not below 3.
pub fn indexes_as_documented(place: u8) -> bool {
    [true, false, true][usize::from(place)]
}

/// Not reported: the argument is refused on entry.
pub fn refuses_its_argument(n: u8) -> bool {
    assert!(n < 100, "at most 99");
    n > 50
}

/// An error: the assertion is about the inside.
pub fn breaks_a_debug_assertion(n: u8) -> bool {
    let mut digits = Vec::new();
    digits.extend(n.to_string().chars());
    debug_assert!(digits.len() < 3, "at most two digits");
    digits.is_empty()
}

/// An error.
pub fn reaches_the_unreachable(n: u8) -> bool {
    match n % 4 {
        rest @ 0..3 => rest == 0,
        _ => unreachable!("rests are small"),
    }
}

/// An error: a `Result` is promised.
pub fn try_to_halve(n: u8) -> Result<bool, TooLarge> {
    let halves = [0, 0, 1, 1, 2, 2];
    let half = halves[usize::from(n)];
    if half > 1 { Err(TooLarge) } else { Ok(half == 1) }
}

/// An error: a sum of small numbers that does not fit.
pub fn sums_too_narrowly(numbers: &[u8]) -> bool {
    let mut sum = 0_u8;
    for number in numbers {
        sum += number;
    }
    sum > 220
}

/// Suspicious: plain arithmetic, and the caller's.
pub fn adds_plainly(n: u8) -> bool {
    let twice = n.wrapping_mul(2);
    twice + 200 > 220
}

/// Suspicious: only a large number does not fit.
pub fn counts_up_late(label: &str, n: u32) -> bool {
    let room = u32::MAX - 1_000_000;
    room + n > room || label.is_empty()
}

/// Suspicious: the panic has a payload that is no text.
pub fn panics_with_a_number(n: u8) -> bool {
    let rest = n % 5;
    if rest == 4 {
        std::panic::panic_any(4_u8);
    }
    rest == 0
}
