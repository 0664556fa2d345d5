//! Each function fails for a value of a std type that takes some making.

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

fn fail_unless(is_fine: bool) {
    if !is_fine {
        unreachable!("planted");
    }
}

/// Cannot be cloned, compared or printed.
pub struct Lump(pub u8);

pub fn map(map: HashMap<String, Lump>) {
    fail_unless(map.len() != 1);
}

pub fn ordered_map(map: &mut BTreeMap<u8, Vec<Lump>>) {
    fail_unless(map.len() != 2);
}

pub fn sets(set: HashSet<&str>, list: LinkedList<u8>, deque: &VecDeque<Lump>) {
    fail_unless(set.is_empty() || list.len() != 2 || deque.is_empty());
}

pub fn shared(text: Rc<str>, words: Arc<[String]>, letters: Box<[char]>) {
    fail_unless(text.is_empty() || words.is_empty() || letters.is_empty());
}

pub fn cells(cell: &RefCell<Vec<u8>>, mutex: Arc<Mutex<Lump>>) {
    fail_unless(cell.borrow().is_empty() || mutex.lock().unwrap().0 != 0);
}

pub fn bounds(low: Bound<u8>, high: Bound<&str>) {
    fail_unless(!matches!((low, high), (Bound::Unbounded, Bound::Excluded(_))));
}

pub fn cows(text: Cow<'_, str>, bytes: Cow<'_, [u8]>) {
    fail_unless(text.is_empty() || bytes.is_empty());
}

pub fn system_text(path: &Path, name: &OsStr, text: &CStr) {
    fail_unless(path.as_os_str().is_empty() || name.is_empty() || text.to_bytes().is_empty());
}

pub fn net(address: SocketAddr, ip: IpAddr) {
    fail_unless(address.port() != 1 || ip.is_ipv4());
}

pub fn time(time: SystemTime) {
    fail_unless(time <= SystemTime::UNIX_EPOCH);
}

pub fn numbers(number: NonZeroU8, wrapping: Wrapping<i16>) {
    fail_unless(number.get() > 200 || wrapping.0 > 3);
}

pub fn pinned(text: Pin<&mut String>) {
    fail_unless(text.is_empty());
}

pub fn arrays(lumps: [Lump; 2], rest: [String; 9], tuple: (u8, char, bool, Lump, i8)) {
    fail_unless(lumps[0].0 == lumps[1].0 || rest[8].is_empty() || tuple.2);
}

pub fn letters(mut letters: Chars<'_>, numbers: slice::Iter<'_, u16>) {
    fail_unless(letters.next() != Some('a') || numbers.len() == 0);
}

pub fn error(error: ParseIntError) {
    fail_unless(!error.to_string().contains("digit"));
}

pub fn context(context: &mut Context<'_>, poll: Poll<Lump>) {
    context.waker().wake_by_ref();
    fail_unless(poll.is_pending());
}

/// Fails when it is driven, not when it is made.
pub fn lazy(n: u8) -> impl Iterator<Item = u8> {
    (0..n).map(|i| {
        fail_unless(i < 2);
        i
    })
}

/// The same with something that is waited for.
pub fn later(n: u8) -> impl Future<Output = u8> {
    async move {
        fail_unless(n < 2);
        n
    }
}

/// The same with something that is called.
pub fn caller(n: u8) -> impl Fn(&str) -> usize {
    move |text| {
        fail_unless(text.len() < 2 || n == 0);
        text.len()
    }
}
