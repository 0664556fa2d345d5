//! Functions and types with parameters.

use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// Any type will do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bag<T> {
    items: Vec<T>,
}

impl<T> Bag<T> {
    pub fn new() -> Self {
        Bag { items: Vec::new() }
    }

    pub fn put(&mut self, item: T) -> &mut T {
        self.items.push(item);
        let last = self.items.len() - 1;
        &mut self.items[last]
    }

    pub fn take(&mut self) -> Option<T> {
        self.items.pop()
    }

    pub fn map_all<U>(self, convert: fn(T) -> U) -> Bag<U> {
        Bag { items: self.items.into_iter().map(convert).collect() }
    }
}

impl<T: Ord> Bag<T> {
    pub fn greatest(&self) -> Option<&T> {
        self.items.iter().max()
    }
}

impl Bag<String> {
    pub fn joined(&self) -> String {
        self.items.join(", ")
    }
}

impl<T> FromIterator<T> for Bag<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Bag { items: items.into_iter().collect() }
    }
}

impl<T> Extend<T> for Bag<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

impl<T> From<Vec<T>> for Bag<T> {
    fn from(items: Vec<T>) -> Self {
        Bag { items }
    }
}

/// Two of them.
#[derive(Debug, Clone, Default)]
pub struct Table<K, V> {
    entries: HashMap<K, V>,
}

impl<K: Eq + Hash, V: Clone> Table<K, V> {
    pub fn new() -> Self {
        Table { entries: HashMap::new() }
    }

    pub fn set(&mut self, key: K, value: V) -> Option<V> {
        self.entries.insert(key, value)
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.entries.get(key).cloned()
    }
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid<const N: usize> {
    cells: [u8; N],
}

impl<const N: usize> Grid<N> {
    pub fn filled(value: u8) -> Self {
        Grid { cells: [value; N] }
    }

    pub fn total(&self) -> u64 {
        self.cells.iter().map(|cell| u64::from(*cell)).sum()
    }
}

pub fn as_ref(text: impl AsRef<str>) -> usize {
    text.as_ref().len()
}

pub fn into_string<S: Into<String>>(text: S) -> String {
    text.into()
}

pub fn iterator(items: impl Iterator<Item = u8>) -> usize {
    items.take(100).count()
}

pub fn into_iterator<I>(items: I) -> u64
where
    I: IntoIterator<Item = u32>,
{
    items.into_iter().take(100).map(u64::from).sum()
}

pub fn display(item: impl Display) -> String {
    item.to_string()
}

pub fn debug<T: Debug + ?Sized>(item: &T) -> String {
    format!("{item:?}")
}

pub fn ordered<T: Ord + Copy>(a: T, b: T) -> T {
    a.min(b)
}

pub fn swapped<A, B>(pair: (A, B)) -> (B, A) {
    (pair.1, pair.0)
}
