//! Something of every kind that a regression test can say, and some things that it must not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// Books by number, in the order in which they were put here.
#[derive(Debug, Default)]
pub struct Shelf {
    books: Vec<u32>,
}

/// Cannot be compared.
#[derive(Debug)]
pub struct Odd;

impl Shelf {
    pub fn new() -> Shelf {
        Shelf::default()
    }

    pub fn put(&mut self, book: u32) {
        self.books.push(book);
    }

    pub fn take(&mut self) -> Option<u32> {
        self.books.pop()
    }

    /// # Panics
    /// If there are not so many books.
    pub fn at(&self, place: usize) -> u32 {
        if place >= self.books.len() {
            panic!("there is no book there");
        }
        self.books[place]
    }

    pub fn len(&self) -> usize {
        self.books.len()
    }

    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    pub fn has(&self, book: &u32) -> bool {
        self.books.contains(book)
    }

    pub fn label(&self) -> String {
        format!("{} \"books\"", self.books.len())
    }

    /// The order is that of a hash table.
    pub fn by_chance(&self) -> Vec<u32> {
        let books: HashMap<u32, ()> = self.books.iter().map(|book| (*book, ())).collect();
        books.into_keys().collect()
    }

    /// Where it lies in memory.
    pub fn address(&self) -> usize {
        &raw const *self as usize
    }
}

/// An error for odd numbers.
pub fn halve(n: u32) -> Result<u32, Odd> {
    if n % 2 == 0 { Ok(n / 2) } else { Err(Odd) }
}

/// Another number each time.
pub fn ticket() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
