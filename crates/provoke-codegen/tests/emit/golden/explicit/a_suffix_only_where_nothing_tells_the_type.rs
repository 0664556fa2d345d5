use std::collections::HashMap;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_suffix_only_where_nothing_tells_the_type() {
    let mut map: HashMap<u16, String> = <HashMap<u16, String>>::new();
    let _option: Option<String> =
        <HashMap<u16, String>>::insert(&mut map, 300u16, "three hundred".to_string());
    let _: Option<&String> = <HashMap<u16, String>>::get::<u16>(&map, &300u16);
    let option: Option<u8> = Some(5u8);
    let _: u8 = <Option<u8>>::unwrap_or(option, 0u8);
}
