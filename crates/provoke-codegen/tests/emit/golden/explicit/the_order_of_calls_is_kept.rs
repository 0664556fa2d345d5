// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_order_of_calls_is_kept() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    let option: Option<u8> = <Vec<u8>>::pop(&mut vec2);
    let n: usize = <Vec<u8>>::len(&vec);
    let n2: u8 = <Option<u8>>::unwrap_or(option, 0u8);
    <Vec<u8>>::insert(&mut vec, n, n2);
    let n3: usize = <Vec<u8>>::len(&vec2);
    let option2: Option<u8> = <Vec<u8>>::pop(&mut vec2);
    let n4: u8 = <Option<u8>>::unwrap_or(option2, 0u8);
    <Vec<u8>>::insert(&mut vec, n3, n4);
}
