// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn names_are_numbered_and_avoid_words_of_the_language() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut vec2: Vec<u8> = vec![1u8, 2u8, 3u8];
    let option: Option<&mut u8> = <[u8]>::get_mut::<usize>(&mut vec[..], 1usize);
    let type_: &mut u8 = <Option<&mut u8>>::unwrap(option);
    let n: u8 = *type_;
    <Vec<u8>>::push(&mut vec2, n);
    *type_ = n;
    let mut n2 = 3u8;
    let _: u8 = std::mem::replace::<u8>(&mut n2, 4u8);
    let _: usize = <Vec<u8>>::len(&vec2);
}
