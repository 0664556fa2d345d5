use std::slice::Iter;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_method_of_a_reference_is_called_on_one() {
    let vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut iter: Iter<'_, u8> = <&Vec<u8> as IntoIterator>::into_iter(&vec);
    let _: Option<&u8> = <Iter<u8> as Iterator>::next(&mut iter);
    let _: usize = <Vec<u8>>::len(&vec);
}
