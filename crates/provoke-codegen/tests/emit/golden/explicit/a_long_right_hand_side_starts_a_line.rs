// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_long_right_hand_side_starts_a_line() {
    let vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    let ordered_map_of_small_numbers: std::collections::BTreeMap<u8, u8> =
        <std::collections::BTreeMap<u8, u8> as std::iter::FromIterator<_>>::from_iter(
            std::iter::zip(vec, vec2),
        );
    drop(ordered_map_of_small_numbers);
    let _: Vec<u8> = <Vec<u8>>::new();
}
