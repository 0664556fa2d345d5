// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_closure_that_changes_what_it_captures() {
    let mut vec = vec![1u8, 2, 3];
    let mut vec2 = Vec::new();
    vec.retain(|a| {
        let n = *a;
        vec2.push(n);
        vec2.push(n);
        a.lt(&3)
    });
    let _ = vec2.len();
}
