// What int-stack 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use int_stack::IntStack;

#[test]
fn int_stack_capacity_returns() {
    let int_stack = IntStack::new(2).unwrap();
    assert_eq!(int_stack.capacity(), 2);
    assert_eq!(int_stack.count(), 0);
    assert!(int_stack.is_empty());
    assert!(!int_stack.is_full());
}

#[test]
fn int_stack_new_returns_some() {
    let int_stack = IntStack::new(1);
    assert_eq!(
        format!("{:?}", int_stack),
        "Some(IntStack { capacity: 1, items: [] })"
    );
}

#[test]
fn int_stack_new_returns_none() {
    assert_eq!(IntStack::new(0), None);
}

#[test]
fn int_stack_pop_returns_some() {
    let mut int_stack = IntStack::new(16).unwrap();
    assert!(int_stack.push(7));
    assert_eq!(int_stack.pop(), Some(7));
    assert_eq!(int_stack.count(), 0);
    assert!(int_stack.is_empty());
    assert!(!int_stack.is_full());
}

#[test]
fn int_stack_pop_returns_none() {
    let mut int_stack = IntStack::new(2).unwrap();
    assert_eq!(int_stack.pop(), None);
    assert_eq!(int_stack.top(), None);
    assert_eq!(int_stack.count(), 0);
    assert!(int_stack.is_empty());
}

#[test]
fn int_stack_top_returns_some() {
    let mut int_stack = IntStack::new(1).unwrap();
    assert!(int_stack.push(0));
    assert_eq!(int_stack.top(), Some(0));
    assert!(int_stack.is_full());
    assert_eq!(int_stack.count(), 1);
    assert!(!int_stack.is_empty());
}

#[test]
fn int_stack_top_returns_none() {
    let int_stack = IntStack::new(3).unwrap();
    assert_eq!(int_stack.top(), None);
    assert!(!int_stack.is_full());
    assert_eq!(int_stack.count(), 0);
    assert!(int_stack.is_empty());
}
