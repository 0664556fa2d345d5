use std::io::Write;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn bytes_become_slices() {
    let mut vec: Vec<u8> = Vec::new();
    let _result = vec.write_all(&[0; 64]);
    let _ = b"a\"\n\xff"[..].first();
}
