// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn limits_have_names() {
    let _ = i64::MAX.min(i64::MIN);
    let _ = (-1_000_000i64).min(999999);
    let _: Vec<u8> = Vec::with_capacity(usize::MAX);
}
