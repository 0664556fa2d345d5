//! Contracts that are checked only on demand, and who breaks them. What is expected of each function stands before it: nothing where
//! only callers can be to blame.

use anodized::spec;

/// Water that never runs over.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Cistern {
    level: u32,
    is_open: bool,
}

impl Cistern {
    // expected: error postcondition: postcondition failed: |ref cistern| cistern.level == level
    #[spec(requires: level <= 900, ensures: |ref cistern| cistern.level == level)]
    pub fn with_level(level: u32) -> Cistern {
        Cistern { level: if level == 7 { 8 } else { level }, is_open: false }
    }

    pub fn level(&self) -> u32 {
        self.level
    }

    #[spec(
        requires: [litres > 0, litres <= self.level],
        captures: before = self.level,
        ensures: self.level == before - litres,
    )]
    pub fn draw(&mut self, litres: u32) {
        self.level -= litres;
    }

    /// Takes what may not be there.
    // expected: error precondition: precondition failed: at least one of `litres > 0`, `litres <= self.level`
    #[spec(captures: before = self.level, ensures: self.level <= before)]
    pub fn rinse(&mut self) {
        self.draw(3);
    }

    /// Its caller gets less than is taken.
    // expected: error postcondition: postcondition failed: |drained| self.level + drained == before
    #[anodized::spec(captures: before = self.level, ensures: |drained| self.level + drained == before)]
    pub fn drain(&mut self, at_most: u32) -> u32 {
        let drained = self.level.min(at_most);
        self.level -= drained;
        if drained == 5 { 4 } else { drained }
    }

    // expected: error invariant: postcondition failed: self.level <= 1000
    #[spec(requires: percent < 100, maintains: self.level <= 1000)]
    pub fn rain(&mut self, percent: u32) {
        self.level += self.level * percent / 100;
    }

    /// Calls itself with what it does not take.
    // expected: error precondition: precondition failed: n < 50
    #[spec(requires: n < 50)]
    pub fn ripples(&self, n: u32) -> u32 {
        if n % 7 == 6 { self.ripples(n * 2).count_ones() } else { n / 2 }
    }

    /// Two promises, both broken.
    // expected: error postcondition: postcondition failed: at least one of `|is_open| is_open == self.is_open`, `code != 3`
    #[spec(ensures: [|is_open| is_open == self.is_open, code != 3])]
    pub fn open(&mut self, code: u8) -> bool {
        self.is_open = true;
        code != 2
    }

    /// Goes through the standard library.
    // expected: error precondition: precondition failed: litres % 13 != 12
    pub fn check_all(&self, all_litres: &[u32]) -> bool {
        all_litres.iter().all(|litres| check(*litres))
    }

    /// Hands only on what is right.
    pub fn check_some(&self, litres: u32) -> bool {
        litres % 13 != 12 && check(litres)
    }
}

#[cfg_attr(debug_assertions, spec(requires: litres % 13 != 12))]
fn check(litres: u32) -> bool {
    litres % 2 == 0
}

/// What callers pass is for them to keep.
#[spec(maintains: pipes.len() < 3)]
pub fn sort_pipes(pipes: &mut Vec<u8>) {
    pipes.sort_unstable();
}

/// Until it is changed.
// expected: error postcondition: postcondition failed: pipes.len() < 3
#[spec(maintains: pipes.len() < 3)]
pub fn add_pipe(pipes: &mut Vec<u8>) {
    pipes.push(1);
}

/// All checks of its functions start at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valve {
    turns: u32,
}

#[spec]
impl Valve {
    #[spec(requires: turns < 9)]
    pub fn new(turns: u32) -> Valve {
        Valve { turns }
    }

    // expected: error postcondition: postcondition failed: self.turns <= 9
    #[spec(ensures: self.turns <= 9)]
    pub fn turn(&mut self) {
        self.turns += 1;
    }

    // expected: error postcondition: postcondition failed: |is_shut| is_shut || self.turns > 0
    #[spec(ensures: |is_shut| is_shut || self.turns > 0)]
    pub fn is_shut(&self) -> bool {
        self.turns == 1
    }

    // expected: error precondition: precondition failed: turns < 9
    pub fn half(&self) -> Valve {
        let mut half = Valve::new(self.turns);
        half.turns /= 2;
        half
    }
}

/// A contract that all implementations share.
#[spec]
pub trait Gauge {
    #[spec(requires: load < 200, ensures: |shown| shown >= load)]
    fn show(&self, load: u32) -> u32;
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Honest;

#[spec]
impl Gauge for Honest {
    fn show(&self, load: u32) -> u32 {
        load + 1
    }
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Crooked;

// expected: error postcondition: postcondition failed: |shown| shown >= load
#[spec]
impl Gauge for Crooked {
    fn show(&self, load: u32) -> u32 {
        load.saturating_sub(load / 100)
    }
}

/// Refuses what the trait lets callers pass.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Picky;

// expected: error precondition: precondition failed: load != 150
#[spec]
impl Gauge for Picky {
    #[spec(requires: load != 150)]
    fn show(&self, load: u32) -> u32 {
        load
    }
}

/// What is put away is checked once more.
#[derive(Debug)]
pub struct Bucket {
    drops: u32,
}

impl Bucket {
    #[spec(requires: drops < 100)]
    pub fn new(drops: u32) -> Bucket {
        Bucket { drops }
    }
}

// expected: error precondition: precondition failed: drops != 5
impl Drop for Bucket {
    fn drop(&mut self) {
        empty(self.drops);
    }
}

#[spec(requires: drops != 5)]
fn empty(drops: u32) -> u32 {
    drops
}

/// Everybody can write its fields, so nobody knows who broke it.
#[derive(Debug, Clone)]
pub struct Marks {
    pub low: u8,
    pub high: u8,
}

impl Marks {
    // expected: suspicious invariant: precondition failed: self.low <= self.high
    #[spec(maintains: self.low <= self.high)]
    pub fn distance(&self) -> u8 {
        self.high - self.low
    }
}

/// Its type says what holds for each.
#[spec(maintains: self.0 % 2 == 0)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair(u32);

// expected: error postcondition: postcondition failed: -> Spec!(Pair)
#[spec(requires: n < 100)]
pub fn pair_of(n: u32) -> Spec!(Pair) {
    Pair(if n == 11 { n } else { n * 2 })
}
