//! Walking a tree in order.

use std::iter::FusedIterator;

use crate::BinTree;

/// The keys of a [`BinTree`] in ascending order; made by [`BinTree::iter`].
#[derive(Debug, Clone)]
pub struct Iter<'a> {
    tree: &'a BinTree,
    next: Option<usize>,
    n_left: usize,
}

impl<'a> Iter<'a> {
    pub(crate) fn new(tree: &'a BinTree) -> Self {
        Iter {
            tree,
            next: tree.root.map(|root| tree.leftmost(root)),
            n_left: tree.len(),
        }
    }
}

impl Iterator for Iter<'_> {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let idx = self.next?;
        self.next = self.tree.successor(idx);
        self.n_left -= 1;
        Some(self.tree.nodes[idx].key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n_left, Some(self.n_left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl FusedIterator for Iter<'_> {}
