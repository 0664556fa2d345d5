use std::ops::Range;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn ranges_are_enclosed() {
    let range: std::ops::Range<usize> = 1usize..2usize;
    let _: bool = <Range<usize>>::contains::<usize>(&range, &2usize);
}
