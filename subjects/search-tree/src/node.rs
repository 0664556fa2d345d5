//! Nodes of a tree, and what is done to the trees below them.

pub(crate) type Link = Option<Box<Node>>;

pub(crate) struct Node {
    pub(crate) key: i32,
    pub(crate) left: Link,
    pub(crate) right: Link,
}

impl Node {
    pub(crate) fn leaf(key: i32) -> Node {
        Node {
            key,
            left: None,
            right: None,
        }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = &Node> {
        [self.left.as_deref(), self.right.as_deref()]
            .into_iter()
            .flatten()
    }
}

/// The smallest key of a tree.
pub(crate) fn min(link: &Link) -> Option<i32> {
    let mut node = link.as_deref()?;
    while let Some(left) = node.left.as_deref() {
        node = left;
    }
    Some(node.key)
}

/// Where `key` is in a tree, or where it would have to be put.
pub(crate) fn place_of(mut place: &mut Link, key: i32) -> &mut Link {
    // Looked at first and borrowed then: the place itself is what is wanted in the end.
    while place.as_ref().is_some_and(|node| node.key != key)
        && let Some(node) = place
    {
        place = if key < node.key {
            &mut node.left
        } else {
            &mut node.right
        };
    }
    place
}

/// Takes `key` out of a tree; `false` if it was not there.
pub(crate) fn remove(link: &mut Link, key: i32) -> bool {
    let place = place_of(link, key);
    let Some(node) = place else { return false };
    if node.left.is_none() {
        *place = node.right.take();
    } else if let Some(next) = min(&node.right) {
        // The next greater key takes this place. It has nothing to its left, so this goes no deeper.
        node.key = next;
        remove(&mut node.right, next);
    } else {
        *place = node.left.take();
    }
    true
}

/// The height of a tree that is balanced everywhere and not higher than `limit`; `None` for others.
pub(crate) fn balanced_height(link: &Link, limit: u32) -> Option<u32> {
    let Some(node) = link else { return Some(0) };
    let limit = limit.checked_sub(1)?;
    let left = balanced_height(&node.left, limit)?;
    let right = balanced_height(&node.right, limit)?;
    (left.abs_diff(right) <= 1).then_some(left.max(right) + 1)
}
