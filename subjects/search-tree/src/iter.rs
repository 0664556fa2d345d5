//! Walking a tree in order.

use std::iter::FusedIterator;

use crate::SearchTree;

/// The keys of a [`SearchTree`] in ascending order; made by [`SearchTree::iter`].
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    tree: &'a SearchTree,
    next: Option<i32>,
    n_left: usize,
}

impl<'a> Iter<'a> {
    pub(crate) fn new(tree: &'a SearchTree) -> Self {
        Iter {
            tree,
            next: tree.min(),
            n_left: tree.len(),
        }
    }
}

impl Iterator for Iter<'_> {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let key = self.next?;
        self.next = self.tree.successor(key);
        self.n_left -= 1;
        Some(key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n_left, Some(self.n_left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl FusedIterator for Iter<'_> {}
