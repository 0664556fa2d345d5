use std::collections::HashMap;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn unused_values_live_as_long_as_in_the_program() {
    let mut vec = vec![1u8, 2, 3];
    let _ = vec.len();
    let _drain = vec.drain(..);
    let _vec: Vec<u8> = Vec::new();
    let _map: HashMap<u16, String> = HashMap::new();
    let _map2: HashMap<u16, String> = HashMap::new();
    let _: Vec<u8> = Vec::with_capacity(1);
}
