// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_with_a_block() {
    let mut vec = vec![1u8, 2, 3];
    vec.dedup_by(|a, b| {
        let _ = std::mem::replace(&mut *b, 9u8);
        (*a).lt(&*b)
    });
}
