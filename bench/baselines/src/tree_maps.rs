//! `tree-map`: all of its operations, none of which can fail.

use std::hint::black_box;

use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof};
use quickcheck::{Arbitrary, Gen};
use tree_map::TreeMap;

use crate::rng::Rng;
use crate::subject::{POOL_SIZE, Subject};

#[derive(Debug, Default)]
pub struct TreeMaps([TreeMap; POOL_SIZE]);

#[derive(Debug, Clone)]
pub struct Op {
    target: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    New,
    Insert(i32, i32),
    Get(i32),
    ContainsKey(i32),
    Remove(i32),
    FirstKeyValue,
    LastKeyValue,
    PopFirst,
    Len,
    IsEmpty,
    Clear,
    Eq(usize),
}

/// How many kinds there are.
const N_KINDS: u32 = 12;

impl Subject for TreeMaps {
    type Op = Op;

    fn call_random(&mut self, rng: &mut Rng) -> bool {
        let target = rng.below(POOL_SIZE as u32) as usize;
        let map = &mut self.0[target];
        match rng.below(N_KINDS) {
            0 => *map = TreeMap::new(),
            1 => _ = black_box(map.insert(rng.small(), rng.small())),
            2 => _ = black_box(map.get(rng.small())),
            3 => _ = black_box(map.contains_key(rng.small())),
            4 => _ = black_box(map.remove(rng.small())),
            5 => _ = black_box(map.first_key_value()),
            6 => _ = black_box(map.last_key_value()),
            7 => _ = black_box(map.pop_first()),
            8 => _ = black_box(map.len()),
            9 => _ = black_box(map.is_empty()),
            10 => map.clear(),
            _ => {
                let other = rng.below(POOL_SIZE as u32) as usize;
                black_box(self.0[target] == self.0[other]);
            }
        }
        true
    }

    fn call(&mut self, op: &Op) -> bool {
        let map = &mut self.0[op.target];
        match op.kind {
            Kind::New => *map = TreeMap::new(),
            Kind::Insert(key, value) => _ = black_box(map.insert(key, value)),
            Kind::Get(key) => _ = black_box(map.get(key)),
            Kind::ContainsKey(key) => _ = black_box(map.contains_key(key)),
            Kind::Remove(key) => _ = black_box(map.remove(key)),
            Kind::FirstKeyValue => _ = black_box(map.first_key_value()),
            Kind::LastKeyValue => _ = black_box(map.last_key_value()),
            Kind::PopFirst => _ = black_box(map.pop_first()),
            Kind::Len => _ = black_box(map.len()),
            Kind::IsEmpty => _ = black_box(map.is_empty()),
            Kind::Clear => map.clear(),
            Kind::Eq(other) => _ = black_box(self.0[op.target] == self.0[other]),
        }
        true
    }

    fn strategy() -> BoxedStrategy<Op> {
        let small = || -10..=10i32;
        let kind = prop_oneof![
            Just(Kind::New),
            (small(), small()).prop_map(|(key, value)| Kind::Insert(key, value)),
            small().prop_map(Kind::Get),
            small().prop_map(Kind::ContainsKey),
            small().prop_map(Kind::Remove),
            Just(Kind::FirstKeyValue),
            Just(Kind::LastKeyValue),
            Just(Kind::PopFirst),
            Just(Kind::Len),
            Just(Kind::IsEmpty),
            Just(Kind::Clear),
            (0..POOL_SIZE).prop_map(Kind::Eq),
        ];
        (0..POOL_SIZE, kind)
            .prop_map(|(target, kind)| Op { target, kind })
            .boxed()
    }
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        let small = |g: &mut Gen| i32::from(i8::arbitrary(g) % 11);
        let place = |g: &mut Gen| usize::arbitrary(g) % POOL_SIZE;
        let kind = match u32::arbitrary(g) % N_KINDS {
            0 => Kind::New,
            1 => Kind::Insert(small(g), small(g)),
            2 => Kind::Get(small(g)),
            3 => Kind::ContainsKey(small(g)),
            4 => Kind::Remove(small(g)),
            5 => Kind::FirstKeyValue,
            6 => Kind::LastKeyValue,
            7 => Kind::PopFirst,
            8 => Kind::Len,
            9 => Kind::IsEmpty,
            10 => Kind::Clear,
            _ => Kind::Eq(place(g)),
        };
        Op {
            target: place(g),
            kind,
        }
    }
}
