// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests
// `cargo provoke replay a7e6905d25` shows every step.

use bounded_stack::BoundedStack;

// Expected: an internal `debug_assert!` states what the author holds impossible.
// Happened: the stack never holds more than its bound
// at src/lib.rs:46:9
#[test]
fn push_debug_assert() {
    let mut bounded_stack = BoundedStack::new(0);
    let _ = bounded_stack.push(0);
}
