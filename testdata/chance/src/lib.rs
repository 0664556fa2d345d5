//! Values that depend on what a process draws from outside: hash keys, clocks, addresses, threads.
//!
//! Which of them are equal decides what a search builds on, so a run is repeatable only if all of this is fixed.

use std::collections::{HashMap, HashSet};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Its `Debug` and its first element depend on the order of a hash table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crowd {
    people: HashSet<u16>,
}

impl Crowd {
    pub fn new() -> Crowd {
        Crowd::default()
    }

    pub fn add(&mut self, person: u16) -> bool {
        self.people.insert(person)
    }

    pub fn first(&self) -> Option<u16> {
        self.people.iter().next().copied()
    }

    pub fn ranks(&self) -> Vec<u16> {
        let ranks: HashMap<u16, usize> = self.people.iter().copied().zip(0..).collect();
        ranks.into_iter().map(|(person, _)| person).collect()
    }
}

pub fn last_digit_of_the_time() -> u16 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() % 1000) as u16
}

pub fn time_for_nothing() -> u16 {
    (Instant::now().elapsed().as_nanos() % 1000) as u16
}

pub fn address_of_a_value(value: u16) -> u16 {
    let boxed = Box::new(value);
    (&raw const *boxed as usize >> 4) as u16
}

pub fn address_of_a_function() -> u16 {
    let function: fn() -> u16 = last_digit_of_the_time;
    (function as usize >> 4) as u16
}

/// An error, so that there is something to minimise.
pub fn never_seven(value: u16) -> bool {
    let mut values = Vec::new();
    values.push(value);
    debug_assert!(values[0] % 10 != 7, "no value ends in seven");
    values.is_empty()
}
