//! A small 64-bit hasher with fixed keys: the same value has the same fingerprint in every worker.

use std::hash::{BuildHasherDefault, Hasher};

/// For the executor's own tables, which must not draw from the random keys that the code under test sees.
pub(crate) type FixedState = BuildHasherDefault<FixedHasher>;

/// Folds each word in by a 64 x 64 -> 128 bit multiplication.
#[derive(Clone)]
pub struct FixedHasher {
    state: u64,
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const STEP: u64 = 0xd1b5_4a32_d192_ed03;

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl FixedHasher {
    fn word(&mut self, word: u64) {
        // The sum keeps a product of zero from swallowing what came before.
        self.state = fold(self.state ^ word, FACTOR).wrapping_add(self.state.rotate_left(23) ^ STEP);
    }
}

impl Default for FixedHasher {
    fn default() -> FixedHasher {
        FixedHasher { state: SEED }
    }
}

impl Hasher for FixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length tells a short last word from the same word padded with zeros.
        self.word(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, n: u8) {
        self.word(n.into());
    }

    fn write_u16(&mut self, n: u16) {
        self.word(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.word(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    fn write_u128(&mut self, n: u128) {
        self.word(n as u64);
        self.word((n >> 64) as u64);
    }

    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    fn finish(&self) -> u64 {
        let mixed = fold(self.state ^ SEED, STEP);
        fold(mixed ^ mixed >> 29, FACTOR | 1) ^ mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::hash::Hash;

    fn hash_of(value: impl Hash) -> u64 {
        let mut hasher = FixedHasher::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn fingerprints_are_the_same_in_every_build() {
        assert_eq!(hash_of(1u8), hash_of(1u64));
        assert_eq!(hash_of("provoke"), 16_517_378_821_589_052_043);
    }

    #[test]
    fn small_and_similar_values_do_not_collide() {
        let mut seen = BTreeSet::new();
        for a in 0..300u64 {
            for b in 0..100u32 {
                assert!(seen.insert(hash_of((a, b))), "{a} {b}");
            }
        }
        for text in ["", "\0", "\0\0", "a", "a\0", "aaaaaaaa", "aaaaaaaa\0"] {
            assert!(seen.insert(hash_of(text)), "{text:?}");
        }
        assert!(seen.insert(hash_of(SEED)));
        assert!(seen.insert(hash_of((SEED, 1))));
    }
}
