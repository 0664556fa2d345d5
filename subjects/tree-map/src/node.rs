//! Nodes and the two sides of a node.

/// One of the two children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// An entry and its place in the tree.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub key: i32,
    pub value: i32,
    pub is_red: bool,
    pub parent: Option<usize>,
    left: Option<usize>,
    right: Option<usize>,
}

impl Node {
    pub fn new_red(key: i32, value: i32, parent: Option<usize>) -> Self {
        Node {
            key,
            value,
            is_red: true,
            parent,
            left: None,
            right: None,
        }
    }

    pub fn child(&self, side: Side) -> Option<usize> {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    pub fn set_child(&mut self, side: Side, child: Option<usize>) {
        match side {
            Side::Left => self.left = child,
            Side::Right => self.right = child,
        }
    }
}
