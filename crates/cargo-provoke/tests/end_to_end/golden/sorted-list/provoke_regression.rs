// What sorted-list 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use sorted_list::SortedList;

#[test]
fn sorted_list_get_returns_some() {
    let mut sorted_list = SortedList::<i32>::default();
    sorted_list.insert(0);
    assert_eq!(sorted_list.get(), Some(0));
    assert_eq!(sorted_list.len(), 0);
    assert!(!sorted_list.contains(&0));
    assert!(sorted_list.is_empty());
}

#[test]
fn sorted_list_get_returns_none() {
    let mut sorted_list = SortedList::<String>::default();
    assert_eq!(sorted_list.get(), None);
    assert_eq!(sorted_list.len(), 0);
    assert!(sorted_list.is_empty());
}

#[test]
fn sorted_list_new_returns() {
    let sorted_list = SortedList::<String>::new();
    assert_eq!(sorted_list.len(), 0);
    assert!(sorted_list.is_empty());
}
