use std::collections::HashMap;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_suffix_only_where_nothing_tells_the_type() {
    let mut map = HashMap::new();
    let _option = map.insert(300u16, "three hundred".to_string());
    let _ = map.get(&300);
    let _ = Some(5u8).unwrap_or(0u8);
}
