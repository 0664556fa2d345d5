//! A set of integers as an unbalanced binary search tree that can be asked for neighbours, ranks
//! and its shape.
//!
//! A port of `BinarySearchTree`, the first subject of section 5 of *Trace-based Reflexive Testing
//! of OO Programs* (Prasetya, Vos, Baars, 2007). The paper says how large it is (18 methods, of a
//! cyclomatic complexity of 2.4 on average and 7 at most) and not what is in it, so these are the
//! operations that textbooks have. Keys are integers, which is what T2 takes for `Comparable`.
//! Nodes own their children; nothing here recurses deeper than a balanced tree is high, so that a
//! tree that is one long branch does not exhaust the stack.
//!
//! ```
//! use search_tree::SearchTree;
//!
//! let mut tree = SearchTree::new();
//! assert_eq!(tree.insert_all(&[5, 2, 8, 2]), 3);
//! assert!(tree.insert(1) && !tree.insert(8));
//! assert_eq!(tree.iter().collect::<Vec<_>>(), [1, 2, 5, 8]);
//! assert_eq!((tree.successor(2), tree.floor(7)), (Some(5), Some(5)));
//! assert_eq!((tree.height(), tree.is_balanced()), (3, true));
//! ```

mod iter;
mod node;

pub use iter::Iter;

use std::cmp::Ordering;
use std::fmt;

use node::{Link, Node};

/// A set of integers.
///
/// Two trees are equal if they hold the same keys, however these are arranged. A clone is arranged
/// like its original.
#[derive(Default)]
pub struct SearchTree {
    root: Link,
    len: usize,
}

impl SearchTree {
    /// Makes an empty set.
    pub fn new() -> Self {
        SearchTree::default()
    }

    /// Adds `key`; `false` if it was there already.
    pub fn insert(&mut self, key: i32) -> bool {
        let place = node::place_of(&mut self.root, key);
        if place.is_some() {
            return false;
        }
        *place = Some(Box::new(Node::leaf(key)));
        self.len += 1;
        true
    }

    /// Adds all keys that are not there yet, and says how many those were.
    pub fn insert_all(&mut self, keys: &[i32]) -> usize {
        keys.iter().filter(|key| self.insert(**key)).count()
    }

    /// Takes `key` out; `false` if it was not there.
    pub fn remove(&mut self, key: i32) -> bool {
        let is_removed = node::remove(&mut self.root, key);
        self.len -= usize::from(is_removed);
        is_removed
    }

    /// Takes the smallest key out; `None` if there is none.
    pub fn remove_min(&mut self) -> Option<i32> {
        let key = self.min()?;
        self.remove(key);
        Some(key)
    }

    /// Takes the greatest key out; `None` if there is none.
    pub fn remove_max(&mut self) -> Option<i32> {
        let key = self.max()?;
        self.remove(key);
        Some(key)
    }

    /// Takes all keys out that are neither smaller than `first` nor greater than `last`, and says how
    /// many those were.
    pub fn remove_range(&mut self, first: i32, last: i32) -> usize {
        let n_before = self.len;
        while let Some(key) = self.ceiling(first)
            && key <= last
        {
            self.remove(key);
        }
        n_before - self.len
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        *self = SearchTree::new();
    }

    /// Whether `key` is in the set.
    pub fn contains(&self, key: i32) -> bool {
        self.ceiling(key) == Some(key)
    }

    /// The smallest key.
    pub fn min(&self) -> Option<i32> {
        node::min(&self.root)
    }

    /// The greatest key.
    pub fn max(&self) -> Option<i32> {
        let mut node = self.root.as_deref()?;
        while let Some(right) = node.right.as_deref() {
            node = right;
        }
        Some(node.key)
    }

    /// The smallest key that is greater than `key`, which need not be in the set.
    pub fn successor(&self, key: i32) -> Option<i32> {
        let mut best = None;
        let mut next = self.root.as_deref();
        while let Some(node) = next {
            if node.key > key {
                best = Some(node.key);
                next = node.left.as_deref();
            } else {
                next = node.right.as_deref();
            }
        }
        best
    }

    /// The greatest key that is not greater than `key`.
    pub fn floor(&self, key: i32) -> Option<i32> {
        let mut best = None;
        let mut next = self.root.as_deref();
        while let Some(node) = next {
            next = match node.key.cmp(&key) {
                Ordering::Equal => return Some(key),
                Ordering::Greater => node.left.as_deref(),
                Ordering::Less => {
                    best = Some(node.key);
                    node.right.as_deref()
                }
            };
        }
        best
    }

    /// The smallest key that is not smaller than `key`.
    pub fn ceiling(&self, key: i32) -> Option<i32> {
        let mut best = None;
        let mut next = self.root.as_deref();
        while let Some(node) = next {
            next = match node.key.cmp(&key) {
                Ordering::Equal => return Some(key),
                Ordering::Less => node.right.as_deref(),
                Ordering::Greater => {
                    best = Some(node.key);
                    node.left.as_deref()
                }
            };
        }
        best
    }

    /// How many keys are smaller than `key`.
    pub fn rank(&self, key: i32) -> usize {
        self.iter().take_while(|&other| other < key).count()
    }

    /// How many keys there are on the longest way from the root down.
    pub fn height(&self) -> usize {
        let mut height = 0;
        let mut level = Vec::from_iter(self.root.as_deref());
        while !level.is_empty() {
            height += 1;
            level = level.into_iter().flat_map(Node::children).collect();
        }
        height
    }

    /// Whether, at every key, the heights of both sides differ by one at most.
    pub fn is_balanced(&self) -> bool {
        // No such tree is higher than one and a half times the number of binary digits of its length.
        let n_digits = usize::BITS - self.len.leading_zeros();
        let limit = n_digits + n_digits / 2;
        node::balanced_height(&self.root, limit).is_some()
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The keys in ascending order.
    pub fn iter(&self) -> Iter<'_> {
        Iter::new(self)
    }
}

impl Clone for SearchTree {
    fn clone(&self) -> Self {
        let mut copy = SearchTree::new();
        // Whatever the order, parents go before their children, which is all that the shape depends on.
        let mut pending = Vec::from_iter(self.root.as_deref());
        while let Some(node) = pending.pop() {
            copy.insert(node.key);
            pending.extend(node.children());
        }
        copy
    }
}

impl Drop for SearchTree {
    fn drop(&mut self) {
        let mut pending = Vec::from_iter(self.root.take());
        while let Some(mut node) = pending.pop() {
            pending.extend(node.left.take());
            pending.extend(node.right.take());
        }
    }
}

impl PartialEq for SearchTree {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Eq for SearchTree {}

impl fmt::Debug for SearchTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a SearchTree {
    type Item = i32;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
