//! Clauses that see private parts and go wrong when they are checked, each in a way of its own; and functions that go wrong
//! themselves although their clauses are good.

use std::hint::black_box;

use anodized::spec;
use contracts::{ensures, invariant, requires};

#[derive(Debug, Default)]
pub struct Scales {
    weights: Vec<u8>,
    n_readings: u32,
}

impl Scales {
    pub fn new() -> Scales {
        Scales::default()
    }

    pub fn put(&mut self, weight: u8) {
        self.weights.push(weight);
    }

    fn first(&self) -> u8 {
        self.weights[0]
    }

    fn settles(&self) -> bool {
        let mut turns = 0u64;
        while self.weights.len() > 2 {
            turns = black_box(turns) | 1;
        }
        turns == 0
    }

    fn swing(&self, n: u64) -> u64 {
        if self.weights.len() > 2 { black_box(self.swing(n + 1)) + 1 } else { n }
    }

    fn tallies(&self) -> bool {
        let (mut text, mut turns) = (String::new(), 0u64);
        while self.weights.len() > 2 && turns < u64::MAX {
            text = format!("{}", black_box(&text).len());
            turns = black_box(turns) | 1;
        }
        text.is_empty()
    }

    fn swing_in_writing(&self, text: String) -> u64 {
        if self.weights.len() > 2 { black_box(self.swing_in_writing(format!("{text}x").split_off(1))) + 1 } else { 0 }
    }

    #[requires(index < self.weights.len())]
    fn nth(&self, index: usize) -> u8 {
        self.weights[index]
    }

    // spoilt: self.first() < 255 panics itself
    #[ensures(self.first() < 255 || ret == 7)]
    pub fn helper_panics(&self) -> u8 {
        7
    }

    // spoilt: self.weights[1] panics itself
    #[requires(self.weights[1] < 255 || self.weights.len() == 2)]
    pub fn panics_on_entry(&self) -> u8 {
        8
    }

    // spoilt: what it calls demands something of it
    #[ensures(self.nth(3) < 255 || ret == 9)]
    pub fn breaks_another(&self) -> u8 {
        9
    }

    // spoilt: old(self.weights[2]) panics itself
    #[ensures(old(self.weights[2]) < 255 || ret == 10)]
    pub fn panics_about_the_past(&self) -> u8 {
        10
    }

    // spoilt: self.settles() does not come to an end
    #[ensures(self.settles())]
    pub fn never_ends(&self) -> u8 {
        11
    }

    // spoilt: self.swing(0) overflows the stack
    #[ensures(self.swing(0) < 5)]
    pub fn overflows(&self) -> u8 {
        12
    }

    // spoilt: self.tallies() does not come to an end, and allocates and compares all the time
    #[ensures(self.tallies())]
    pub fn tallies_for_ever(&self) -> u8 {
        13
    }

    // spoilt: self.swing_in_writing(..) overflows the stack, mostly while it allocates
    #[ensures(self.swing_in_writing(String::new()) < 5)]
    pub fn overflows_in_writing(&self) -> u8 {
        14
    }

    // spoilt: the first clause changes what the second one is about
    #[ensures({ self.n_readings += 1; true })]
    #[ensures(self.n_readings == old(self.n_readings))]
    pub fn reads_nothing(&mut self) {}

    // spoilt: it changes what it is about
    #[ensures({ self.n_readings += 1; ret % 2 == 0 })]
    pub fn counts_readings(&mut self) -> u32 {
        self.n_readings
    }

    // a bug of the function itself
    #[requires(self.weights.len() < 1000)]
    #[ensures(self.weights.len() < 1000)]
    pub fn own_overflow(&self) -> u64 {
        self.swing(13)
    }

    // Where this is part of both, the optimiser may make one panic of two, of which nobody knows whose it is.
    #[inline(never)]
    fn last(&self) -> u8 {
        self.weights[self.weights.len() - 1]
    }

    // spoilt: self.last() panics itself; and a bug of the function itself, at the same place
    #[ensures(self.last() < 255 || ret == 15 || code > 99)]
    pub fn both(&self, code: u8) -> u8 {
        if code > 99 { self.last() } else { 15 }
    }

    // a bug of the function itself
    #[ensures(ret < 100 -> self.weights.len() < 1000)]
    pub fn own_bug(&self) -> u8 {
        let last = self.weights.len() - 1;
        self.weights[last]
    }
}

/// Asks what is in it by the name that it has itself.
#[derive(Debug, Default)]
pub struct Crate {
    scales: Scales,
}

impl Crate {
    pub fn new(scales: Scales) -> Crate {
        Crate { scales }
    }

    // spoilt: what it calls demands something of it, and has the same name
    #[ensures(self.scales.nth(2) < 255 || ret == 16)]
    pub fn nth(&self) -> u8 {
        16
    }
}

/// With an invariant that goes wrong, too.
#[derive(Debug, Default)]
pub struct Shelf {
    jars: Vec<u8>,
}

// spoilt: self.jars[4] panics itself
#[invariant(self.jars.len() < 4 || self.jars[4] > 0 || self.jars.len() == 4)]
impl Shelf {
    pub fn add(&mut self, jar: u8) {
        self.jars.push(jar);
    }

    pub fn with_one(jar: u8) -> Shelf {
        Shelf { jars: vec![jar] }
    }
}

/// The same with the other crate.
#[derive(Debug, Default)]
pub struct Balance {
    weights: Vec<u8>,
}

impl Balance {
    pub fn new() -> Balance {
        Balance::default()
    }

    pub fn put(&mut self, weight: u8) {
        self.weights.push(weight);
    }

    fn first(&self) -> u8 {
        self.weights[0]
    }

    // spoilt: self.first() panics itself
    #[spec(requires: self.weights.len() < 1000, ensures: |output| self.first() < 255 || output == 27)]
    pub fn helper_panics(&self) -> u8 {
        27
    }

    // spoilt: what it looks back at panics itself
    #[spec(
        requires: self.weights.len() < 1000,
        captures: [lightest = self.weights[3]],
        ensures: |output| output == 28 || lightest > 0,
    )]
    pub fn looks_back(&self) -> u8 {
        28
    }

    // a bug of the function itself
    #[spec(requires: self.weights.len() < 1000, ensures: |output| output < 250 || !self.weights.is_empty())]
    pub fn own_bug(&self) -> u8 {
        let last = self.weights.len() - 1;
        self.weights[last] / 2
    }
}
