use std::iter::FromIterator;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_long_right_hand_side_starts_a_line() {
    let vec = vec![1u8, 2, 3];
    let vec2 = vec![1u8, 2, 3];
    let ordered_map_of_small_numbers =
        std::collections::BTreeMap::<u8, u8>::from_iter(std::iter::zip(vec, vec2));
    drop(ordered_map_of_small_numbers);
    let _: Vec<u8> = Vec::new();
}
