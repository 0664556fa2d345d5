use std::fmt::Error;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn equal_names_from_different_places() {
    let error: Error = Error;
    let _error: std::io::Error = std::io::Error::other::<&str>("broken");
    let _: std::io::Error = std::io::Error::other::<std::fmt::Error>(error);
}
