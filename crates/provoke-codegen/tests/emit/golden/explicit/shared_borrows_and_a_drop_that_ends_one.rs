use std::slice::Iter;
use std::vec::Drain;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn shared_borrows_and_a_drop_that_ends_one() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut iter: Iter<'_, u8> = <[u8]>::iter(&vec[..]);
    let _: Option<&u8> = <Iter<u8> as Iterator>::next(&mut iter);
    let drain: Drain<'_, u8> = <Vec<u8>>::drain(&mut vec, ..);
    drop(drain);
    <Vec<u8>>::push(&mut vec, 4u8);
    let _: usize = <Vec<u8>>::len(&vec);
}
