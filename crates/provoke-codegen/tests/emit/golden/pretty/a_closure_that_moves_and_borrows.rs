// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_that_moves_and_borrows() {
    let mut vec = vec![1u8, 2, 3];
    let mut vec2 = Vec::new();
    let mut vec3 = vec![1u8, 2, 3];
    let vec2_ref = &mut vec2;
    vec.resize_with(8, move || {
        let n = vec3.pop().unwrap_or(0u8);
        vec2_ref.push(n);
        n
    });
    let _ = vec2.len();
}
