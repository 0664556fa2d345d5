//! Floating-point numbers, changed a little or a lot. Single ones are computed with as double ones.

use crate::rng::Rng;

use super::vocabulary::Vocabulary;

const SPECIAL: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    0.1,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    f64::MAX,
    f64::MIN,
    // The first whole number that has no neighbour any more, and the ends of what fits `i64` and `u64`.
    9_007_199_254_740_992.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
];

pub fn mutate_f64(value: f64, vocabulary: &Vocabulary<'_>, rng: &mut Rng) -> f64 {
    match rng.below(24) {
        0 => value.next_up(),
        1 => value.next_down(),
        2 => f64::from_bits(value.to_bits() ^ (1 << rng.below(64))),
        3 => f64::from_bits(rng.below(4) as u64),
        _ => changed(value, vocabulary, rng),
    }
}

pub fn mutate_f32(value: f32, vocabulary: &Vocabulary<'_>, rng: &mut Rng) -> f32 {
    match rng.below(24) {
        0 => value.next_up(),
        1 => value.next_down(),
        2 => f32::from_bits(value.to_bits() ^ (1 << rng.below(32))),
        3 => f32::from_bits(rng.below(4) as u32),
        4 => [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::EPSILON, 16_777_216.0][rng.below(5)],
        _ => changed(f64::from(value), vocabulary, rng) as f32,
    }
}

fn changed(value: f64, vocabulary: &Vocabulary<'_>, rng: &mut Rng) -> f64 {
    // Whatever is done with what is no number leads nowhere.
    let value = if value.is_finite() { value } else { 1.0 };
    match rng.below(16) {
        0 => value + 1.0,
        1 => value - 1.0,
        2 => value + (rng.below(2001) as f64 - 1000.0) / 100.0,
        3 => -value,
        4 => value * 2.0,
        5 => value / 2.0,
        6 => value * 10.0,
        7 => value / 10.0,
        8 => value.round(),
        9 => 1.0 / value,
        10..=12 => SPECIAL[rng.below(SPECIAL.len())],
        13 => vocabulary.float_of_program(rng).unwrap_or(value + 0.5),
        _ => vocabulary.compared_float(rng).unwrap_or(value - 0.5),
    }
}
