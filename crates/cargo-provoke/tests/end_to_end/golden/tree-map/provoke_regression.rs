// What tree-map 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use tree_map::TreeMap;

#[test]
fn tree_map_eq_returns_true() {
    let tree_map = TreeMap::new();
    assert!(tree_map == tree_map);
    assert_eq!(tree_map.len(), 0);
    assert!(!tree_map.contains_key(0));
    assert_eq!(tree_map.get(0), None);
}

#[test]
fn tree_map_clear_returns() {
    let mut tree_map = TreeMap::new();
    tree_map.clear();
    assert_eq!(tree_map.len(), 0);
    assert!(tree_map.is_empty());
    assert!(!tree_map.contains_key(0));
}

#[test]
fn tree_map_first_key_value_returns_some() {
    let mut tree_map = TreeMap::default();
    assert_eq!(tree_map.insert(33, 33), None);
    assert_eq!(tree_map.first_key_value(), Some((33, 33)));
    assert_eq!(tree_map.len(), 1);
    assert!(tree_map.contains_key(33));
    assert_eq!(tree_map.get(33), Some(33));
}

#[test]
fn tree_map_first_key_value_returns_none() {
    let tree_map = TreeMap::new();
    assert_eq!(tree_map.first_key_value(), None);
    assert_eq!(tree_map.len(), 0);
    assert!(tree_map.is_empty());
    assert!(!tree_map.contains_key(0));
}

#[test]
fn tree_map_get_returns_some() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(2, -1), None);
    assert_eq!(tree_map.get(2), Some(-1));
    assert_eq!(tree_map.len(), 1);
    assert!(!tree_map.is_empty());
    assert!(!tree_map.contains_key(-1));
}

#[test]
fn tree_map_get_returns_none() {
    let tree_map = TreeMap::new();
    assert_eq!(tree_map.get(0), None);
    assert_eq!(tree_map.len(), 0);
    assert!(tree_map.is_empty());
    assert!(!tree_map.contains_key(0));
}

#[test]
fn tree_map_insert_returns_some() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(2, -1), None);
    assert_eq!(tree_map.insert(2, -1), Some(-1));
    assert_eq!(tree_map.len(), 1);
    assert_eq!(tree_map.get(-1), None);
    assert!(!tree_map.is_empty());
}

#[test]
fn tree_map_insert_returns_none() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(0, 0), None);
    assert_eq!(tree_map.len(), 1);
    assert_eq!(tree_map.get(0), Some(0));
    assert!(tree_map.contains_key(0));
}

#[test]
fn tree_map_last_key_value_returns_some() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(-4_284_316, -4_284_316), None);
    assert_eq!(tree_map.last_key_value(), Some((-4_284_316, -4_284_316)));
    assert_eq!(tree_map.len(), 1);
    assert_eq!(tree_map.get(-4_284_316), Some(-4_284_316));
    assert!(!tree_map.is_empty());
}

#[test]
fn tree_map_last_key_value_returns_none() {
    let tree_map = TreeMap::new();
    assert_eq!(tree_map.last_key_value(), None);
    assert_eq!(tree_map.len(), 0);
    assert_eq!(tree_map.get(0), None);
    assert!(tree_map.is_empty());
}

#[test]
fn tree_map_pop_first_returns_some() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(0, 0), None);
    assert_eq!(tree_map.pop_first(), Some((0, 0)));
    assert_eq!(tree_map.len(), 0);
    assert!(!tree_map.contains_key(0));
    assert_eq!(tree_map.get(0), None);
}

#[test]
fn tree_map_pop_first_returns_none() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.pop_first(), None);
    assert_eq!(tree_map.len(), 0);
    assert!(tree_map.is_empty());
    assert!(!tree_map.contains_key(0));
}

#[test]
fn tree_map_remove_returns_some() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.insert(-4_284_316, -4_284_316), None);
    assert_eq!(tree_map.remove(-4_284_316), Some(-4_284_316));
    assert_eq!(tree_map.len(), 0);
    assert_eq!(tree_map.get(-4_284_316), None);
    assert!(tree_map.is_empty());
}

#[test]
fn tree_map_remove_returns_none() {
    let mut tree_map = TreeMap::new();
    assert_eq!(tree_map.remove(1), None);
    assert_eq!(tree_map.len(), 0);
    assert!(!tree_map.contains_key(1));
    assert_eq!(tree_map.get(1), None);
}
