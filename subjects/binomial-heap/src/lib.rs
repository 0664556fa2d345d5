//! A priority queue of integers as a binomial heap.
//!
//! A port of `BHeap`, one of the four containers of section 8.1 of *Directed Random Testing*
//! (Pacheco, MIT, 2009), which took them from Visser et al. As there, keys are decreased and
//! deleted by value. The root list is an array by degree, and nodes live in one vector.
//!
//! ```
//! use binomial_heap::BinomialHeap;
//!
//! let mut heap = BinomialHeap::new();
//! heap.insert(4);
//! heap.insert(7);
//! assert!(heap.decrease_key(7, 1));
//! assert_eq!(heap.extract_min(), Some(1));
//! ```

/// A heap of integers, the smallest first; equal keys may occur.
#[derive(Debug, Clone, Default)]
pub struct BinomialHeap {
    /// Without gaps: the last node moves into the place of a removed one.
    nodes: Vec<Node>,
    /// At place `d` the root of the tree of degree `d`, if there is one.
    roots: Vec<Option<usize>>,
}

#[derive(Debug, Clone)]
struct Node {
    key: i32,
    degree: usize,
    parent: Option<usize>,
    /// The child of the highest degree; `sibling` leads on to the lower ones.
    child: Option<usize>,
    sibling: Option<usize>,
}

impl BinomialHeap {
    /// Makes an empty heap.
    pub fn new() -> Self {
        BinomialHeap::default()
    }

    /// Adds `key`.
    pub fn insert(&mut self, key: i32) {
        let new = self.nodes.len();
        self.nodes.push(Node {
            key,
            degree: 0,
            parent: None,
            child: None,
            sibling: None,
        });
        self.add_tree(new);
        debug_assert!(self.has_sound_roots(), "trees are as the length says");
    }

    /// The smallest key.
    pub fn find_min(&self) -> Option<i32> {
        self.min_root().map(|root| self.nodes[root].key)
    }

    /// Takes the smallest key out.
    pub fn extract_min(&mut self) -> Option<i32> {
        self.min_root().map(|root| self.remove_root(root))
    }

    /// Replaces one key equal to `key` by `new_key`; `false`, and no change, if there is none or
    /// `new_key` is greater.
    pub fn decrease_key(&mut self, key: i32, new_key: i32) -> bool {
        if new_key > key {
            return false;
        }
        let Some(mut idx) = self.find(key) else {
            return false;
        };
        while let Some(parent) = self.nodes[idx].parent
            && self.nodes[parent].key > new_key
        {
            self.nodes[idx].key = self.nodes[parent].key;
            idx = parent;
        }
        self.nodes[idx].key = new_key;
        true
    }

    /// Takes one key equal to `key` out; `false` if there is none.
    pub fn delete(&mut self, key: i32) -> bool {
        let Some(mut idx) = self.find(key) else {
            return false;
        };
        // As if it became smaller than all others.
        while let Some(parent) = self.nodes[idx].parent {
            self.nodes[idx].key = self.nodes[parent].key;
            idx = parent;
        }
        self.nodes[idx].key = key;
        self.remove_root(idx);
        true
    }

    /// Moves all keys of `other` into this heap.
    pub fn append(&mut self, other: &mut BinomialHeap) {
        let offset = self.nodes.len();
        let moved = |idx: Option<usize>| idx.map(|idx| idx + offset);
        self.nodes.extend(other.nodes.drain(..).map(|node| Node {
            parent: moved(node.parent),
            child: moved(node.child),
            sibling: moved(node.sibling),
            ..node
        }));
        for root in other.roots.drain(..).flatten() {
            self.add_tree(root + offset);
        }
        debug_assert!(self.has_sound_roots(), "trees are as the length says");
    }

    /// Whether a key equal to `key` is in the heap.
    pub fn contains(&self, key: i32) -> bool {
        self.find(key).is_some()
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
        self.roots.clear();
    }

    fn find(&self, key: i32) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == key)
    }

    fn min_root(&self) -> Option<usize> {
        let roots = self.roots.iter().copied().flatten();
        roots.min_by_key(|&root| self.nodes[root].key)
    }

    /// Adds a tree to the root list, joining trees of equal degree as a binary counter carries.
    fn add_tree(&mut self, mut root: usize) {
        loop {
            let degree = self.nodes[root].degree;
            if degree >= self.roots.len() {
                self.roots.resize(degree + 1, None);
            }
            match self.roots[degree].take() {
                None => {
                    self.roots[degree] = Some(root);
                    return;
                }
                Some(other) => root = self.link(root, other),
            }
        }
    }

    /// Joins two trees of equal degree and gives the root of the result.
    fn link(&mut self, one: usize, other: usize) -> usize {
        let (root, child) = if self.nodes[other].key < self.nodes[one].key {
            (other, one)
        } else {
            (one, other)
        };
        self.nodes[child].parent = Some(root);
        self.nodes[child].sibling = self.nodes[root].child;
        self.nodes[root].child = Some(child);
        self.nodes[root].degree += 1;
        root
    }

    /// Takes a root out of the heap, its children becoming trees of their own; gives its key.
    fn remove_root(&mut self, root: usize) -> i32 {
        let Node {
            key, degree, child, ..
        } = self.nodes[root];
        self.roots[degree] = None;
        let mut next = child;
        while let Some(child) = next {
            next = self.nodes[child].sibling.take();
            self.nodes[child].parent = None;
            self.add_tree(child);
        }
        self.free(root);
        while self.roots.last() == Some(&None) {
            self.roots.pop();
        }
        debug_assert!(self.has_sound_roots(), "trees are as the length says");
        key
    }

    /// Gives up the place of an unlinked node, moving the last node there.
    fn free(&mut self, idx: usize) {
        let last = self.nodes.len() - 1;
        self.nodes.swap_remove(idx);
        if idx == last {
            return;
        }
        let Node {
            degree,
            parent,
            child,
            ..
        } = self.nodes[idx];
        match parent {
            None => self.roots[degree] = Some(idx),
            Some(parent) if self.nodes[parent].child == Some(last) => {
                self.nodes[parent].child = Some(idx);
            }
            Some(parent) => {
                let mut elder = self.nodes[parent].child;
                while let Some(child) = elder {
                    elder = self.nodes[child].sibling;
                    if elder == Some(last) {
                        self.nodes[child].sibling = Some(idx);
                        break;
                    }
                }
            }
        }
        let mut next = child;
        while let Some(child) = next {
            self.nodes[child].parent = Some(idx);
            next = self.nodes[child].sibling;
        }
    }

    /// The part of the invariant that the roots show: the degrees of the trees are the bits of
    /// the number of keys.
    fn has_sound_roots(&self) -> bool {
        let of_degree = |(degree, root): (usize, &Option<usize>)| {
            let is_expected = self.nodes.len() >> degree & 1 == 1;
            root.is_some() == is_expected
                && root.is_none_or(|root| {
                    self.nodes[root].degree == degree && self.nodes[root].parent.is_none()
                })
        };
        self.roots.iter().enumerate().all(of_degree)
    }
}

#[cfg(test)]
mod tests;
