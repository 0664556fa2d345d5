//! A priority queue of integers as a Fibonacci heap.
//!
//! A port of `FibHeap`, one of the four containers of section 8.1 of *Directed Random Testing*
//! (Pacheco, MIT, 2009), which took them from Visser et al. Where the original hands out nodes,
//! [`FibonacciHeap::insert`] gives a [`Handle`], which goes stale when its key leaves the heap.
//!
//! ```
//! use fibonacci_heap::FibonacciHeap;
//!
//! let mut heap = FibonacciHeap::new();
//! heap.insert(4);
//! let seven = heap.insert(7);
//! assert!(heap.decrease_key(seven, 1));
//! assert_eq!(heap.extract_min(), Some(1));
//! assert_eq!(heap.key(seven), None);
//! ```

mod ring;

use ring::Node;

/// A heap of integers, the smallest first; equal keys may occur.
#[derive(Debug, Clone, Default)]
pub struct FibonacciHeap {
    /// Places keep their index for the handles' sake; those in `vacant` hold no key.
    nodes: Vec<Node>,
    vacant: Vec<usize>,
    /// A root with the smallest key.
    min: Option<usize>,
}

/// Stands for one key in the [`FibonacciHeap`] that gave it, or in a clone made later.
///
/// A handle whose key is gone is refused everywhere. A handle of another heap may happen to stand
/// for some key of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle {
    idx: usize,
    generation: u32,
}

impl FibonacciHeap {
    /// Makes an empty heap.
    pub fn new() -> Self {
        FibonacciHeap::default()
    }

    /// Adds `key`.
    pub fn insert(&mut self, key: i32) -> Handle {
        let idx = match self.vacant.pop() {
            Some(idx) => {
                self.nodes[idx].occupy(key);
                idx
            }
            None => {
                self.nodes.push(Node::new(self.nodes.len(), key));
                self.nodes.len() - 1
            }
        };
        self.add_root(idx);
        debug_assert!(self.has_sound_min(), "the smallest key is a root's");
        Handle {
            idx,
            generation: self.nodes[idx].generation,
        }
    }

    /// The smallest key.
    pub fn find_min(&self) -> Option<i32> {
        self.min.map(|min| self.nodes[min].key)
    }

    /// Takes the smallest key out.
    pub fn extract_min(&mut self) -> Option<i32> {
        self.min.map(|min| self.remove_root(min))
    }

    /// The key that `handle` stands for; `None` if the handle is stale.
    pub fn key(&self, handle: Handle) -> Option<i32> {
        self.resolve(handle).map(|idx| self.nodes[idx].key)
    }

    /// Replaces the key of `handle` by `new_key`; `false`, and no change, if the handle is stale
    /// or `new_key` is greater.
    pub fn decrease_key(&mut self, handle: Handle, new_key: i32) -> bool {
        let Some(idx) = self.resolve(handle) else {
            return false;
        };
        if new_key > self.nodes[idx].key {
            return false;
        }
        self.nodes[idx].key = new_key;
        match self.nodes[idx].parent {
            Some(parent) if self.nodes[parent].key > new_key => self.cut(idx),
            Some(_) => {}
            None => self.notice_root(idx),
        }
        debug_assert!(self.has_sound_min(), "the smallest key is a root's");
        true
    }

    /// Takes the key of `handle` out and gives it; `None` if the handle is stale.
    pub fn delete(&mut self, handle: Handle) -> Option<i32> {
        let idx = self.resolve(handle)?;
        self.cut(idx);
        Some(self.remove_root(idx))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.vacant.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.min.is_none()
    }

    /// Takes all keys out; their handles go stale.
    pub fn clear(&mut self) {
        self.min = None;
        self.vacant.clear();
        for (idx, node) in self.nodes.iter_mut().enumerate() {
            node.vacate(idx);
            self.vacant.push(idx);
        }
    }

