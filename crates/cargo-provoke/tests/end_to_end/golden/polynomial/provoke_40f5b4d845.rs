// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests
// `cargo provoke replay 40f5b4d845` shows every step.

use polynomial::PStack;
use polynomial::Poly;

// Expected: an internal `debug_assert!` states what the author holds impossible.
// Happened: size must be the number of polynomials on the stack
// at src/pstack.rs:40:9
#[test]
fn push_debug_assert() {
    let mut pstack = PStack::default();
    let mut pstack2 = pstack.copy();
    let _result = pstack.push(Poly::new());
    let _ = pstack2.push(Poly::new());
}
