// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn literals_stand_where_they_are_used() {
    let mut vec: Vec<u8> = <Vec<u8>>::with_capacity(10usize);
    <Vec<u8>>::push(&mut vec, 7u8);
    let _: bool = <[u8]>::contains(&vec[..], &7u8);
    <Vec<u8>>::insert(&mut vec, 5usize, 0u8);
}
