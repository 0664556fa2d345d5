// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_last_drop_panics() {
    let vec = vec![1u8, 2, 3];
    let vec2 = vec![1u8, 2, 3];
    drop(vec);
    drop(vec2);
}
