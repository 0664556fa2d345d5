// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn shared_borrows_and_a_drop_that_ends_one() {
    let mut vec = vec![1u8, 2, 3];
    let mut iter = vec[..].iter();
    let _ = iter.next();
    let drain = vec.drain(..);
    drop(drain);
    vec.push(4u8);
    let _ = vec.len();
}
