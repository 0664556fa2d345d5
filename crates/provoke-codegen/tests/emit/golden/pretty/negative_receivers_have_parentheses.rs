// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn negative_receivers_have_parentheses() {
    let _ = (-5i32).abs();
    let _ = 5u8.pow(2);
    let _ = i32::MIN.abs();
}
