// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn nothing_is_nested_that_another_argument_changes() {
    let mut vec = vec![1u8, 2, 3];
    let n = vec.len();
    vec.truncate(n);
    let vec2 = vec![1u8, 2, 3];
    vec.truncate(vec2.len());
}
