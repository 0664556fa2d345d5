use std::io::Write;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn bytes_become_slices() {
    let mut vec: Vec<u8> = <Vec<u8>>::new();
    let _result: std::io::Result<()> = <Vec<u8> as Write>::write_all(&mut vec, &b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"[..]);
    let _: Option<&u8> = <[u8]>::first(&b"a\"\n\xff"[..]);
}
