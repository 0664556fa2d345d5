//! Walking a tree in order.

use std::fmt;
use std::iter::FusedIterator;

use crate::SearchTree;
use crate::node::{Link, Node};

/// The keys of a [`SearchTree`] in ascending order; made by [`SearchTree::iter`].
#[derive(Clone)]
pub struct Iter<'a> {
    /// Whose keys are still to come, the next one last; each with all that is to its right.
    pending: Vec<&'a Node>,
    n_left: usize,
}

impl<'a> Iter<'a> {
    pub(crate) fn new(tree: &'a SearchTree) -> Self {
        let mut iter = Iter {
            pending: Vec::new(),
            n_left: tree.len(),
        };
        iter.descend(&tree.root);
        iter
    }

    /// Goes to the smallest key of a tree.
    fn descend(&mut self, mut link: &'a Link) {
        while let Some(node) = link {
            self.pending.push(node);
            link = &node.left;
        }
    }
}

impl Iterator for Iter<'_> {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let node = self.pending.pop()?;
        self.n_left -= 1;
        self.descend(&node.right);
        Some(node.key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n_left, Some(self.n_left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl FusedIterator for Iter<'_> {}

impl fmt::Debug for Iter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
