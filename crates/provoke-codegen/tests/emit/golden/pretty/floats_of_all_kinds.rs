// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn floats_of_all_kinds() {
    let _ = 1.0f64.hypot(-0.0);
    let _ = 0.1f64.hypot(f64::NAN);
    let _ = f64::NEG_INFINITY.hypot(1e300);
    let _ = 5e-324f64.hypot(f64::MAX);
    let _ = (-2.5f64).hypot(f64::from_bits(0x7ff8000000000001));
    let _ = 1.5f32.max(16777216.0);
}
