//! What these calls do depends on state that no argument shows: a static, a thread-local, random numbers.

use std::cell::Cell;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU32, Ordering};

static TICKETS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The third ticket of a process cannot be drawn, whoever drew the others.
pub fn draw_ticket(name: u8) -> u32 {
    let mut drawn = Vec::new();
    drawn.push(TICKETS.fetch_add(1, Ordering::Relaxed));
    debug_assert!(drawn[0] != 2, "the roll holds two tickets");
    drawn[0] + u32::from(name)
}

/// Four of these in one thread are too many.
#[derive(Debug)]
pub struct Diver {
    name: u8,
}

impl Diver {
    pub fn new(name: u8) -> Diver {
        Diver { name }
    }

    pub fn name(&self) -> u8 {
        self.name
    }

    pub fn dive(self) -> u32 {
        let mut depths = Vec::new();
        depths.push(DEPTH.get() + 1);
        DEPTH.set(depths[0]);
        debug_assert!(depths[0] != 4, "nobody dives that deep");
        depths[0]
    }
}

/// Fails for one hash key out of sixteen.
pub fn toss(name: u8) -> bool {
    let mut hashes = Vec::new();
    hashes.push(RandomState::new().hash_one(name));
    debug_assert!(hashes[0] % 16 != 0, "the coin stands on its edge");
    hashes[0] % 2 == 0
}
