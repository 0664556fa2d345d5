// What fibonacci-heap 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use fibonacci_heap::FibonacciHeap;

#[test]
fn fibonacci_heap_clear_returns() {
    let mut fibonacci_heap = FibonacciHeap::new();
    fibonacci_heap.clear();
    assert_eq!(fibonacci_heap.len(), 0);
    assert_eq!(fibonacci_heap.find_min(), None);
    assert!(fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_decrease_key_returns_false() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let handle = fibonacci_heap.insert(3);
    let mut fibonacci_heap2 = FibonacciHeap::default();
    assert!(!fibonacci_heap2.decrease_key(handle, 7));
    assert_eq!(fibonacci_heap.len(), 1);
    assert_eq!(fibonacci_heap.find_min(), Some(3));
    assert!(!fibonacci_heap.is_empty());
    assert_eq!(fibonacci_heap2.len(), 0);
    assert_eq!(fibonacci_heap2.find_min(), None);
    assert!(fibonacci_heap2.is_empty());
}

#[test]
fn fibonacci_heap_delete_returns_some() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let handle = fibonacci_heap.insert(124);
    assert_eq!(fibonacci_heap.delete(handle), Some(124));
    assert_eq!(fibonacci_heap.len(), 0);
    assert_eq!(fibonacci_heap.find_min(), None);
    assert!(fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_delete_returns_none() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let mut fibonacci_heap2 = FibonacciHeap::default();
    assert_eq!(fibonacci_heap.delete(fibonacci_heap2.insert(8000)), None);
    assert_eq!(fibonacci_heap.len(), 0);
    assert_eq!(fibonacci_heap.find_min(), None);
    assert!(fibonacci_heap.is_empty());
    assert_eq!(fibonacci_heap2.len(), 1);
    assert_eq!(fibonacci_heap2.find_min(), Some(8000));
    assert!(!fibonacci_heap2.is_empty());
}

#[test]
fn fibonacci_heap_extract_min_returns_some() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let _ = fibonacci_heap.insert(0);
    assert_eq!(fibonacci_heap.extract_min(), Some(0));
    assert_eq!(fibonacci_heap.len(), 0);
    assert_eq!(fibonacci_heap.find_min(), None);
    assert!(fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_extract_min_returns_none() {
    let mut fibonacci_heap = FibonacciHeap::new();
    assert_eq!(fibonacci_heap.extract_min(), None);
    assert_eq!(fibonacci_heap.len(), 0);
    assert_eq!(fibonacci_heap.find_min(), None);
    assert!(fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_find_min_returns_some() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let _ = fibonacci_heap.insert(0);
    assert_eq!(fibonacci_heap.find_min(), Some(0));
    assert_eq!(fibonacci_heap.len(), 1);
    assert!(!fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_find_min_returns_none() {
    let fibonacci_heap = FibonacciHeap::new();
    assert_eq!(fibonacci_heap.find_min(), None);
    assert_eq!(fibonacci_heap.len(), 0);
    assert!(fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_key_returns_some() {
    let mut fibonacci_heap = FibonacciHeap::new();
    let handle = fibonacci_heap.insert(0);
    assert_eq!(fibonacci_heap.key(handle), Some(0));
    assert_eq!(fibonacci_heap.len(), 1);
    assert_eq!(fibonacci_heap.find_min(), Some(0));
    assert!(!fibonacci_heap.is_empty());
}

#[test]
fn fibonacci_heap_key_returns_none() {
    let mut fibonacci_heap = FibonacciHeap::default();
    let handle = fibonacci_heap.insert(1);
    let fibonacci_heap2 = FibonacciHeap::default();
    let fibonacci_heap3 = fibonacci_heap2.clone();
    assert_eq!(fibonacci_heap3.key(handle), None);
    assert_eq!(fibonacci_heap.len(), 1);
    assert_eq!(fibonacci_heap.find_min(), Some(1));
    assert!(!fibonacci_heap.is_empty());
    assert_eq!(fibonacci_heap2.len(), 0);
    assert_eq!(fibonacci_heap2.find_min(), None);
    assert!(fibonacci_heap2.is_empty());
}
