// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn strings_are_bound_where_they_are_lent() {
    let string = "one".to_string();
    let _ = string.len();
    let _vec = string.into_bytes();
    let mut string2 = "two".to_string();
    string2.push_str("+");
    let _ = "three".to_string().into_bytes();
}
