//! A hash that no version of any library changes: ids on disk depend on it.

/// A 64-bit FNV-1a hash, finished by a mixing step.
#[derive(Clone, Copy, Debug)]
pub struct StableHash(u64);

impl StableHash {
    pub fn new() -> StableHash {
        StableHash(0xcbf2_9ce4_8422_2325)
    }

    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Length first, so that two texts cannot be mistaken for two others with the same letters.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    pub fn finish(self) -> u64 {
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        mixed ^ mixed >> 33
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Default for StableHash {
    fn default() -> StableHash {
        StableHash::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stable_hash_never_changes() {
        let mut hash = StableHash::new();
        hash.text("debug-assert");
        hash.number(7);
        assert_eq!(hash.finish(), 1516662526157773483);
        let two = |a: &str, b: &str| {
            let mut hash = StableHash::new();
            hash.text(a);
            hash.text(b);
            hash.finish()
        };
        assert_ne!(two("ab", "c"), two("a", "bc"));
    }
}
