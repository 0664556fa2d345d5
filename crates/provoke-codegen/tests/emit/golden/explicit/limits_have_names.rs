// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn limits_have_names() {
    let _: i64 = <i64 as Ord>::min(i64::MAX, i64::MIN);
    let _: i64 = <i64 as Ord>::min(-1_000_000i64, 999999i64);
    let _: Vec<u8> = <Vec<u8>>::with_capacity(usize::MAX);
}
