// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn floats_of_all_kinds() {
    let _: f64 = <f64>::hypot(1.0f64, -0.0f64);
    let _: f64 = <f64>::hypot(0.1f64, f64::NAN);
    let _: f64 = <f64>::hypot(f64::NEG_INFINITY, 1e300f64);
    let _: f64 = <f64>::hypot(5e-324f64, f64::MAX);
    let _: f64 = <f64>::hypot(-2.5f64, f64::from_bits(0x7ff8000000000001));
    let _: f32 = <f32>::max(1.5f32, 16777216.0f32);
}
