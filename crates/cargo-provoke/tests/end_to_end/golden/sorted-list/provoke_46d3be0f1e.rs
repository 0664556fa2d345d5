// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests
// `cargo provoke replay 46d3be0f1e` shows every step.

use sorted_list::SortedList;

// Expected: an internal `debug_assert!` states what the author holds impossible.
// Happened: no element left may be greater than the one returned
// at src/lib.rs:53:9
#[test]
fn get_debug_assert() {
    let mut sorted_list = SortedList::<i32>::default();
    sorted_list.insert(0);
    sorted_list.insert(1);
    let _ = sorted_list.get();
}
