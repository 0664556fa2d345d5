// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn mutable_borrows_are_lent_on_and_used_up() {
    let mut vec = vec![1u8, 2, 3];
    let type_ = vec[..].get_mut(0usize).unwrap();
    *type_ = 9;
    let _ = *type_;
    let _ = std::mem::replace(&mut *type_, 8u8);
    let _ = std::mem::replace(type_, 8u8);
}
