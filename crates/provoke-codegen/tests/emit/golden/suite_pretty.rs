// What was seen.

use std::time::Duration;

#[test]
fn vec_push_returns() {
    let mut vec = Vec::new();
    vec.push(7u8);
    assert_eq!(vec.len(), 1);
    assert_eq!(vec[..].first(), Some(&7));
    let option = vec.pop();
    assert_eq!(option, Some(7));
    assert!(option.is_some());
    assert_eq!(vec.pop(), None);
}

#[test]
fn parse_returns_err() {
    assert!("x".parse::<u8>().is_err());
    assert_eq!("7".parse::<u8>(), Ok(7));
}

#[test]
fn split_at_returns() {
    assert_eq!(
        "a text that is rather long".split_at(14),
        ("a text that is", " rather long")
    );
}

#[test]
fn comparisons() {
    assert!(!(1 > 2));
    assert!(f64::NAN.hypot(f64::NAN).is_nan());
}

#[test]
fn duration_from_secs_returns() {
    assert_eq!(format!("{:?}", Duration::from_secs(3)), "3s");
}

#[test]
fn vec_clear_returns() {
    let mut vec = vec![1u8, 2, 3];
    vec.clear();
    assert_eq!(format!("{:?}", vec), "[]");
}

#[test]
#[should_panic(expected = "insertion index (is 5) should be <= len")]
fn vec_insert_panics() {
    let mut vec = Vec::new();
    vec.insert(5, 1u8);
}
