use std::fmt::Error;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn equal_names_from_different_places() {
    let error = Error;
    let _error = std::io::Error::other("broken");
    let _ = std::io::Error::other(error);
}
