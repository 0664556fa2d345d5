use std::num::ParseIntError;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_value_passed_on_at_once() {
    let mut vec: Vec<u8> = <String>::into_bytes("abc".to_string());
    <Vec<u8>>::push(&mut vec, 1u8);
    let result: Result<u8, ParseIntError> = <str>::parse::<u8>("7");
    let n: u8 = <Result<u8, ParseIntError>>::unwrap(result);
    let option: Option<u8> = Some(n);
    let n2: u8 = <Option<u8>>::unwrap_or(option, 0u8);
    <Vec<u8>>::push(&mut vec, n2);
}
