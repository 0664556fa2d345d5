use std::mem::swap;
use std::mem::take;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_variable_never_hides_a_function() {
    let mut vec = vec![1u8, 2, 3];
    let mut take2 = take(&mut vec);
    swap(&mut vec, &mut take2);
    let take3 = take(&mut take2);
    let _ = take3.len();
}
