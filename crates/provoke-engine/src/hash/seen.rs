//! A bounded memory of 64-bit hashes; old entries may be forgotten.

use serde::{Deserialize, Serialize};

use crate::saved_forms::{RestoreError, ensure};

/// A direct-mapped table: each hash has one place, and a newer one takes it over. Only half of each hash is kept, so that
/// the table stays in the cache; one new hash in four billion is taken for an old one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    places: Vec<u32>,
}

impl Seen {
    /// Room for `2^bits` hashes.
    pub fn new(bits: u32) -> Seen {
        Seen { places: vec![0; 1 << bits] }
    }

    /// Takes over what was saved from a table of the same size.
    pub(crate) fn restore(&mut self, saved: Seen) -> Result<(), RestoreError> {
        ensure(saved.places.len() == self.places.len(), "hashes")?;
        *self = saved;
        Ok(())
    }

    /// Remembers the hash; `true` if it was not there.
    pub fn insert(&mut self, hash: u64) -> bool {
        let (place, tag) = self.place_of(hash);
        let is_new = self.places[place] != tag;
        self.places[place] = tag;
        is_new
    }

    pub fn contains(&self, hash: u64) -> bool {
        let (place, tag) = self.place_of(hash);
        self.places[place] == tag
    }

    pub fn clear(&mut self) {
        self.places.fill(0);
    }

    fn place_of(&self, hash: u64) -> (usize, u32) {
        let mixed = mix(hash);
        // 0 marks an empty place.
        (mixed as usize & (self.places.len() - 1), ((mixed >> 32) as u32).max(1))
    }
}

/// Spreads a hash over all bits (the finaliser of SplitMix64).
pub fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A running hash over words.
#[derive(Clone, Copy, Debug)]
pub struct WordHash(u64);

impl Default for WordHash {
    fn default() -> WordHash {
        WordHash(0x9e37_79b9_7f4a_7c15)
    }
}

impl WordHash {
    pub fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    pub fn finish(self) -> u64 {
        mix(self.0)
    }
}

/// Of a whole file: what was written broken or half is told from what was written well.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = WordHash::default();
    hash.bytes(bytes);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_new_once() {
        let mut seen = Seen::new(10);
        for hash in [5, 0] {
            assert!(!seen.contains(hash));
            assert!(seen.insert(hash));
            assert!(seen.contains(hash));
            assert!(!seen.insert(hash));
        }
        seen.clear();
        assert!(seen.insert(5));
    }

    #[test]
    fn texts_that_differ_only_in_trailing_zeros_hash_apart() {
        let hash = |bytes: &[u8]| {
            let mut hash = WordHash::default();
            hash.bytes(bytes);
            hash.finish()
        };
        assert_ne!(hash(b"a"), hash(b"a\0"));
    }
}
