//! How each comparison of the target came out so far, and what is left to be seen.
//!
//! Decision: `docs/decisions/037-a-comparison-is-open-until-it-came-out-each-way.md`

use std::collections::BTreeMap;

use provoke_wire::{Comparison, Operands};
use serde::{Deserialize, Serialize};

use crate::hash::seen::{WordHash, checksum, mix};

/// Programs that are made for one comparison before it counts as one that cannot come out otherwise. Many, because the program
/// in which it can may come late: a checksum has to be right again in each one that gets further than others.
const MAX_TRIES: u32 = 4000;
/// Met in fewer than one of so many times, it is rarely met.
const RARE: u32 = 5;
/// Comparisons that are remembered.
const MAX_CONDITIONS: usize = 20_000;

/// How two operands relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Relation {
    Equal = 1,
    Less = 2,
    Greater = 4,
}

const ALL: [Relation; 3] = [Relation::Equal, Relation::Less, Relation::Greater];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Condition {
    /// Relations that were seen, as bits.
    seen: u8,
    n_seen: u32,
    n_equal: u32,
    n_tries: u32,
    /// The values of each operand where they differ, and of both where they are equal.
    first: Values,
    second: Values,
    equal: Values,
}

impl Condition {
    /// Whether it is rarely met: in few programs, or by few values although both operands take many. One program that states the
    /// right checksum of nothing, run again and again, says little about all the others.
    fn is_rare(&self) -> bool {
        let n_unequal = self.first.count().min(self.second.count());
        self.n_equal.saturating_mul(RARE) < self.n_seen || self.equal.count() * RARE < n_unequal
    }
}

/// How many different values there were, roughly, and up to some dozens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Values(u64);

impl Values {
    fn add(&mut self, hash: u64) {
        self.0 |= 1 << (hash >> 58);
    }

    fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// By the key of the comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    all: BTreeMap<u64, Condition>,
}

impl Conditions {
    pub fn see(&mut self, comparison: &Comparison) {
        let key = key_of(comparison);
        if self.all.len() < MAX_CONDITIONS || self.all.contains_key(&key) {
            let relation = relation_of(&comparison.operands);
            let condition = self.all.entry(key).or_default();
            condition.seen |= relation as u8;
            condition.n_seen = condition.n_seen.saturating_add(1);
            let [first, second] = hashes_of(&comparison.operands);
            if relation == Relation::Equal {
                condition.n_equal = condition.n_equal.saturating_add(1);
                condition.equal.add(first);
            } else {
                condition.first.add(first);
                condition.second.add(second);
            }
        }
    }

    /// Relations that are worth trying for.
    pub(super) fn wanted(&self, comparison: &Comparison) -> impl Iterator<Item = Relation> + use<> {
        let condition = self.all.get(&key_of(comparison)).copied().unwrap_or_default();
        // A case is met or not; memory is mostly compared for being equal.
        let is_equality = !matches!(comparison.operands, Operands::Numbers { .. });
        let is_wide = match comparison.operands {
            Operands::Numbers { n_bytes, .. } => n_bytes > 1,
            Operands::Case { .. } => false,
            Operands::Bytes { .. } => true,
        };
        let is_met = relation_of(&comparison.operands) == Relation::Equal;
        let is_rare = is_wide && !is_met && condition.is_rare();
        let is_wanted = move |relation: &Relation| match relation {
            Relation::Equal if condition.seen & Relation::Equal as u8 != 0 => is_rare && condition.n_tries < MAX_TRIES,
            Relation::Less | Relation::Greater if is_equality => false,
            _ => condition.n_tries < MAX_TRIES && condition.seen & *relation as u8 == 0,
        };
        ALL.into_iter().filter(is_wanted)
    }

    pub(super) fn n_tries(&self, comparison: &Comparison) -> u32 {
        self.all.get(&key_of(comparison)).map_or(0, |condition| condition.n_tries)
    }

    pub(super) fn try_for(&mut self, comparison: &Comparison, n: usize) {
        if let Some(condition) = self.all.get_mut(&key_of(comparison)) {
            condition.n_tries += n as u32;
        }
    }
}

/// Each case of a `match` is a condition of its own.
pub(super) fn key_of(comparison: &Comparison) -> u64 {
    let site = u64::from(comparison.site) << 32;
    match comparison.operands {
        Operands::Case { case, .. } => {
            let mut hash = WordHash::default();
            hash.add(case);
            site | (hash.finish() & 0xffff_fffe) | 1
        }
        _ => site,
    }
}

fn hashes_of(operands: &Operands) -> [u64; 2] {
    match operands {
        Operands::Numbers { a, b, .. } => [mix(*a), mix(*b)],
        Operands::Case { value, case, .. } => [mix(*value), mix(*case)],
        Operands::Bytes { a, b } => [checksum(a), checksum(b)],
    }
}

fn relation_of(operands: &Operands) -> Relation {
    let ordering = match operands {
        Operands::Numbers { a, b, .. } => a.cmp(b),
        Operands::Case { value, case, .. } => value.cmp(case),
        Operands::Bytes { a, b } => a.cmp(b),
    };
    match ordering {
        std::cmp::Ordering::Less => Relation::Less,
        std::cmp::Ordering::Equal => Relation::Equal,
        std::cmp::Ordering::Greater => Relation::Greater,
    }
}
