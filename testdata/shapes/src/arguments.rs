//! Functions with every kind of argument, most of them from std.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::num::NonZeroU32;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::types::{Point, Unit};

pub fn integers(a: i8, b: u16, c: i32, d: u64, e: i128, f: usize) -> bool {
    i128::from(a) + i128::from(b) + i128::from(c) > i128::from(d) / 2 + e / 2 + (f / 2) as i128
}

pub fn floats(a: f32, b: f64) -> bool {
    f64::from(a) < b
}

pub fn bool_and_char(a: bool, b: char) -> bool {
    a && b.is_alphabetic()
}

pub fn string(text: String) -> usize {
    text.len()
}

pub fn str(text: &str) -> usize {
    text.chars().count()
}

pub fn string_by_reference(text: &String) -> bool {
    text.is_empty()
}

pub fn changed_string(text: &mut String) {
    text.push('!');
}

pub fn vec(items: Vec<i32>) -> usize {
    items.len()
}

pub fn slice(items: &[u8]) -> Option<u8> {
    items.first().copied()
}

pub fn mutable_slice(items: &mut [i32]) {
    items.reverse();
}

pub fn strs(words: &[&str]) -> usize {
    words.len()
}

pub fn slice_of_own_type(points: &[Point]) -> usize {
    points.len()
}

pub fn array(items: [u16; 3]) -> u16 {
    items[1]
}

pub fn array_by_reference(items: &[u8; 4]) -> u8 {
    items[0]
}

pub fn option(item: Option<u8>) -> u8 {
    item.unwrap_or(7)
}

pub fn option_of_own_type(item: Option<Unit>) -> bool {
    item.is_some()
}

pub fn option_of_reference(item: Option<&str>) -> usize {
    item.map_or(0, str::len)
}

pub fn result(item: Result<u8, String>) -> bool {
    item.is_ok()
}

pub fn tuple(items: (u8, bool), (text, number): (String, i64)) -> bool {
    items.1 && text.len() as i64 > number / 2
}

pub fn unit(_nothing: ()) -> bool {
    true
}

pub fn boxed(item: Box<u8>) -> u8 {
    *item
}

pub fn boxed_slice(items: Box<[u8]>) -> usize {
    items.len()
}

pub fn boxed_own_type(item: Box<Point>) -> f64 {
    item.x
}

pub fn range(range: Range<usize>) -> bool {
    range.start <= range.end
}

pub fn other_ranges(a: RangeInclusive<u8>, b: RangeFrom<u8>, c: RangeTo<u8>) -> bool {
    a.start() < &b.start && c.end > 3
}

pub fn duration(time: Duration) -> u64 {
    time.as_secs()
}

pub fn ordering(order: Ordering) -> Ordering {
    order.reverse()
}

pub fn mutable_integer(n: &mut u32) {
    *n = n.wrapping_add(1);
}

pub fn non_zero(n: NonZeroU32) -> u32 {
    n.get()
}

pub fn cow(text: Cow<'_, str>) -> usize {
    text.len()
}

pub fn path(path: &Path) -> bool {
    path.is_absolute()
}

pub fn shared(a: Rc<String>, b: Arc<u8>) -> usize {
    a.len() + usize::from(*b)
}

pub fn collections(a: HashMap<String, u8>, b: BTreeMap<u8, u8>, c: HashSet<u8>, d: VecDeque<u8>) -> usize {
    a.len() + b.len() + c.len() + d.len()
}
