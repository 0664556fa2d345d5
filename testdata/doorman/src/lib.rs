//! Preconditions. Behind each function: whether its clauses can be asked before a call, and what is wrong with them.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use contracts::{contract_trait, requires, test_requires};

pub const CLOSING_HOUR: u32 = 22;
const SECRET: u32 = 4_211_337;

/// A house with a limited number of guests.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct House<T> {
    guests: Vec<T>,
}

impl<T: Clone + PartialEq> House<T> {
    pub const MOST: usize = 3;

    pub fn new() -> Self {
        House { guests: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.guests.len()
    }

    pub fn is_empty(&self) -> bool {
        self.guests.is_empty()
    }

    // asked: self.len() < Self::MOST
    #[requires(self.len() < Self::MOST)]
    pub fn enter(&mut self, guest: T) {
        self.guests.push(guest);
    }

    // asked: !self.is_empty()
    // asked: n < self.len() -> size_of::<T>() > 0
    #[requires(!self.is_empty(), n < self.len() -> size_of::<T>() > 0, "somebody is there")]
    pub fn nth_from(&self, n: usize) -> Option<T> {
        self.guests.get(n).cloned()
    }

    // told: self.guests.len() > 1
    #[requires(self.guests.len() > 1)]
    pub fn swap(&mut self) {
        self.guests.swap(0, 1);
    }
}

// asked: hour < CLOSING_HOUR
// asked: !name.is_empty()
// asked: name != "no  body"
#[requires(hour < CLOSING_HOUR)]
#[requires(!name.is_empty() && *name != *"", name != "no  body")]
pub fn greet(name: String, hour: u32) -> String {
    format!("{name} at {hour}")
}

// told, never met: key.wrapping_mul(key) == SECRET
#[requires(key.wrapping_mul(key) == SECRET)]
pub fn unlock(key: u32) -> u32 {
    key
}

// asked, panics itself
#[requires(list[2] > 0)]
pub fn third(list: &[u8]) -> u8 {
    list[2]
}

static N_ASKED: AtomicU32 = AtomicU32::new(0);

pub fn knock() -> bool {
    N_ASKED.fetch_add(1, Relaxed) % 2 == 0
}

// asked, says something else when asked again
#[requires(knock() || n > 1000)]
pub fn open(n: u32) -> u32 {
    n
}

pub fn wait_for(n: u8) -> bool {
    while std::hint::black_box(n) == 7 {}
    true
}

// asked, does not come to an end
#[requires(wait_for(n))]
pub fn rest(n: u8) -> u8 {
    n
}

/// A contract that all implementations share.
#[contract_trait]
pub trait Door {
    // asked: width > 10
    #[requires(width > 10)]
    fn pass(&self, width: u32) -> u32;
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Gate;

#[contract_trait]
impl Door for Gate {
    fn pass(&self, width: u32) -> u32 {
        width - 11
    }
}

/// Calls itself with what it does not take; who looks only at the last frames takes it for a call from outside.
// expected: error precondition: Pre-condition of down violated: n != 13
#[requires(n != 13)]
pub fn down(n: u32) -> u32 {
    match n {
        0 => 0,
        14 => down(n - 1),
        _ => n,
    }
}

/// Code that is indented by tabs, which the compiler counts as four columns each.
pub mod cellar {
	use contracts::requires;

	#[derive(Debug)]
	pub struct Cellar {
		depth: u32,
	}

	impl Cellar {
		pub fn new(depth: u32) -> Cellar {
			Cellar { depth }
		}

		// left to the contract: what it is about is private
		#[requires(self.depth < 3)]
		pub fn light(&self) -> u32 {
			self.depth
		}
	}
}

/// A door that says nothing about whether it is open.
#[derive(Debug, Default)]
pub struct Hatch {
    is_open: bool,
}

impl Hatch {
    pub fn new(is_open: bool) -> Hatch {
        Hatch { is_open }
    }

    // unchecked: it is left to tests of the crate itself
    #[test_requires(self.is_open)]
    pub fn climb(&self) -> u32 {
        1
    }
}
