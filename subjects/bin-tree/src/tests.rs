//! The tree against a model, and trees that are one long branch.

use std::collections::BTreeSet;

use super::*;

/// The whole invariant: every node is linked soundly and in-order keys ascend.
fn check(tree: &BinTree) {
    assert!((0..tree.len()).all(|idx| tree.has_sound_links(idx)));
    let keys: Vec<i32> = tree.iter().collect();
    assert!(keys.is_sorted_by(|a, b| a < b));
    assert_eq!(keys.len(), tree.len());
}

/// A fixed sequence of numbers that looks random.
fn scrambled(n: u32) -> impl Iterator<Item = u32> {
    (0..n).scan(12345u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 16)
    })
}

#[test]
fn the_tree_does_what_a_set_does() {
    let (mut tree, mut model) = (BinTree::new(), BTreeSet::new());
    for number in scrambled(5000) {
        let key = (number / 2 % 60) as i32 - 30;
        if number % 2 == 0 {
            assert_eq!(tree.insert(key), model.insert(key));
        } else {
            assert_eq!(tree.remove(key), model.remove(&key));
        }
        check(&tree);
        assert!(tree.iter().eq(model.iter().copied()));
        assert_eq!(tree.iter().len(), model.len());
        assert_eq!(tree.first(), model.first().copied());
        assert_eq!(tree.last(), model.last().copied());
        assert_eq!(tree.contains(-key), model.contains(&-key));
    }
}

#[test]
fn equality_is_of_keys_not_of_shape() {
    let (mut left, mut right) = (BinTree::new(), BinTree::new());
    for key in 0..5 {
        left.insert(key);
        right.insert(4 - key);
    }
    assert_eq!(left, right);
    assert_ne!(format!("{left:?}"), format!("{right:?}"));
    right.remove(3);
    assert_ne!(left, right);
}

#[test]
fn a_long_branch_needs_no_recursion() {
    let mut tree = BinTree::new();
    // Built directly: inserting in order would take quadratic time.
    let n = 100_000usize;
    tree.nodes = (0..n)
        .map(|idx| Node {
            key: idx as i32,
            parent: idx.checked_sub(1),
            left: None,
            right: (idx + 1 < n).then_some(idx + 1),
        })
        .collect();
    tree.root = Some(0);
    check(&tree);
    let copy = tree.clone();
    assert_eq!(copy, tree);
    assert!(format!("{copy:?}").len() > n);
    assert!(tree.remove(0) && tree.remove(50_000));
    check(&tree);
    tree.clear();
    assert!(tree.is_empty() && tree.iter().next().is_none());
}

#[test]
fn extreme_keys_are_keys_like_others() {
    let mut tree = BinTree::new();
    for key in [0, i32::MIN, i32::MAX] {
        assert!(tree.insert(key) && !tree.insert(key));
    }
    assert_eq!(
        (tree.first(), tree.last()),
        (Some(i32::MIN), Some(i32::MAX))
    );
    assert!(tree.remove(i32::MIN) && !tree.remove(i32::MIN));
    check(&tree);
}
