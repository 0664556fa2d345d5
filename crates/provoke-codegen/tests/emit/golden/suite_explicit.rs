// What was seen.

use std::time::Duration;

#[test]
fn vec_push_returns() {
    let mut vec: Vec<u8> = <Vec<u8>>::new();
    <Vec<u8>>::push(&mut vec, 7u8);
    assert_eq!(<Vec<u8>>::len(&vec), 1usize);
    assert_eq!(<[u8]>::first(&vec[..]), Some(&7u8));
    let option: Option<u8> = <Vec<u8>>::pop(&mut vec);
    assert_eq!(option, Some(7u8));
    assert!(<Option<u8>>::is_some(&option));
    assert_eq!(<Vec<u8>>::pop(&mut vec), None);
}

#[test]
fn parse_returns_err() {
    assert!(<str>::parse::<u8>("x").is_err());
    assert_eq!(<str>::parse::<u8>("7"), Ok(7u8));
}

#[test]
fn split_at_returns() {
    assert_eq!(
        <str>::split_at("a text that is rather long", 14usize),
        ("a text that is", " rather long")
    );
}

#[test]
fn comparisons() {
    assert!(!(1u8 > 2u8));
    assert!(<f64>::hypot(f64::NAN, f64::NAN).is_nan());
}

#[test]
fn duration_from_secs_returns() {
    assert_eq!(format!("{:?}", <Duration>::from_secs(3u64)), "3s");
}

#[test]
fn vec_clear_returns() {
    let mut vec: Vec<u8> = vec![1u8, 2u8, 3u8];
    <Vec<u8>>::clear(&mut vec);
    assert_eq!(format!("{:?}", vec), "[]");
}

#[test]
#[should_panic(expected = "insertion index (is 5) should be <= len")]
fn vec_insert_panics() {
    let mut vec: Vec<u8> = <Vec<u8>>::new();
    <Vec<u8>>::insert(&mut vec, 5usize, 1u8);
}
