// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn repeated_calls_become_a_loop() {
    let mut vec: Vec<u8> = <Vec<u8>>::new();
    for _ in 0..5 {
        <Vec<u8>>::push(&mut vec, 1u8);
    }
    <Vec<u8>>::push(&mut vec, 2u8);
    <Vec<u8>>::push(&mut vec, 2u8);
    <Vec<u8>>::push(&mut vec, 2u8);
    for _ in 0..5 {
        let _: Option<u8> = <Vec<u8>>::pop(&mut vec);
    }
    let _: Option<u8> = <Vec<u8>>::pop(&mut vec);
}
