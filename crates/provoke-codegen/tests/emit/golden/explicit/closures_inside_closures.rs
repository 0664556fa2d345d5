// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn closures_inside_closures() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut vec2: Vec<u8> = <Vec<u8>>::new();
    <Vec<u8>>::retain(&mut vec, |a| {
        let mut vec3: Vec<u8> = vec![1u8, 2u8, 3u8];
        let vec2_ref = &mut vec2;
        <Vec<u8>>::retain(&mut vec3, move |b| {
            let n: u8 = *b;
            <Vec<u8>>::push(&mut *vec2_ref, n);
            <u8 as PartialOrd>::lt(b, a)
        });
        let option: Option<u8> = <Vec<u8>>::pop(&mut vec3);
        <Option<u8>>::is_some(&option)
    });
    let _: usize = <Vec<u8>>::len(&vec2);
}
