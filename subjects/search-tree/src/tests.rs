//! The tree against a model, and trees that are one long branch.

use std::collections::BTreeSet;

use super::*;

/// A fixed sequence of numbers that looks random.
fn scrambled(n: u32) -> impl Iterator<Item = u32> {
    (0..n).scan(12345u32, |state, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some(*state >> 16)
    })
}

fn tree_of(keys: &[i32]) -> SearchTree {
    let mut tree = SearchTree::new();
    tree.insert_all(keys);
    tree
}

/// Height and balance as the definition has them.
fn shape(link: &Link) -> (usize, bool) {
    let Some(node) = link else { return (0, true) };
    let ((left, left_ok), (right, right_ok)) = (shape(&node.left), shape(&node.right));
    let is_balanced = left_ok && right_ok && left.abs_diff(right) <= 1;
    (left.max(right) + 1, is_balanced)
}

#[test]
fn the_tree_does_what_a_set_does() {
    let (mut tree, mut model) = (SearchTree::new(), BTreeSet::new());
    for number in scrambled(5000) {
        let key = (number / 6 % 60) as i32 - 30;
        match number % 6 {
            0..=2 => assert_eq!(tree.insert(key), model.insert(key)),
            3 => assert_eq!(tree.remove(key), model.remove(&key)),
            4 => assert_eq!(tree.remove_min(), model.pop_first()),
            _ => assert_eq!(tree.remove_max(), model.pop_last()),
        }
        assert!(tree.iter().eq(model.iter().copied()));
        assert_eq!(tree.iter().len(), model.len());
        assert_eq!(
            (tree.len(), tree.is_empty()),
            (model.len(), model.is_empty())
        );
        assert_eq!(
            (tree.height(), tree.is_balanced()),
            shape(&tree.root),
            "{tree:?}"
        );
    }
}

#[test]
fn neighbours_are_those_of_a_sorted_list() {
    let (tree, model) = (
        tree_of(&[40, 10, 70, 20, 60, 30, 50]),
        [10, 20, 30, 40, 50, 60, 70],
    );
    for key in 0..80 {
        let least =
            |is_meant: &dyn Fn(i32) -> bool| model.into_iter().find(|&other| is_meant(other));
        let greatest =
            |is_meant: &dyn Fn(i32) -> bool| model.into_iter().rfind(|&other| is_meant(other));
        assert_eq!(tree.successor(key), least(&|other| other > key));
        assert_eq!(tree.ceiling(key), least(&|other| other >= key));
        assert_eq!(tree.floor(key), greatest(&|other| other <= key));
        assert_eq!(tree.contains(key), model.contains(&key));
        assert_eq!(
            tree.rank(key),
            model.iter().filter(|&&other| other < key).count()
        );
    }
    assert_eq!((tree.min(), tree.max()), (Some(10), Some(70)));
}

#[test]
fn an_empty_tree_has_nothing_to_tell() {
    let mut tree = tree_of(&[3]);
    tree.clear();
    assert!(tree.is_empty() && tree.is_balanced() && !tree.remove(3));
    assert_eq!((tree.len(), tree.height(), tree.rank(9)), (0, 0, 0));
    assert_eq!([tree.min(), tree.max(), tree.remove_min()], [None; 3]);
    assert_eq!(tree, SearchTree::new());
}

#[test]
fn one_long_branch_does_not_exhaust_the_stack() {
    let mut tree = SearchTree::new();
    // Downwards, so that each key is put at the end of the branch at once.
    let mut place = &mut tree.root;
    for key in 0..200_000 {
        place = &mut place.insert(Box::new(Node::leaf(key))).right;
        tree.len += 1;
    }
    assert!(!tree.is_balanced());
    assert_eq!((tree.height(), tree.max()), (200_000, Some(199_999)));
    assert_eq!(
        (tree.min(), tree.successor(70_000)),
        (Some(0), Some(70_001))
    );
}

#[test]
fn a_clone_has_the_shape_of_its_original() {
    let tree = tree_of(&[4, 2, 6, 1, 3, 9, 8]);
    let mut copy = tree.clone();
    assert_eq!((copy.height(), &copy), (4, &tree));
    assert!(copy.remove(6) && copy != tree && tree.contains(6));
}

#[test]
fn a_range_includes_both_ends() {
    let mut tree = tree_of(&[4, 2, 6, 1, 3, 9, 8]);
    assert_eq!((tree.remove_range(5, 5), tree.remove_range(9, 1)), (0, 0));
    assert_eq!(tree.remove_range(2, 6), 4);
    assert_eq!(tree.iter().collect::<Vec<_>>(), [1, 8, 9]);
    assert_eq!(tree.remove_range(i32::MIN, i32::MAX), 3);
}
