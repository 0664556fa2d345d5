// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn nothing_is_nested_that_another_argument_changes() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let n: usize = <Vec<u8>>::len(&vec);
    <Vec<u8>>::truncate(&mut vec, n);
    let vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    let n2: usize = <Vec<u8>>::len(&vec2);
    <Vec<u8>>::truncate(&mut vec, n2);
}
