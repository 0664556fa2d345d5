// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn strings_are_bound_where_they_are_lent() {
    let string = "one".to_string();
    let _: usize = <String>::len(&string);
    let _vec: Vec<u8> = <String>::into_bytes(string);
    let mut string2 = "two".to_string();
    <String>::push_str(&mut string2, "+");
    let _: Vec<u8> = <String>::into_bytes("three".to_string());
}
