use std::mem::swap;
use std::mem::take;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_variable_never_hides_a_function() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    let mut take2: Vec<u8> = take::<Vec<u8>>(&mut vec);
    swap::<Vec<u8>>(&mut vec, &mut take2);
    let take3: Vec<u8> = take::<Vec<u8>>(&mut take2);
    let _: usize = <Vec<u8>>::len(&take3);
}
