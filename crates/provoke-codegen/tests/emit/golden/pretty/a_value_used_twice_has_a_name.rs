use std::time::Duration;

// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn a_value_used_twice_has_a_name() {
    let text = "something longer than a word";
    let _ = text.len();
    let _ = text.trim();
    let _ = text.find("x");
    let duration = Duration::from_secs(2);
    let _ = duration.checked_add(duration);
}
