use std::io::Write;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_trait_of_a_method_is_imported() {
    let mut vec: Vec<u8> = Vec::new();
    let _ = vec.write_all(b"abc");
}
