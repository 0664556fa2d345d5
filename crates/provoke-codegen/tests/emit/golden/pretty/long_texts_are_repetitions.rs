// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn long_texts_are_repetitions() {
    let mut string = "ab".repeat(50);
    string.push_str(&"x".repeat(300));
    let _ = "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy".trim().len();
}
