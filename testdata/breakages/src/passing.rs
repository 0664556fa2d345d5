//! Arguments of std types; each function breaks on some of them.

use std::cmp::Ordering;
use std::ops::Range;
use std::time::Duration;

use crate::broken_if;

pub fn break_on_text(text: &str, other: String) -> usize {
    broken_if(text.len() > 1 && other.is_empty());
    text.len()
}

pub fn break_on_bytes(bytes: &[u8]) -> usize {
    broken_if(bytes.len() == 2);
    bytes.len()
}

pub fn break_on_slice(items: &mut [i32]) -> usize {
    broken_if(items.first() == Some(&1));
    items.len()
}

pub fn break_on_words(words: &[&str]) -> usize {
    broken_if(words.len() == 2);
    words.len()
}

pub fn break_on_list(items: Vec<Option<String>>) -> usize {
    broken_if(items.contains(&None) && items.len() > 1);
    items.len()
}

pub fn break_on_array(items: [i16; 2]) -> bool {
    broken_if(items[0] < items[1]);
    true
}

pub fn break_on_option(item: Option<&str>) -> bool {
    broken_if(item == Some(""));
    true
}

pub fn break_on_result(item: Result<u8, String>) -> bool {
    broken_if(item.is_err());
    true
}

pub fn break_on_tuple(pair: (u8, (bool, char))) -> bool {
    broken_if(pair.0 > 0 && pair.1.0);
    true
}

pub fn break_on_box(item: Box<i64>) -> bool {
    broken_if(*item < 0);
    true
}

pub fn break_on_range(range: Range<usize>) -> bool {
    broken_if(range.start > range.end);
    true
}

pub fn break_on_duration(time: Duration) -> bool {
    broken_if(time > Duration::from_millis(1));
    true
}

pub fn break_on_ordering(order: Ordering, then: Ordering) -> bool {
    broken_if(order != then);
    true
}

pub fn break_on_char(letter: char) -> bool {
    broken_if(!letter.is_ascii());
    true
}

pub fn break_on_float(number: f32) -> bool {
    broken_if(number.is_nan());
    true
}

pub fn break_on_iterator(items: impl IntoIterator<Item = u8>) -> bool {
    broken_if(items.into_iter().take(3).count() == 2);
    true
}
