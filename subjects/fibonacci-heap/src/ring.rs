//! Nodes, and the rings in which siblings and roots hang together.

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub key: i32,
    pub is_occupied: bool,
    /// Counts the keys that were here before, so that their handles can be told apart.
    pub generation: u32,
    pub degree: usize,
    /// Has lost a child since it became a child itself.
    pub is_marked: bool,
    pub parent: Option<usize>,
    /// One of the children; the others are in its ring.
    pub child: Option<usize>,
    pub left: usize,
    pub right: usize,
}

impl Node {
    /// A node at place `idx`, alone in its ring.
    pub fn new(idx: usize, key: i32) -> Self {
        Node {
            key,
            is_occupied: true,
            generation: 0,
            degree: 0,
            is_marked: false,
            parent: None,
            child: None,
            left: idx,
            right: idx,
        }
    }

    /// Gives a vacant place to `key`.
    pub fn occupy(&mut self, key: i32) {
        self.key = key;
        self.is_occupied = true;
    }

    /// Leaves nothing of the key but a higher generation; the place may be vacant already.
    pub fn vacate(&mut self, idx: usize) {
        let generation = self.generation.wrapping_add(u32::from(self.is_occupied));
        *self = Node {
            is_occupied: false,
            generation,
            ..Node::new(idx, 0)
        };
    }
}

/// Puts `new`, which is alone, into the ring of `old`.
pub(crate) fn join(nodes: &mut [Node], old: usize, new: usize) {
    let right = nodes[old].right;
    nodes[new].left = old;
    nodes[new].right = right;
    nodes[old].right = new;
    nodes[right].left = new;
}

/// Takes `idx` out of its ring; gives one that stays behind.
pub(crate) fn leave(nodes: &mut [Node], idx: usize) -> Option<usize> {
    let Node { left, right, .. } = nodes[idx];
    nodes[left].right = right;
    nodes[right].left = left;
    isolate(nodes, idx);
    (right != idx).then_some(right)
}

/// Makes `idx` a ring of its own, whatever its old neighbours think.
pub(crate) fn isolate(nodes: &mut [Node], idx: usize) {
    nodes[idx].left = idx;
    nodes[idx].right = idx;
}

/// All of one ring.
pub(crate) fn members(nodes: &[Node], start: usize) -> Vec<usize> {
    let next = |&idx: &usize| Some(nodes[idx].right).filter(|&right| right != start);
    std::iter::successors(Some(start), next).collect()
}
