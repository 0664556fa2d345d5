// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn ranges_are_enclosed() {
    let range = 1usize..2;
    let _ = range.contains(&2);
}
