//! No fault at all.

use std::collections::HashMap;
use std::hash::Hash;
use std::mem::{self, MaybeUninit};
use std::ptr;

const CAPACITY: usize = 4;

/// What the others should be.
pub struct Careful<T> {
    cells: [MaybeUninit<T>; CAPACITY],
    len: usize,
}

impl<T> Careful<T> {
    pub fn new() -> Careful<T> {
        Careful { cells: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// Gives the element back if there is no room.
    pub fn push(&mut self, element: T) -> Result<(), T> {
        if self.len == CAPACITY {
            return Err(element);
        }
        self.cells[self.len].write(element);
        self.len += 1;
        Ok(())
    }

    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(unsafe { self.cells[self.len].assume_init_read() })
    }

    pub fn remove(&mut self, place: usize) -> Option<T> {
        if place >= self.len {
            return None;
        }
        unsafe {
            let at = self.cells.as_mut_ptr().cast::<T>().add(place);
            let removed = ptr::read(at);
            self.len -= 1;
            ptr::copy(at.add(1), at, self.len - place);
            Some(removed)
        }
    }

    pub fn truncate(&mut self, len: usize) {
        while self.len > len {
            self.pop();
        }
    }

    pub fn as_slice(&self) -> &[T] {
        unsafe { std::slice::from_raw_parts(self.cells.as_ptr().cast(), self.len) }
    }

    /// Whoever asks for it gets it.
    pub fn leak(self) -> usize {
        let len = self.len;
        mem::forget(self);
        len
    }
}

impl<T> Drop for Careful<T> {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

impl<T: Clone> Clone for Careful<T> {
    fn clone(&self) -> Careful<T> {
        let mut copy = Careful::new();
        for element in self.as_slice() {
            let _ = copy.push(element.clone());
        }
        copy
    }
}

/// How often each element was seen.
pub struct Tally<T> {
    counts: HashMap<T, usize>,
}

impl<T: Hash + Eq> Tally<T> {
    pub fn new() -> Tally<T> {
        Tally { counts: HashMap::new() }
    }

    pub fn add(&mut self, element: T) -> usize {
        let count = self.counts.entry(element).or_insert(0);
        *count += 1;
        *count
    }
}

/// The larger of two.
pub fn larger<T: Ord>(a: T, b: T) -> T {
    if a < b { b } else { a }
}
