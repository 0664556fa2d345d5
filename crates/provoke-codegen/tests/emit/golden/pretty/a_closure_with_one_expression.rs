// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_with_one_expression() {
    let mut vec = vec![1u8, 2, 3];
    vec.retain(|a| a.lt(&2));
    vec.retain(|_| false);
}
