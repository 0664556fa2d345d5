// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn operators_look_through_references() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let option: Option<&mut u8> = <[u8]>::get_mut::<usize>(&mut vec[..], 0usize);
    let type_: &mut u8 = <Option<&mut u8>>::unwrap(option);
    <u8 as std::ops::AddAssign>::add_assign(&mut *type_, 1u8);
    let _: bool = <u8 as PartialEq>::eq(&*type_, &1u8);
    let mut n = 2u8;
    <u8 as std::ops::AddAssign>::add_assign(&mut n, 1u8);
    let _: bool = <u8 as PartialEq>::eq(&n, &*type_);
    let _string: String = format!("{:?}", n);
    let string = "a".to_string();
    let text: &str = <str>::trim(string.as_str());
    let _string2: String = format!("{:?}", text);
    let _: bool = <str as PartialEq>::eq("a", text);
}
