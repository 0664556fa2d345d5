//! A set of integers as an unbalanced binary search tree.
//!
//! A port of `BinTree`, one of the four containers of section 8.1 of *Directed Random Testing*
//! (Pacheco, MIT, 2009), which took them from Visser et al. Nodes live in one vector and point at
//! each other by index, so that even a tree that is one long branch needs no recursion.
//!
//! ```
//! use bin_tree::BinTree;
//!
//! let mut tree = BinTree::new();
//! for key in [3, 1, 2] {
//!     assert!(tree.insert(key));
//! }
//! assert_eq!(tree.iter().collect::<Vec<_>>(), [1, 2, 3]);
//! ```

mod iter;

pub use iter::Iter;

use std::cmp::Ordering;

/// A set of integers.
///
/// Two trees are equal if they hold the same keys, however these are arranged; `Debug` shows the
/// arrangement.
#[derive(Debug, Clone, Default)]
pub struct BinTree {
    /// Without gaps: the last node moves into the place of a removed one.
    nodes: Vec<Node>,
    root: Option<usize>,
}

#[derive(Debug, Clone)]
struct Node {
    key: i32,
    parent: Option<usize>,
    left: Option<usize>,
    right: Option<usize>,
}

impl BinTree {
    /// Makes an empty set.
    pub fn new() -> Self {
        BinTree::default()
    }

    /// Adds `key`; `false` if it was there already.
    pub fn insert(&mut self, key: i32) -> bool {
        let mut parent = None;
        let mut next = self.root;
        while let Some(idx) = next {
            parent = next;
            next = match key.cmp(&self.nodes[idx].key) {
                Ordering::Less => self.nodes[idx].left,
                Ordering::Equal => return false,
                Ordering::Greater => self.nodes[idx].right,
            };
        }
        let new = self.nodes.len();
        self.nodes.push(Node {
            key,
            parent,
            left: None,
            right: None,
        });
        match parent {
            None => self.root = Some(new),
            Some(parent) if key < self.nodes[parent].key => self.nodes[parent].left = Some(new),
            Some(parent) => self.nodes[parent].right = Some(new),
        }
        debug_assert!(
            self.has_sound_links(new),
            "a new node is linked in its place"
        );
        true
    }

    /// Takes `key` out; `false` if it was not there.
    pub fn remove(&mut self, key: i32) -> bool {
        let Some(mut idx) = self.find(key) else {
            return false;
        };
        if let (Some(_), Some(right)) = (self.nodes[idx].left, self.nodes[idx].right) {
            // The next greater key takes this place; its node has no left child.
            let next = self.leftmost(right);
            self.nodes[idx].key = self.nodes[next].key;
            idx = next;
        }
        let Node {
            parent,
            left,
            right,
            ..
        } = self.nodes[idx];
        let child = left.or(right);
        self.replace_child(parent, idx, child);
        if let Some(child) = child {
            self.nodes[child].parent = parent;
        }
        self.free(idx);
        debug_assert!(
            parent.is_none_or(|parent| parent >= self.nodes.len() || self.has_sound_links(parent)),
            "the parent of a removed node keeps its order"
        );
        debug_assert!(
            self.root.is_some() != self.nodes.is_empty(),
            "a tree with nodes has a root"
        );
        true
    }

    /// Whether `key` is in the set.
    pub fn contains(&self, key: i32) -> bool {
        self.find(key).is_some()
    }

    /// The smallest key.
    pub fn first(&self) -> Option<i32> {
        self.root.map(|root| self.nodes[self.leftmost(root)].key)
    }

    /// The greatest key.
    pub fn last(&self) -> Option<i32> {
        let mut last = self.root?;
        while let Some(right) = self.nodes[last].right {
            last = right;
        }
        Some(self.nodes[last].key)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.root = None;
    }

    /// The keys in ascending order.
    pub fn iter(&self) -> Iter<'_> {
        Iter::new(self)
    }

    fn find(&self, key: i32) -> Option<usize> {
        let mut next = self.root;
        while let Some(idx) = next {
            next = match key.cmp(&self.nodes[idx].key) {
                Ordering::Less => self.nodes[idx].left,
                Ordering::Equal => break,
                Ordering::Greater => self.nodes[idx].right,
            };
        }
        next
    }

    fn leftmost(&self, mut idx: usize) -> usize {
        while let Some(left) = self.nodes[idx].left {
            idx = left;
        }
        idx
    }

    /// The node with the next greater key.
    fn successor(&self, mut idx: usize) -> Option<usize> {
        if let Some(right) = self.nodes[idx].right {
            return Some(self.leftmost(right));
        }
        while let Some(parent) = self.nodes[idx].parent {
            if self.nodes[parent].left == Some(idx) {
                return Some(parent);
            }
            idx = parent;
        }
        None
    }

    /// Makes `new` the child of `parent`, or the root, where `old` was.
    fn replace_child(&mut self, parent: Option<usize>, old: usize, new: Option<usize>) {
        match parent {
            None => self.root = new,
            Some(parent) if self.nodes[parent].left == Some(old) => self.nodes[parent].left = new,
            Some(parent) => self.nodes[parent].right = new,
        }
    }

    /// Gives up the place of an unlinked node, moving the last node there.
    fn free(&mut self, idx: usize) {
        let last = self.nodes.len() - 1;
        self.nodes.swap_remove(idx);
        if idx == last {
            return;
        }
        let Node {
            parent,
            left,
            right,
            ..
        } = self.nodes[idx];
        self.replace_child(parent, last, Some(idx));
        for child in [left, right].into_iter().flatten() {
            self.nodes[child].parent = Some(idx);
        }
    }

    /// The part of the invariant that can be seen at one node: its neighbours know it and are
    /// ordered.
    fn has_sound_links(&self, idx: usize) -> bool {
        let node = &self.nodes[idx];
        let knows_me =
            |child: Option<usize>| child.is_none_or(|child| self.nodes[child].parent == Some(idx));
        let parent_ok = match node.parent {
            None => self.root == Some(idx),
            Some(parent) => {
                [self.nodes[parent].left, self.nodes[parent].right].contains(&Some(idx))
            }
        };
        parent_ok
            && knows_me(node.left)
            && knows_me(node.right)
            && node.left.is_none_or(|left| self.nodes[left].key < node.key)
            && node
                .right
                .is_none_or(|right| self.nodes[right].key > node.key)
    }
}

impl PartialEq for BinTree {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for BinTree {}

impl<'a> IntoIterator for &'a BinTree {
    type Item = i32;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
