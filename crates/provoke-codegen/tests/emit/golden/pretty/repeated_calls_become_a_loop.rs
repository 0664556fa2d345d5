// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn repeated_calls_become_a_loop() {
    let mut vec = Vec::new();
    for _ in 0..5 {
        vec.push(1u8);
    }
    vec.push(2u8);
    vec.push(2u8);
    vec.push(2u8);
    for _ in 0..5 {
        let _ = vec.pop();
    }
    let _ = vec.pop();
}
