// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn names_are_numbered_and_avoid_words_of_the_language() {
    let mut vec = vec![1u8, 2, 3];
    let mut vec2 = vec![1u8, 2, 3];
    let type_ = vec[..].get_mut(1usize).unwrap();
    let n = *type_;
    vec2.push(n);
    *type_ = n;
    let mut n2 = 3u8;
    let _ = std::mem::replace(&mut n2, 4u8);
    let _ = vec2.len();
}
