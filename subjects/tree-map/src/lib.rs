//! A map from integers to integers as a red-black tree.
//!
//! A port of `TreeMap`, one of the four containers of section 8.1 of *Directed Random Testing*
//! (Pacheco, MIT, 2009), which took them from Visser et al. Nodes live in one vector and point at
//! each other by index; left and right are one piece of code, told apart by a parameter.
//!
//! ```
//! use tree_map::TreeMap;
//!
//! let mut map = TreeMap::new();
//! assert_eq!(map.insert(3, 30), None);
//! assert_eq!(map.insert(3, 31), Some(30));
//! assert_eq!(map.get(3), Some(31));
//! ```

mod links;
mod node;
mod repair;

use std::cmp::Ordering;

use node::{Node, Side};

/// A map in order of its keys.
///
/// Two maps are equal if they hold the same entries, however these are arranged; `Debug` shows
/// the arrangement.
#[derive(Debug, Clone, Default)]
pub struct TreeMap {
    /// Without gaps: the last node moves into the place of a removed one.
    nodes: Vec<Node>,
    root: Option<usize>,
}

impl TreeMap {
    /// Makes an empty map.
    pub fn new() -> Self {
        TreeMap::default()
    }

    /// Maps `key` to `value`; gives the value it was mapped to before.
    pub fn insert(&mut self, key: i32, value: i32) -> Option<i32> {
        let mut place = None;
        let mut next = self.root;
        while let Some(idx) = next {
            let side = match key.cmp(&self.nodes[idx].key) {
                Ordering::Less => Side::Left,
                Ordering::Greater => Side::Right,
                Ordering::Equal => {
                    return Some(std::mem::replace(&mut self.nodes[idx].value, value));
                }
            };
            place = Some((idx, side));
            next = self.nodes[idx].child(side);
        }
        let new = self.nodes.len();
        self.nodes
            .push(Node::new_red(key, value, place.map(|(parent, _)| parent)));
        match place {
            None => self.root = Some(new),
            Some((parent, side)) => self.nodes[parent].set_child(side, Some(new)),
        }
        self.repair_insertion(new);
        debug_assert!(self.has_sound_root(), "the root is black and has no parent");
        None
    }

    /// The value of `key`.
    pub fn get(&self, key: i32) -> Option<i32> {
        self.find(key).map(|idx| self.nodes[idx].value)
    }

    /// Whether `key` is mapped to anything.
    pub fn contains_key(&self, key: i32) -> bool {
        self.find(key).is_some()
    }

    /// Takes `key` out; gives its value.
    pub fn remove(&mut self, key: i32) -> Option<i32> {
        let idx = self.find(key)?;
        Some(self.remove_node(idx).1)
    }

    /// The entry with the smallest key.
    pub fn first_key_value(&self) -> Option<(i32, i32)> {
        Some(self.entry(self.outermost(self.root?, Side::Left)))
    }

    /// The entry with the greatest key.
    pub fn last_key_value(&self) -> Option<(i32, i32)> {
        Some(self.entry(self.outermost(self.root?, Side::Right)))
    }

    /// Takes the entry with the smallest key out.
    pub fn pop_first(&mut self) -> Option<(i32, i32)> {
        let first = self.outermost(self.root?, Side::Left);
        Some(self.remove_node(first))
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Takes all entries out.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = None;
    }
}

impl PartialEq for TreeMap {
    fn eq(&self, other: &Self) -> bool {
        let first = |map: &TreeMap| map.root.map(|root| map.outermost(root, Side::Left));
        let (mut left, mut right) = (first(self), first(other));
        if self.len() != other.len() {
            return false;
        }
        while let (Some(a), Some(b)) = (left, right) {
            if self.entry(a) != other.entry(b) {
                return false;
            }
            (left, right) = (self.successor(a), other.successor(b));
        }
        true
    }
}

impl Eq for TreeMap {}

#[cfg(test)]
mod tests;
