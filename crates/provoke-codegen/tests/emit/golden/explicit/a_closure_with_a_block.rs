// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_with_a_block() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    <Vec<u8>>::dedup_by(&mut vec, |a, b| {
        let _: u8 = std::mem::replace::<u8>(&mut *b, 9u8);
        <u8 as PartialOrd>::lt(&*a, &*b)
    });
}
