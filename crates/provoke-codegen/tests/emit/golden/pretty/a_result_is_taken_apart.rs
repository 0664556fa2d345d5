// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_result_is_taken_apart() {
    let result = "300".parse::<u8>();
    let _ = result.is_err();
    let _ = "12".parse::<u8>().unwrap();
    let _ = result.unwrap();
}
