// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn nothing_is_nested_in_a_closure_of_a_template() {
    let vec = vec![1u8, 2, 3];
    drop::<[Vec<u8>; 2]>(std::array::from_fn(|_| vec.clone()));
    let _: Vec<u8> = Vec::new();
}
