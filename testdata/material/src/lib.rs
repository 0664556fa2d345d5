//! Each function fails, at a place of its own, for a value of a std type that takes some making.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, OsStr};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU8, ParseIntError, Wrapping};
use std::ops::Bound;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::slice;
use std::str::Chars;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::SystemTime;

/// Cannot be cloned, compared or printed.
pub struct Lump(pub u8);

pub fn map(map: HashMap<String, Lump>) {
    let mut seen = Vec::new();
    seen.push(map.len() != 1);
    debug_assert!(seen[0], "planted");
}

pub fn ordered_map(map: &mut BTreeMap<u8, Vec<Lump>>) {
    let mut seen = Vec::new();
    seen.push(map.len() != 2);
    debug_assert!(seen[0], "planted");
}

pub fn sets(set: HashSet<&str>, list: LinkedList<u8>, deque: &VecDeque<Lump>) {
    let mut seen = Vec::new();
    seen.push(set.is_empty() || list.len() != 2 || deque.is_empty());
    debug_assert!(seen[0], "planted");
}

pub fn shared(text: Rc<str>, words: Arc<[String]>, letters: Box<[char]>) {
    let mut seen = Vec::new();
    seen.push(text.is_empty() || words.is_empty() || letters.is_empty());
    debug_assert!(seen[0], "planted");
}

pub fn cells(cell: &RefCell<Vec<u8>>, mutex: Arc<Mutex<Lump>>) {
    let mut seen = Vec::new();
    seen.push(cell.borrow().is_empty() || mutex.lock().unwrap().0 != 0);
    debug_assert!(seen[0], "planted");
}

pub fn bounds(low: Bound<u8>, high: Bound<&str>) {
    let mut seen = Vec::new();
    seen.push(!matches!((low, high), (Bound::Unbounded, Bound::Excluded(_))));
    debug_assert!(seen[0], "planted");
}

pub fn cows(text: Cow<'_, str>, bytes: Cow<'_, [u8]>) {
    let mut seen = Vec::new();
    seen.push(text.is_empty() || bytes.is_empty());
    debug_assert!(seen[0], "planted");
}

pub fn system_text(path: &Path, name: &OsStr, text: &CStr) {
    let mut seen = Vec::new();
    seen.push(path.as_os_str().is_empty() || name.is_empty() || text.to_bytes().is_empty());
    debug_assert!(seen[0], "planted");
}

pub fn net(address: SocketAddr, ip: IpAddr) {
    let mut seen = Vec::new();
    seen.push(address.port() != 1 || ip.is_ipv4());
    debug_assert!(seen[0], "planted");
}

pub fn time(time: SystemTime) {
    let mut seen = Vec::new();
    seen.push(time <= SystemTime::UNIX_EPOCH);
    debug_assert!(seen[0], "planted");
}

pub fn numbers(number: NonZeroU8, wrapping: Wrapping<i16>) {
    let mut seen = Vec::new();
    seen.push(number.get() > 200 || wrapping.0 > 3);
    debug_assert!(seen[0], "planted");
}

pub fn pinned(text: Pin<&mut String>) {
    let mut seen = Vec::new();
    seen.push(text.is_empty());
    debug_assert!(seen[0], "planted");
}

pub fn arrays(lumps: [Lump; 2], rest: [String; 9], tuple: (u8, char, bool, Lump, i8)) {
    let mut seen = Vec::new();
    seen.push(lumps[0].0 == lumps[1].0 || rest[8].is_empty() || tuple.2);
    debug_assert!(seen[0], "planted");
}

pub fn letters(mut letters: Chars<'_>, numbers: slice::Iter<'_, u16>) {
    let mut seen = Vec::new();
    seen.push(letters.next() != Some('a') || numbers.len() == 0);
    debug_assert!(seen[0], "planted");
}

pub fn error(error: ParseIntError) {
    let mut seen = Vec::new();
    seen.push(!error.to_string().contains("digit"));
    debug_assert!(seen[0], "planted");
}

pub fn context(context: &mut Context<'_>, poll: Poll<Lump>) {
    context.waker().wake_by_ref();
    let mut seen = Vec::new();
    seen.push(poll.is_pending());
    debug_assert!(seen[0], "planted");
}

/// Fails when it is driven, not when it is made.
pub fn lazy(n: u8) -> impl Iterator<Item = u8> {
    (0..n).map(|i| {
        let mut seen = Vec::new();
        seen.push(i < 2);
        debug_assert!(seen[0], "planted");
        i
    })
}

/// The same with something that is waited for.
pub fn later(n: u8) -> impl Future<Output = u8> {
    async move {
        let mut seen = Vec::new();
        seen.push(n < 2);
        debug_assert!(seen[0], "planted");
        n
    }
}

/// The same with something that is called.
pub fn caller(n: u8) -> impl Fn(&str) -> usize {
    move |text| {
        let mut seen = Vec::new();
        seen.push(text.len() < 2 || n == 0);
        debug_assert!(seen[0], "planted");
        text.len()
    }
}
