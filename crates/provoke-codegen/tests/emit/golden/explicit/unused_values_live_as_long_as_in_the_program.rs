use std::collections::HashMap;
use std::vec::Drain;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn unused_values_live_as_long_as_in_the_program() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let _: usize = <Vec<u8>>::len(&vec);
    let _drain: Drain<'_, u8> = <Vec<u8>>::drain(&mut vec, ..);
    let _vec: Vec<u8> = <Vec<u8>>::new();
    let _map: HashMap<u16, String> = <HashMap<u16, String>>::new();
    let _map2: HashMap<u16, String> = <HashMap<u16, String>>::new();
    let _: Vec<u8> = <Vec<u8>>::with_capacity(1usize);
}
