use std::thread::Builder;
use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_builder_is_a_chain() {
    let _builder = Builder::new().name("worker".to_string()).stack_size(65536);
    let duration = Duration::from_secs(1).mul_f64(0.5);
    let _ = duration.checked_add(Duration::from_secs(u64::MAX));
}
