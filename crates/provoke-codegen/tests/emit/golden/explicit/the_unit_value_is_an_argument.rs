// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn the_unit_value_is_an_argument() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    <Vec<u8>>::clear(&mut vec);
    let option: Option<()> = Some(());
    let _: bool = <Option<()>>::is_some(&option);
}
