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

/// Takes the smallest key out of a tree; `None` if the tree is empty.
pub(crate) fn take_min(mut link: &mut Link) -> Option<i32> {
    while link.as_ref().is_some_and(|node| node.left.is_some())
        && let Some(node) = link
    {
        link = &mut node.left;
    }
    let mut least = link.take()?;
    *link = least.right.take();
    Some(least.key)
}

/// The height of a tree that is balanced everywhere and not higher than `limit`; `None` for others.
pub(crate) fn balanced_height(link: &Link, limit: u32) -> Option<u32> {
    let Some(node) = link else { return Some(0) };
    let limit = limit.checked_sub(1)?;
    let left = balanced_height(&node.left, limit)?;
    let right = balanced_height(&node.right, limit)?;
    (left.abs_diff(right) <= 1).then_some(left.max(right) + 1)
}
