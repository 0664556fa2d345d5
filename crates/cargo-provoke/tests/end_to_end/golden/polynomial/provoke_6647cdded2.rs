// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests
// `cargo provoke replay 6647cdded2` shows every step.

use polynomial::Mono;
use polynomial::Poly;
use polynomial::Rat;

// Expected: an internal `debug_assert!` states what the author holds impossible.
// Happened: exponents must decrease and coefficients must not be 0
// at src/poly.rs:54:9
#[test]
fn add_debug_assert() {
    let mono = Mono::new(Rat::from(1), 0);
    let poly = Poly::from(Mono::new(Rat::from(-1), 0));
    let _ = poly.add(mono);
}
