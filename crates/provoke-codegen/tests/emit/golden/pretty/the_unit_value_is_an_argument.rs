// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_unit_value_is_an_argument() {
    let mut vec = vec![1u8, 2, 3];
    vec.clear();
    let option = Some(());
    let _ = option.is_some();
}
