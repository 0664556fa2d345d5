//! Functions that take types of std, each of which has to be made somehow.

use std::alloc::Layout;
use std::any::TypeId;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::io::{self, Cursor};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::num::{NonZeroI8, NonZeroUsize, ParseIntError, Saturating, Wrapping};
use std::ops::{Bound, ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::str::{CharIndices, Chars, Utf8Error};
use std::sync::{Arc, Mutex, RwLock};
use std::task::{Context, Poll, Waker};
use std::time::{Instant, SystemTime};

/// Cannot be cloned, compared or printed.
pub struct Lump(pub u8);

pub fn more_collections(
    a: BinaryHeap<u8>,
    b: LinkedList<String>,
    c: BTreeSet<&str>,
    d: HashMap<u8, u8, BuildHasherDefault<DefaultHasher>>,
) -> usize {
    a.len() + b.len() + c.len() + d.len()
}

pub fn collections_of_own_type(a: HashMap<u8, Lump>, b: BTreeMap<String, Vec<Lump>>) -> usize {
    a.values().map(|lump| usize::from(lump.0)).sum::<usize>() + b.len()
}

pub fn changed_collections(a: &mut HashSet<u8>, b: &mut BTreeMap<u8, String>) {
    a.remove(&1);
    b.clear();
}

pub fn shared_text(a: Rc<str>, b: Arc<[String]>, c: Box<str>, d: Arc<Lump>) -> usize {
    a.len() + b.len() + c.len() + usize::from(d.0)
}

pub fn cells(a: Cell<u8>, b: RefCell<String>, c: &Mutex<u8>, d: RwLock<Lump>) -> usize {
    usize::from(a.get()) + b.borrow().len() + usize::from(*c.lock().unwrap()) + usize::from(d.into_inner().unwrap().0)
}

pub fn shared_cell(cell: Rc<RefCell<Vec<u8>>>) {
    cell.borrow_mut().push(1);
}

pub fn bounds(a: Bound<u8>, b: (Bound<&str>, Bound<&str>), c: RangeInclusive<char>) -> bool {
    matches!(a, Bound::Included(_)) && b.0 == b.1 && c.contains(&'x')
}

pub fn cows(a: Cow<'_, [u8]>, b: Cow<'_, Path>, c: Cow<'static, [String]>) -> usize {
    a.len() + b.as_os_str().len() + c.len()
}

pub fn system_text(a: PathBuf, b: &OsStr, c: OsString, d: CString, e: &CStr) -> usize {
    a.as_os_str().len() + b.len() + c.len() + d.as_bytes().len() + e.to_bytes().len()
}

pub fn net(a: IpAddr, b: Ipv6Addr, c: SocketAddr, d: SocketAddrV6) -> bool {
    a.is_loopback() && b.is_loopback() && c.is_ipv4() && d.port() > 3
}

pub fn clocks(a: SystemTime, b: Instant) -> bool {
    a > SystemTime::UNIX_EPOCH && b.elapsed().as_secs() > 3
}

pub fn non_zeros(a: NonZeroI8, b: Option<NonZeroUsize>) -> bool {
    a.get() > 3 && b.is_some()
}

pub fn wrappers(a: Wrapping<u8>, b: Saturating<i16>, c: Reverse<String>, d: PhantomData<Lump>) -> usize {
    let _ = d;
    usize::from(a.0) + b.0.unsigned_abs() as usize + c.0.len()
}

pub fn pins(a: Pin<Box<u8>>, b: Pin<&mut String>) -> usize {
    usize::from(*a) + b.len()
}

pub fn references_to_references(a: &&str, b: &mut &[u8], c: &[&[u16]], d: &mut str) -> usize {
    d.make_ascii_uppercase();
    a.len() + b.len() + c.len()
}

pub fn arrays(a: [Lump; 5], b: [String; 12], c: [u8; 0], d: [(u8, char); 2]) -> usize {
    usize::from(a[0].0) + b[0].len() + c.len() + usize::from(d[0].0)
}

pub fn long_tuple(all: (u8, u16, u32, u64, Lump, bool, char)) -> bool {
    all.5
}

pub fn iterators(a: Chars<'_>, b: CharIndices<'_>, c: std::slice::Iter<'_, u8>, d: std::vec::IntoIter<Lump>) -> usize {
    a.count() + b.count() + c.count() + d.count()
}

pub fn formatted(arguments: fmt::Arguments<'_>) -> String {
    arguments.to_string()
}

pub fn errors(a: io::Error, b: fmt::Error, c: ParseIntError, d: Utf8Error, e: io::ErrorKind) -> String {
    format!("{a} {b} {c} {d} {e}")
}

pub fn odds(a: Layout, b: TypeId, c: ControlFlow<u8, String>, d: io::Empty, e: Cursor<Vec<u8>>) -> usize {
    let _ = d;
    a.size().min(9) + usize::from(b == TypeId::of::<u8>()) + usize::from(c.is_break()) + e.get_ref().len()
}

pub fn woken(waker: &Waker, context: &mut Context<'_>, poll: Poll<u8>) -> bool {
    context.waker().will_wake(waker) && poll.is_ready()
}
