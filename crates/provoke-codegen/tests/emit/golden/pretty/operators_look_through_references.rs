// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn operators_look_through_references() {
    let mut vec = vec![1u8, 2, 3];
    let type_ = vec[..].get_mut(0usize).unwrap();
    *type_ += 1;
    let _ = *type_ == 1;
    let mut n = 2u8;
    n += 1;
    let _ = n == *type_;
    let _string = format!("{:?}", n);
    let string = "a".to_string();
    let text = string.as_str().trim();
    let _string2 = format!("{:?}", text);
    let _ = *"a" == *text;
}
