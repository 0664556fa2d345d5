use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_value_used_twice_has_a_name() {
    let text = "something longer than a word";
    let _: usize = <str>::len(text);
    let _: &str = <str>::trim(text);
    let _: Option<usize> = <str>::find::<&str>(text, "x");
    let duration: Duration = <Duration>::from_secs(2u64);
    let _: Option<Duration> = <Duration>::checked_add(duration, duration);
}
