// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn mutable_borrows_are_lent_on_and_used_up() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let option: Option<&mut u8> = <[u8]>::get_mut::<usize>(&mut vec[..], 0usize);
    let type_: &mut u8 = <Option<&mut u8>>::unwrap(option);
    *type_ = 9u8;
    let _: u8 = *type_;
    let _: u8 = std::mem::replace::<u8>(&mut *type_, 8u8);
    let _: u8 = std::mem::replace::<u8>(type_, 8u8);
}
