// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn views_are_written_inside_their_use() {
    let mut vec = vec![1u8, 2, 3];
    let vec2 = vec![1u8, 2, 3];
    let slice = &vec2[..];
    vec[..].copy_from_slice(slice);
    let _ = slice.first();
    let string = "abc".to_string();
    let _ = string.as_str().len();
    let mut string2 = "def".to_string();
    string2.push_str(string.as_str());
}
