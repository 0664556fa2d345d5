// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn closures_inside_closures() {
    let mut vec = vec![1u8, 2, 3];
    let mut vec2 = Vec::new();
    vec.retain(|a| {
        let mut vec3 = vec![1u8, 2, 3];
        let vec2_ref = &mut vec2;
        vec3.retain(move |b| {
            vec2_ref.push(*b);
            b.lt(a)
        });
        let option = vec3.pop();
        option.is_some()
    });
    let _ = vec2.len();
}
