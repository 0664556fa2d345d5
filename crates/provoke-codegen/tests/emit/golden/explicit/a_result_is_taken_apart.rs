use std::num::ParseIntError;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_result_is_taken_apart() {
    let result: Result<u8, ParseIntError> = <str>::parse::<u8>("300");
    let _: bool = <Result<u8, ParseIntError>>::is_err(&result);
    let result2: Result<u8, ParseIntError> = <str>::parse::<u8>("12");
    let _: u8 = <Result<u8, ParseIntError>>::unwrap(result2);
    let _: u8 = <Result<u8, ParseIntError>>::unwrap(result);
}
