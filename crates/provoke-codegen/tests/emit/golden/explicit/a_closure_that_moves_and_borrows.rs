// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_that_moves_and_borrows() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut vec2: Vec<u8> = <Vec<u8>>::new();
    let mut vec3: Vec<u8> = vec![1u8, 2u8, 3u8];
    let vec2_ref = &mut vec2;
    <Vec<u8>>::resize_with(&mut vec, 8usize, move || {
        let option: Option<u8> = <Vec<u8>>::pop(&mut vec3);
        let n: u8 = <Option<u8>>::unwrap_or(option, 0u8);
        <Vec<u8>>::push(&mut *vec2_ref, n);
        n
    });
    let _: usize = <Vec<u8>>::len(&vec2);
}
