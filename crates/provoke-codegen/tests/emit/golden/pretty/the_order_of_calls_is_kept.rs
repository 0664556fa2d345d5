// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_order_of_calls_is_kept() {
    let mut vec = vec![1u8, 2, 3];
    let mut vec2 = vec![1u8, 2, 3];
    let option = vec2.pop();
    let n = vec.len();
    vec.insert(n, option.unwrap_or(0u8));
    let n2 = vec2.len();
    vec.insert(n2, vec2.pop().unwrap_or(0u8));
}