    fn resolve(&self, handle: Handle) -> Option<usize> {
        let node = self.nodes.get(handle.idx)?;
        (node.is_occupied && node.generation == handle.generation).then_some(handle.idx)
    }

    /// Puts a node that is alone in its ring among the roots.
    fn add_root(&mut self, idx: usize) {
        match self.min {
            None => self.min = Some(idx),
            Some(min) => {
                ring::join(&mut self.nodes, min, idx);
                self.notice_root(idx);
            }
        }
    }

    /// Makes a root the smallest one if it is.
    fn notice_root(&mut self, idx: usize) {
        if self
            .min
            .is_none_or(|min| self.nodes[idx].key < self.nodes[min].key)
        {
            self.min = Some(idx);
        }
    }

    /// Moves a node to the roots, and its ancestors as far as they have lost a child before.
    fn cut(&mut self, mut idx: usize) {
        while let Some(parent) = self.nodes[idx].parent {
            let sibling = ring::leave(&mut self.nodes, idx);
            let node = &mut self.nodes[idx];
            node.parent = None;
            node.is_marked = false;
            self.nodes[parent].child = sibling;
            self.nodes[parent].degree -= 1;
            self.add_root(idx);
            if self.nodes[parent].parent.is_none() {
                return;
            }
            if !self.nodes[parent].is_marked {
                self.nodes[parent].is_marked = true;
                return;
            }
            idx = parent;
        }
    }

    /// Takes a root out of the heap, its children becoming roots; gives its key.
    fn remove_root(&mut self, root: usize) -> i32 {
        let mut roots = ring::members(&self.nodes, root);
        roots.retain(|&idx| idx != root);
        if let Some(child) = self.nodes[root].child {
            roots.extend(ring::members(&self.nodes, child));
        }
        let key = self.nodes[root].key;
        self.nodes[root].vacate(root);
        self.vacant.push(root);
        self.consolidate(roots);
        debug_assert!(self.has_sound_min(), "the smallest key is a root's");
        key
    }

    /// Makes `roots` the roots of the heap, joining trees until no two have the same degree.
    fn consolidate(&mut self, roots: Vec<usize>) {
        let mut by_degree: Vec<Option<usize>> = Vec::new();
        for mut root in roots {
            let node = &mut self.nodes[root];
            node.parent = None;
            node.is_marked = false;
            ring::isolate(&mut self.nodes, root);
            loop {
                let degree = self.nodes[root].degree;
                if degree >= by_degree.len() {
                    by_degree.resize(degree + 1, None);
                }
                match by_degree[degree].take() {
                    None => {
                        by_degree[degree] = Some(root);
                        break;
                    }
                    Some(other) => root = self.link(root, other),
                }
            }
        }
        self.min = None;
        for root in by_degree.into_iter().flatten() {
            self.add_root(root);
        }
    }

    /// Joins two trees whose roots are alone in their rings; gives the root of the result.
    fn link(&mut self, one: usize, other: usize) -> usize {
        let (root, child) = if self.nodes[other].key < self.nodes[one].key {
            (other, one)
        } else {
            (one, other)
        };
        match self.nodes[root].child {
            None => self.nodes[root].child = Some(child),
            Some(eldest) => ring::join(&mut self.nodes, eldest, child),
        }
        self.nodes[child].parent = Some(root);
        self.nodes[root].degree += 1;
        root
    }

    /// The part of the invariant that the smallest root shows.
    fn has_sound_min(&self) -> bool {
        match self.min {
            None => self.vacant.len() == self.nodes.len(),
            Some(min) => {
                let Node { left, right, .. } = self.nodes[min];
                self.nodes[min].is_occupied
                    && self.nodes[min].parent.is_none()
                    && self.nodes[left].key >= self.nodes[min].key
                    && self.nodes[right].key >= self.nodes[min].key
            }
        }
    }
}

#[cfg(test)]
mod tests;
