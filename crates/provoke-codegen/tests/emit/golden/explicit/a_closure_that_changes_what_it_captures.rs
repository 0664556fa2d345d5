// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_that_changes_what_it_captures() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut vec2: Vec<u8> = <Vec<u8>>::new();
    <Vec<u8>>::retain(&mut vec, |a| {
        let n: u8 = *a;
        <Vec<u8>>::push(&mut vec2, n);
        <Vec<u8>>::push(&mut vec2, n);
        <u8 as PartialOrd>::lt(a, &3u8)
    });
    let _: usize = <Vec<u8>>::len(&vec2);
}
