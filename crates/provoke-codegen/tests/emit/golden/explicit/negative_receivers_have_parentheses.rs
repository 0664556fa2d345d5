// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn negative_receivers_have_parentheses() {
    let _: i32 = <i32>::abs(-5i32);
    let _: u8 = <u8>::pow(5u8, 2u32);
    let _: i32 = <i32>::abs(i32::MIN);
}
