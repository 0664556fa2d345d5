// What bounded-stack 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use bounded_stack::BoundedStack;

#[test]
fn bounded_stack_capacity_returns() {
    let bounded_stack = BoundedStack::new(1);
    assert_eq!(bounded_stack.capacity(), 2);
    assert_eq!(bounded_stack.len(), 0);
    assert!(bounded_stack.is_empty());
    assert_eq!(bounded_stack.peek(), None);
}

#[test]
fn bounded_stack_peek_returns_some() {
    let mut bounded_stack = BoundedStack::new(4);
    assert_eq!(bounded_stack.push(7), Ok(()));
    assert_eq!(bounded_stack.peek(), Some(7));
    assert_eq!(bounded_stack.len(), 1);
    assert!(!bounded_stack.is_empty());
}

#[test]
fn bounded_stack_peek_returns_none() {
    let bounded_stack = BoundedStack::new(1);
    assert_eq!(bounded_stack.peek(), None);
    assert_eq!(bounded_stack.len(), 0);
    assert!(bounded_stack.is_empty());
}

#[test]
fn bounded_stack_pop_returns_some() {
    let mut bounded_stack = BoundedStack::new(4);
    assert_eq!(bounded_stack.push(3), Ok(()));
    assert_eq!(bounded_stack.pop(), Some(3));
    assert_eq!(bounded_stack.len(), 0);
    assert_eq!(bounded_stack.peek(), None);
    assert!(bounded_stack.is_empty());
}

#[test]
fn bounded_stack_pop_returns_none() {
    let mut bounded_stack = BoundedStack::new(1);
    assert_eq!(bounded_stack.pop(), None);
    assert_eq!(bounded_stack.len(), 0);
    assert_eq!(bounded_stack.peek(), None);
    assert!(bounded_stack.is_empty());
}

#[test]
fn bounded_stack_push_returns_ok() {
    let mut bounded_stack = BoundedStack::new(2);
    assert_eq!(bounded_stack.push(3), Ok(()));
    assert_eq!(bounded_stack.len(), 1);
    assert_eq!(bounded_stack.peek(), Some(3));
    assert!(!bounded_stack.is_empty());
}

#[test]
fn bounded_stack_push_n_returns_ok() {
    let mut bounded_stack = BoundedStack::new(3);
    assert_eq!(bounded_stack.push_n(2, 2), Ok(()));
    assert_eq!(bounded_stack.len(), 2);
    assert_eq!(bounded_stack.peek(), Some(2));
    assert!(!bounded_stack.is_empty());
}

#[test]
fn bounded_stack_push_n_returns_err() {
    let mut bounded_stack = BoundedStack::new(1);
    assert_eq!(bounded_stack.push_n(9, 1), Err(1));
    assert_eq!(bounded_stack.len(), 0);
    assert_eq!(bounded_stack.peek(), None);
    assert!(bounded_stack.is_empty());
}
