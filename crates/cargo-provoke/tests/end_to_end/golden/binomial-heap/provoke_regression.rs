// What binomial-heap 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use binomial_heap::BinomialHeap;

#[test]
fn binomial_heap_append_returns() {
    let mut binomial_heap = BinomialHeap::new();
    assert_eq!(binomial_heap.extract_min(), None);
    let mut binomial_heap2 = binomial_heap.clone();
    binomial_heap.append(&mut binomial_heap2);
    assert_eq!(binomial_heap.len(), 0);
    assert!(!binomial_heap.contains(0));
    assert_eq!(binomial_heap.find_min(), None);
    assert_eq!(binomial_heap2.len(), 0);
    assert!(binomial_heap2.is_empty());
    assert!(!binomial_heap2.contains(0));
}

#[test]
fn binomial_heap_clear_returns() {
    let mut binomial_heap = BinomialHeap::new();
    binomial_heap.clear();
    assert_eq!(binomial_heap.len(), 0);
    assert_eq!(binomial_heap.find_min(), None);
    assert!(binomial_heap.is_empty());
}

#[test]
fn binomial_heap_decrease_key_returns_false() {
    let mut binomial_heap = BinomialHeap::new();
    assert!(!binomial_heap.decrease_key(20, 20));
    assert_eq!(binomial_heap.len(), 0);
    assert!(!binomial_heap.contains(20));
    assert_eq!(binomial_heap.find_min(), None);
}

#[test]
fn binomial_heap_delete_returns_false() {
    let mut binomial_heap = BinomialHeap::default();
    assert!(!binomial_heap.delete(3));
    assert_eq!(binomial_heap.len(), 0);
    assert!(!binomial_heap.contains(3));
    assert!(binomial_heap.is_empty());
}

#[test]
fn binomial_heap_extract_min_returns_some() {
    let mut binomial_heap = BinomialHeap::new();
    binomial_heap.insert(101);
    assert_eq!(binomial_heap.extract_min(), Some(101));
    assert_eq!(binomial_heap.len(), 0);
    assert!(!binomial_heap.contains(101));
    assert_eq!(binomial_heap.find_min(), None);
}

#[test]
fn binomial_heap_extract_min_returns_none() {
    let mut binomial_heap = BinomialHeap::new();
    assert_eq!(binomial_heap.extract_min(), None);
    assert_eq!(binomial_heap.len(), 0);
    assert!(binomial_heap.is_empty());
    assert!(!binomial_heap.contains(0));
}

#[test]
fn binomial_heap_find_min_returns_some() {
    let mut binomial_heap = BinomialHeap::new();
    binomial_heap.insert(4);
    binomial_heap.insert(1);
    assert_eq!(binomial_heap.find_min(), Some(1));
    assert_eq!(binomial_heap.len(), 2);
    assert!(!binomial_heap.is_empty());
    assert!(binomial_heap.contains(1));
}

#[test]
fn binomial_heap_find_min_returns_none() {
    let binomial_heap = BinomialHeap::new();
    assert_eq!(binomial_heap.find_min(), None);
    assert_eq!(binomial_heap.len(), 0);
    assert!(binomial_heap.is_empty());
    assert!(!binomial_heap.contains(0));
}
