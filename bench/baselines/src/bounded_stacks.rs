//! `bounded-stack`: only its legal uses, because of the bug planted in it. A push that would not
//! fit is neither called nor counted; Provoke makes those calls too, and pays for their panics.

use std::hint::black_box;

use bounded_stack::BoundedStack;
use proptest::prelude::{BoxedStrategy, Just, Strategy, prop_oneof};
use quickcheck::{Arbitrary, Gen};

use crate::rng::Rng;
use crate::subject::{POOL_SIZE, Subject};

#[derive(Debug)]
pub struct BoundedStacks([Bounded; POOL_SIZE]);

#[derive(Debug)]
struct Bounded {
    stack: BoundedStack,
    bound: usize,
}

impl Bounded {
    fn new(bound: u8) -> Self {
        Bounded {
            stack: BoundedStack::new(bound),
            bound: bound.into(),
        }
    }

    fn has_room_for(&self, n: usize) -> bool {
        self.bound - self.stack.len() >= n
    }
}

impl Default for BoundedStacks {
    fn default() -> Self {
        BoundedStacks(std::array::from_fn(|_| Bounded::new(MAX_BOUND)))
    }
}

#[derive(Debug, Clone)]
pub struct Op {
    target: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    New(u8),
    Push(i32),
    PushN(usize, i32),
    Pop,
    Peek,
    Capacity,
    Len,
    IsEmpty,
}

/// How many kinds there are.
const N_KINDS: u32 = 8;

/// The largest bound and the largest number of copies that are drawn.
const MAX_BOUND: u8 = 15;

impl Subject for BoundedStacks {
    type Op = Op;

    fn call_random(&mut self, rng: &mut Rng) -> bool {
        let bounded = &mut self.0[rng.below(POOL_SIZE as u32) as usize];
        match rng.below(N_KINDS) {
            0 => *bounded = Bounded::new(rng.below(u32::from(MAX_BOUND) + 1) as u8),
            1 => {
                if !bounded.has_room_for(1) {
                    return false;
                }
                _ = black_box(bounded.stack.push(rng.small()));
            }
            2 => {
                let n = rng.below(u32::from(MAX_BOUND) + 1) as usize;
                if !bounded.has_room_for(n) {
                    return false;
                }
                _ = black_box(bounded.stack.push_n(n, rng.small()));
            }
            3 => _ = black_box(bounded.stack.pop()),
            4 => _ = black_box(bounded.stack.peek()),
            5 => _ = black_box(bounded.stack.capacity()),
            6 => _ = black_box(bounded.stack.len()),
            _ => _ = black_box(bounded.stack.is_empty()),
        }
        true
    }

    fn call(&mut self, op: &Op) -> bool {
        let bounded = &mut self.0[op.target];
        match op.kind {
            Kind::New(bound) => *bounded = Bounded::new(bound),
            Kind::Push(_) if !bounded.has_room_for(1) => return false,
            Kind::PushN(n, _) if !bounded.has_room_for(n) => return false,
            Kind::Push(item) => _ = black_box(bounded.stack.push(item)),
            Kind::PushN(n, item) => _ = black_box(bounded.stack.push_n(n, item)),
            Kind::Pop => _ = black_box(bounded.stack.pop()),
            Kind::Peek => _ = black_box(bounded.stack.peek()),
            Kind::Capacity => _ = black_box(bounded.stack.capacity()),
            Kind::Len => _ = black_box(bounded.stack.len()),
            Kind::IsEmpty => _ = black_box(bounded.stack.is_empty()),
        }
        true
    }

    fn strategy() -> BoxedStrategy<Op> {
        let small = || -10..=10i32;
        let kind = prop_oneof![
            (0..=MAX_BOUND).prop_map(Kind::New),
            small().prop_map(Kind::Push),
            (0..=usize::from(MAX_BOUND), small()).prop_map(|(n, item)| Kind::PushN(n, item)),
            Just(Kind::Pop),
            Just(Kind::Peek),
            Just(Kind::Capacity),
            Just(Kind::Len),
            Just(Kind::IsEmpty),
        ];
        (0..POOL_SIZE, kind)
            .prop_map(|(target, kind)| Op { target, kind })
            .boxed()
    }
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        let small = |g: &mut Gen| i32::from(i8::arbitrary(g) % 11);
        let bound = |g: &mut Gen| u8::arbitrary(g) % (MAX_BOUND + 1);
        let kind = match u32::arbitrary(g) % N_KINDS {
            0 => Kind::New(bound(g)),
            1 => Kind::Push(small(g)),
            2 => Kind::PushN(bound(g).into(), small(g)),
            3 => Kind::Pop,
            4 => Kind::Peek,
            5 => Kind::Capacity,
            6 => Kind::Len,
            _ => Kind::IsEmpty,
        };
        Op {
            target: usize::arbitrary(g) % POOL_SIZE,
            kind,
        }
    }
}
