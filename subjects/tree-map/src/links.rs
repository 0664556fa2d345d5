//! Finding, linking and unlinking nodes.

use std::cmp::Ordering;

use crate::TreeMap;
use crate::node::Side;

impl TreeMap {
    pub(crate) fn find(&self, key: i32) -> Option<usize> {
        let mut next = self.root;
        while let Some(idx) = next {
            next = match key.cmp(&self.nodes[idx].key) {
                Ordering::Less => self.nodes[idx].child(Side::Left),
                Ordering::Equal => break,
                Ordering::Greater => self.nodes[idx].child(Side::Right),
            };
        }
        next
    }

    /// The last node on the way from `idx` always towards `side`.
    pub(crate) fn outermost(&self, mut idx: usize, side: Side) -> usize {
        while let Some(child) = self.nodes[idx].child(side) {
            idx = child;
        }
        idx
    }

    /// The node with the next greater key.
    pub(crate) fn successor(&self, mut idx: usize) -> Option<usize> {
        if let Some(right) = self.nodes[idx].child(Side::Right) {
            return Some(self.outermost(right, Side::Left));
        }
        while let Some(parent) = self.nodes[idx].parent {
            if self.side_of(parent, idx) == Side::Left {
                return Some(parent);
            }
            idx = parent;
        }
        None
    }

    /// Takes a node out of the tree; gives its entry.
    pub(crate) fn remove_node(&mut self, mut idx: usize) -> (i32, i32) {
        let entry = self.entry(idx);
        if let (Some(_), Some(right)) = (
            self.nodes[idx].child(Side::Left),
            self.nodes[idx].child(Side::Right),
        ) {
            // The next greater entry takes this place; its node has no left child.
            let next = self.outermost(right, Side::Left);
            (self.nodes[idx].key, self.nodes[idx].value) = self.entry(next);
            idx = next;
        }
        self.unlink(idx);
        self.free(idx);
        debug_assert!(self.has_sound_root(), "the root is black and has no parent");
        entry
    }

    pub(crate) fn entry(&self, idx: usize) -> (i32, i32) {
        (self.nodes[idx].key, self.nodes[idx].value)
    }

    /// Which child of `parent` the node `idx` is.
    pub(crate) fn side_of(&self, parent: usize, idx: usize) -> Side {
        if self.nodes[parent].child(Side::Left) == Some(idx) {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// Makes `new` the child of `parent`, or the root, where `old` was.
    pub(crate) fn replace_child(&mut self, parent: Option<usize>, old: usize, new: Option<usize>) {
        match parent {
            None => self.root = new,
            Some(parent) => {
                let side = self.side_of(parent, old);
                self.nodes[parent].set_child(side, new);
            }
        }
    }

    /// The cheap part of the invariant.
    pub(crate) fn has_sound_root(&self) -> bool {
        match self.root {
            None => self.nodes.is_empty(),
            Some(root) => !self.nodes[root].is_red && self.nodes[root].parent.is_none(),
        }
    }

    /// Takes a node with at most one child out of its place.
    fn unlink(&mut self, idx: usize) {
        let parent = self.nodes[idx].parent;
        let was_red = self.nodes[idx].is_red;
        let left = self.nodes[idx].child(Side::Left);
        let child = left.or(self.nodes[idx].child(Side::Right));
        let place = parent.map(|parent| (parent, self.side_of(parent, idx)));
        self.replace_child(parent, idx, child);
        if let Some(child) = child {
            // A lone child is red; black, it makes up for the node that is gone.
            self.nodes[child].parent = parent;
            self.nodes[child].is_red = false;
        } else if let Some((parent, side)) = place
            && !was_red
        {
            self.repair_removal(parent, side);
        }
    }

    /// Gives up the place of an unlinked node, moving the last node there.
    fn free(&mut self, idx: usize) {
        let last = self.nodes.len() - 1;
        self.nodes.swap_remove(idx);
        if idx == last {
            return;
        }
        let parent = self.nodes[idx].parent;
        self.replace_child(parent, last, Some(idx));
        for side in [Side::Left, Side::Right] {
            if let Some(child) = self.nodes[idx].child(side) {
                self.nodes[child].parent = Some(idx);
            }
        }
    }
}
