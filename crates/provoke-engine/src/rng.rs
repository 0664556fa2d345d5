//! The one source of chance: xoshiro256++, seeded from the run's seed, so that a run can be repeated.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::hash::seen::mix;

/// A seeded generator with the few draws that the search needs.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// One of many streams that follow from a seed. Streams of neighbouring numbers have nothing in
    /// common.
    pub fn stream(seed: u64, number: u64) -> Rng {
        Rng::new(mix(mix(seed).wrapping_add(number)))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, which must not be 0. Multiply-shift: the bias is far below anything we could notice.
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0);
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True `percent` times out of a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { Some(&from[self.below(from.len())]) }
    }
}
