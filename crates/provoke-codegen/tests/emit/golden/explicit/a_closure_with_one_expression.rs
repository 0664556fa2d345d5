// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_with_one_expression() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    <Vec<u8>>::retain(&mut vec, |a| <u8 as PartialOrd>::lt(a, &2u8));
    <Vec<u8>>::retain(&mut vec, |_| false);
}
