use std::thread::Builder;
use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_builder_is_a_chain() {
    let builder: Builder = <Builder>::new();
    let builder2: Builder = <Builder>::name(builder, "worker".to_string());
    let _builder: Builder = <Builder>::stack_size(builder2, 65536usize);
    let duration: Duration = <Duration>::from_secs(1u64);
    let duration2: Duration = <Duration>::mul_f64(duration, 0.5f64);
    let duration3: Duration = <Duration>::from_secs(u64::MAX);
    let _: Option<Duration> = <Duration>::checked_add(duration2, duration3);
}
