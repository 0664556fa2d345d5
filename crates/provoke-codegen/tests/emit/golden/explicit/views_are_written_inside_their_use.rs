// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn views_are_written_inside_their_use() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    let slice: &[u8] = &vec2[..];
    <[u8]>::copy_from_slice(&mut vec[..], slice);
    let _: Option<&u8> = <[u8]>::first(slice);
    let string = "abc".to_string();
    let _: usize = <str>::len(string.as_str());
    let mut string2 = "def".to_string();
    <String>::push_str(&mut string2, string.as_str());
}
