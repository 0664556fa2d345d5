// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_value_passed_on_at_once() {
    let mut vec = "abc".to_string().into_bytes();
    vec.push(1u8);
    vec.push(Some("7".parse::<u8>().unwrap()).unwrap_or(0u8));
}
