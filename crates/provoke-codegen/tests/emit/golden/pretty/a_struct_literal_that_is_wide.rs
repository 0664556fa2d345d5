use std::ops::Range;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_struct_literal_that_is_wide() {
    let range = Range {
        start: 1usize,
        end: 2usize,
    };
    let _ = range.contains(&1000);
}
