// What bin-tree 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use bin_tree::BinTree;

#[test]
fn bin_tree_eq_returns_true() {
    let bin_tree = BinTree::new();
    assert!(bin_tree == bin_tree);
    assert_eq!(bin_tree.len(), 0);
    assert!(!bin_tree.contains(0));
    assert_eq!(bin_tree.first(), None);
}

#[test]
fn iter_next_returns_some() {
    let mut bin_tree = BinTree::default();
    assert!(bin_tree.insert(10));
    let mut iter = (&bin_tree).into_iter();
    assert_eq!(iter.next(), Some(10));
    assert_eq!(bin_tree.len(), 1);
    assert!(!bin_tree.is_empty());
    assert_eq!(bin_tree.last(), Some(10));
}

#[test]
fn iter_next_returns_none() {
    let bin_tree = BinTree::new();
    let mut iter = (&bin_tree).into_iter();
    assert_eq!(iter.next(), None);
    assert_eq!(bin_tree.len(), 0);
    assert!(!bin_tree.contains(0));
    assert_eq!(bin_tree.first(), None);
}

#[test]
fn iter_size_hint_returns() {
    let bin_tree = BinTree::new();
    let iter = bin_tree.iter();
    assert_eq!(iter.size_hint(), (0, Some(0)));
    assert_eq!(bin_tree.len(), 0);
    assert!(bin_tree.is_empty());
    assert_eq!(bin_tree.last(), None);
}

#[test]
fn bin_tree_clear_returns() {
    let mut bin_tree = BinTree::default();
    bin_tree.clear();
    assert_eq!(bin_tree.len(), 0);
    assert!(!bin_tree.contains(0));
    assert_eq!(bin_tree.first(), None);
}

#[test]
fn bin_tree_first_returns_some() {
    let mut bin_tree = BinTree::default();
    assert!(bin_tree.insert(2));
    assert_eq!(bin_tree.first(), Some(2));
    assert_eq!(bin_tree.len(), 1);
    assert!(bin_tree.contains(2));
    assert!(!bin_tree.is_empty());
}

#[test]
fn bin_tree_first_returns_none() {
    let bin_tree = BinTree::new();
    assert_eq!(bin_tree.first(), None);
    assert_eq!(bin_tree.len(), 0);
    assert_eq!(bin_tree.last(), None);
    assert!(!bin_tree.contains(0));
}

#[test]
fn bin_tree_last_returns_some() {
    let mut bin_tree = BinTree::default();
    assert!(bin_tree.insert(1));
    assert_eq!(bin_tree.last(), Some(1));
    assert_eq!(bin_tree.len(), 1);
    assert_eq!(bin_tree.first(), Some(1));
    assert!(!bin_tree.is_empty());
}

#[test]
fn bin_tree_last_returns_none() {
    let bin_tree = BinTree::new();
    assert_eq!(bin_tree.last(), None);
    assert_eq!(bin_tree.len(), 0);
    assert!(!bin_tree.contains(0));
    assert_eq!(bin_tree.first(), None);
}

#[test]
fn bin_tree_remove_returns_false() {
    let mut bin_tree = BinTree::new();
    assert!(!bin_tree.remove(2));
    assert_eq!(bin_tree.len(), 0);
    assert_eq!(bin_tree.first(), None);
    assert!(bin_tree.is_empty());
}
