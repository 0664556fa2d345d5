// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_last_drop_panics() {
    let vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    drop(vec);
    drop(vec2);
}
