// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn literals_stand_where_they_are_used() {
    let mut vec = Vec::with_capacity(10);
    vec.push(7u8);
    let _ = vec[..].contains(&7);
    vec.insert(5, 0u8);
}
