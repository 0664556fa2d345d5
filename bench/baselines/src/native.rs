//! The hand-written loop: the fastest that random calls can be.

use crate::Deadline;
use crate::rng::Rng;
use crate::subject::Subject;

pub fn run<S: Subject>(deadline: Deadline) -> u64 {
    let mut rng = Rng::new();
    let mut subject = S::default();
    let mut n_calls = 0;
    while !deadline.is_over() {
        for _ in 0..4096 {
            n_calls += u64::from(subject.call_random(&mut rng));
        }
    }
    n_calls
}
