//! Incidents sorted by what happened where, the shortest program of each.

use provoke_wire::Program;
use rustc_hash::FxHashMap;

use crate::shrink::is_simpler;
use crate::verdict::Incident;

/// A 64-bit FNV-1a hash, finished by a mixing step. Defined here because ids on disk must not change with a library.
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

/// The best program so far for one provisional key.
#[derive(Clone, Debug)]
pub struct Bucket {
    pub incident: Incident,
    pub program: Program,
    /// How often the key was seen.
    pub n_seen: u64,
}

/// What became of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The first program of its key.
    New,
    /// Simpler than what was there.
    Better,
    /// Counted, nothing else.
    Known,
    /// No room for another key.
    Full,
}

/// A bounded set of buckets, in the order in which their keys came up.
#[derive(Clone, Debug)]
pub struct Buckets {
    buckets: Vec<Bucket>,
    index: FxHashMap<u64, usize>,
    limit: usize,
}

impl Buckets {
    pub fn new(limit: usize) -> Buckets {
        Buckets { buckets: Vec::new(), index: FxHashMap::default(), limit }
    }

    pub fn offer(&mut self, incident: &Incident, program: &Program) -> Offer {
        if let Some(&at) = self.index.get(&incident.key) {
            let bucket = &mut self.buckets[at];
            bucket.n_seen += 1;
            if !is_simpler(program, &bucket.program) {
                return Offer::Known;
            }
            bucket.program.clone_from(program);
            bucket.incident.clone_from(incident);
            return Offer::Better;
        }
        if self.buckets.len() >= self.limit {
            return Offer::Full;
        }
        self.index.insert(incident.key, self.buckets.len());
        self.buckets.push(Bucket { incident: incident.clone(), program: program.clone(), n_seen: 1 });
        Offer::New
    }

    pub fn get(&self, key: u64) -> Option<&Bucket> {
        self.index.get(&key).map(|&at| &self.buckets[at])
    }

    /// In the order in which the keys came up.
    pub fn iter(&self) -> impl Iterator<Item = &Bucket> {
        self.buckets.iter()
    }

    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panic_kind::PanicKind;
    use crate::verdict::{Activity, Event};
    use provoke_wire::{Literal, Phase};

    fn incident(key: u64) -> Incident {
        Incident {
            key,
            event: Event::Panic(PanicKind::Bounds),
            activity: Activity::Call,
            statement: 0,
            at: 0,
            phase: Phase::Call,
            panic: Some(0),
        }
    }

    fn program(numbers: &[u8]) -> Program {
        let mut program = Program::default();
        for &number in numbers {
            program.main.push_literal(&Literal::U8(number));
        }
        program
    }

    #[test]
    fn the_simplest_program_of_a_key_is_kept_and_keys_are_bounded() {
        let mut buckets = Buckets::new(2);
        assert_eq!(buckets.offer(&incident(7), &program(&[1, 2])), Offer::New);
        assert_eq!(buckets.offer(&incident(7), &program(&[1, 2, 3])), Offer::Known);
        assert_eq!(buckets.offer(&incident(7), &program(&[9])), Offer::Better);
        assert_eq!(buckets.offer(&incident(7), &program(&[9])), Offer::Known);
        assert_eq!(buckets.offer(&incident(3), &program(&[1])), Offer::New);
        assert_eq!(buckets.offer(&incident(4), &program(&[1])), Offer::Full);
        let bucket = buckets.get(7).unwrap();
        assert_eq!((bucket.n_seen, &bucket.program), (4, &program(&[9])));
        let keys: Vec<u64> = buckets.iter().map(|bucket| bucket.incident.key).collect();
        assert_eq!(keys, [7, 3]);
    }

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
