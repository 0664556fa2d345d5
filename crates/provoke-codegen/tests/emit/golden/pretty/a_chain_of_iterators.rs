// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_chain_of_iterators() {
    let vec = vec![1u8, 2, 3];
    let _ = vec[..].iter().rev().count();
}
