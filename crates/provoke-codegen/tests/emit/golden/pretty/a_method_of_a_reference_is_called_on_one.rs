// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_method_of_a_reference_is_called_on_one() {
    let vec = vec![1u8, 2, 3];
    let mut iter = (&vec).into_iter();
    let _ = iter.next();
    let _ = vec.len();
}
