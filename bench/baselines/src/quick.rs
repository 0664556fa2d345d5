//! quickcheck: a vector of operations applied to fresh objects.

use quickcheck::{Gen, QuickCheck};

use crate::Deadline;
use crate::subject::{Subject, counted_call, n_counted_calls};

/// The longest sequence; the same as for proptest.
const MAX_LEN: usize = 20;

pub fn run<S: Subject>(deadline: Deadline) -> u64 {
    while !deadline.is_over() {
        let property: fn(Vec<S::Op>) -> bool = holds::<S>;
        QuickCheck::new()
            .tests(256)
            .rng(Gen::new(MAX_LEN + 1))
            .quickcheck(property);
    }
    n_counted_calls()
}

fn holds<S: Subject>(ops: Vec<S::Op>) -> bool {
    let mut subject = S::default();
    for op in &ops {
        counted_call(&mut subject, op);
    }
    true
}
