use std::slice::Iter;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_chain_of_iterators() {
    let vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let iter: Iter<'_, u8> = <[u8]>::iter(&vec[..]);
    let rev: std::iter::Rev<Iter<'_, u8>> = iter.rev();
    let _: usize = rev.count();
}
