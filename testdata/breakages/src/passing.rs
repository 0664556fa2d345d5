//! Arguments of std types; each function breaks on some of them.

use std::cmp::Ordering;
use std::ops::Range;
use std::time::Duration;

pub fn break_on_text(text: &str, other: String) -> usize {
    let mut seen = Vec::new();
    seen.push(text.len() > 1 && other.is_empty());
    debug_assert!(!seen[0], "broken");
    text.len()
}

pub fn break_on_bytes(bytes: &[u8]) -> usize {
    let mut seen = Vec::new();
    seen.push(bytes.len() == 2);
    debug_assert!(!seen[0], "broken");
    bytes.len()
}

pub fn break_on_slice(items: &mut [i32]) -> usize {
    let mut seen = Vec::new();
    seen.push(items.first() == Some(&1));
    debug_assert!(!seen[0], "broken");
    items.len()
}

pub fn break_on_words(words: &[&str]) -> usize {
    let mut seen = Vec::new();
    seen.push(words.len() == 2);
    debug_assert!(!seen[0], "broken");
    words.len()
}

pub fn break_on_list(items: Vec<Option<String>>) -> usize {
    let mut seen = Vec::new();
    seen.push(items.contains(&None) && items.len() > 1);
    debug_assert!(!seen[0], "broken");
    items.len()
}

pub fn break_on_array(items: [i16; 2]) -> bool {
    let mut seen = Vec::new();
    seen.push(items[0] < items[1]);
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_option(item: Option<&str>) -> bool {
    let mut seen = Vec::new();
    seen.push(item == Some(""));
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_result(item: Result<u8, String>) -> bool {
    let mut seen = Vec::new();
    seen.push(item.is_err());
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_tuple(pair: (u8, (bool, char))) -> bool {
    let mut seen = Vec::new();
    seen.push(pair.0 > 0 && pair.1.0);
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_box(item: Box<i64>) -> bool {
    let mut seen = Vec::new();
    seen.push(*item < 0);
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_range(range: Range<usize>) -> bool {
    let mut seen = Vec::new();
    seen.push(range.start > range.end);
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_duration(time: Duration) -> bool {
    let mut seen = Vec::new();
    seen.push(time > Duration::from_millis(1));
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_ordering(order: Ordering, then: Ordering) -> bool {
    let mut seen = Vec::new();
    seen.push(order != then);
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_char(letter: char) -> bool {
    let mut seen = Vec::new();
    seen.push(!letter.is_ascii());
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_float(number: f32) -> bool {
    let mut seen = Vec::new();
    seen.push(number.is_nan());
    debug_assert!(!seen[0], "broken");
    true
}

pub fn break_on_iterator(items: impl IntoIterator<Item = u8>) -> bool {
    let mut seen = Vec::new();
    seen.push(items.into_iter().take(3).count() == 2);
    debug_assert!(!seen[0], "broken");
    true
}
