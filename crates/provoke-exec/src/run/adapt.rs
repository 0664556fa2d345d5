//! Built-in operations on std types, made from witnesses.
//!
//! The harness cannot name every type it meets, but it always has some operation that takes or returns it. From that
//! operation it has a witness, and these functions turn witnesses into operations: `option_unwrap(result_of(f))`. Operations
//! on types that can be named without a witness are written out in the harness.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::future::Future;
use std::hash::{BuildHasher, Hash};
use std::io::Cursor;
use std::num::{Saturating, Wrapping};
use std::ops::{Bound, ControlFlow, Deref, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::panic::Location;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::task::{Context, Poll, Waker};

use crate::{Of, named};

macro_rules! ways {
    ($($name:ident<$param:ident>: $from:ty => $to:ty;)+) => {
        $(pub fn $name<$param: 'static>(_: Of<$from>) -> Of<$to> { named::<$to>() })+
    };
}

ways! {
    lent<T>: T => &'static T;
    lent_mut<T>: T => &'static mut T;
    ref_inner<T>: &'static T => T;
    mut_inner<T>: &'static mut T => T;
}

pub fn array_element<T: 'static, const N: usize>(_: Of<[T; N]>) -> Of<T> {
    named::<T>()
}

/// Witnesses of collections that can do little unless their elements can be compared or hashed.
pub trait Parts {
    type First: 'static;
    type Second: 'static;
}

macro_rules! parts {
    ($($collection:ident<$First:ident $(, $param:ident)*> => $Second:ty;)+) => {
        $(impl<$First: 'static $(, $param: 'static)*> Parts for Of<$collection<$First $(, $param)*>> {
            type First = $First;
            type Second = $Second;
        })+
    };
}

parts! {
    VecDeque<T> => ();
    LinkedList<T> => ();
    BinaryHeap<T> => ();
    BTreeSet<T> => ();
    BTreeMap<K, V> => V;
    HashSet<T, S> => ();
    HashMap<K, V, S> => V;
}

pub fn first_part<W: Parts>(_: W) -> Of<W::First> {
    Of::new()
}

pub fn second_part<W: Parts>(_: W) -> Of<W::Second> {
    Of::new()
}

macro_rules! operations {
    ($($name:ident<$($param:ident $(: $bound:path $(, $more:path)*)?);+>: $from:ty => ($($arg:ident: $ty:ty),*) -> $result:ty $body:block)+) => {
        $(pub fn $name<$($param: 'static $(+ $bound $(+ $more)*)?),+>(_: Of<$from>) -> fn($($ty),*) -> $result {
            |$($arg: $ty),*| -> $result { $body }
        })+
    };
}

operations! {
    kept<T>: T => (value: T) -> T { value }
    clone_of<T: Clone>: T => (value: &'static T) -> T { value.clone() }
    default_of<T: Default>: T => () -> T { T::default() }
    option_some<T>: Option<T> => (value: T) -> Option<T> { Some(value) }
    option_none<T>: Option<T> => () -> Option<T> { None }
    option_unwrap<T>: Option<T> => (option: Option<T>) -> T { option.unwrap_or_else(|| nothing_there()) }
    result_ok<T; E>: Result<T, E> => (value: T) -> Result<T, E> { Ok(value) }
    result_err<T; E>: Result<T, E> => (error: E) -> Result<T, E> { Err(error) }
    result_unwrap<T; E>: Result<T, E> => (result: Result<T, E>) -> T { result.ok().unwrap_or_else(|| nothing_there()) }
    result_unwrap_err<T; E>: Result<T, E> => (result: Result<T, E>) -> E { result.err().unwrap() }
    vec_0<T>: Vec<T> => () -> Vec<T> { Vec::new() }
    vec_1<T>: Vec<T> => (a: T) -> Vec<T> { vec![a] }
    vec_2<T>: Vec<T> => (a: T, b: T) -> Vec<T> { vec![a, b] }
    vec_3<T>: Vec<T> => (a: T, b: T, c: T) -> Vec<T> { vec![a, b, c] }
    vec_push<T>: Vec<T> => (vec: &'static mut Vec<T>, value: T) -> () { vec.push(value) }
    vec_pop<T>: Vec<T> => (vec: &'static mut Vec<T>) -> Option<T> { vec.pop() }
    vec_as_slice<T>: &'static [T] => (vec: &'static Vec<T>) -> &'static [T] { &vec[..] }
    vec_as_mut_slice<T>: &'static mut [T] => (vec: &'static mut Vec<T>) -> &'static mut [T] { &mut vec[..] }
    vec_into_iter<T>: std::vec::IntoIter<T> => (vec: Vec<T>) -> std::vec::IntoIter<T> { vec.into_iter() }
    vec_into_boxed_slice<T>: Box<[T]> => (vec: Vec<T>) -> Box<[T]> { vec.into_boxed_slice() }
    slice_first<T>: &'static [T] => (slice: &'static [T]) -> Option<&'static T> { slice.first() }
    slice_first_mut<T>: &'static mut [T] => (slice: &'static mut [T]) -> Option<&'static mut T> { slice.first_mut() }
    slice_iter<T>: std::slice::Iter<'static, T> => (slice: &'static [T]) -> std::slice::Iter<'static, T> { slice.iter() }
    slice_iter_mut<T>: std::slice::IterMut<'static, T> => (slice: &'static mut [T]) -> std::slice::IterMut<'static, T> { slice.iter_mut() }
    boxed<T>: Box<T> => (value: T) -> Box<T> { Box::new(value) }
    unboxed<T>: Box<T> => (value: Box<T>) -> T { *value }
    box_pin<T>: Pin<Box<T>> => (value: T) -> Pin<Box<T>> { Box::pin(value) }
    pin_as_mut<T>: Pin<Box<T>> => (pin: &'static mut Pin<Box<T>>) -> Pin<&'static mut T> { pin.as_mut() }
    pin_mut<T>: Pin<&'static mut T> => (pin: &'static mut Pin<Box<T>>) -> Pin<&'static mut T> { pin.as_mut() }
    rc_new<T>: Rc<T> => (value: T) -> Rc<T> { Rc::new(value) }
    rc_slice<T>: Rc<[T]> => (vec: Vec<T>) -> Rc<[T]> { vec.into() }
    arc_new<T>: Arc<T> => (value: T) -> Arc<T> { Arc::new(value) }
    arc_slice<T>: Arc<[T]> => (vec: Vec<T>) -> Arc<[T]> { vec.into() }
    cell_new<T>: Cell<T> => (value: T) -> Cell<T> { Cell::new(value) }
    cell_take<T>: Cell<T> => (cell: Cell<T>) -> T { cell.into_inner() }
    ref_cell_new<T>: RefCell<T> => (value: T) -> RefCell<T> { RefCell::new(value) }
    ref_cell_take<T>: RefCell<T> => (cell: RefCell<T>) -> T { cell.into_inner() }
    mutex_new<T>: Mutex<T> => (value: T) -> Mutex<T> { Mutex::new(value) }
    mutex_take<T>: Mutex<T> => (mutex: Mutex<T>) -> T { mutex.into_inner().unwrap() }
    rw_lock_new<T>: RwLock<T> => (value: T) -> RwLock<T> { RwLock::new(value) }
    rw_lock_take<T>: RwLock<T> => (lock: RwLock<T>) -> T { lock.into_inner().unwrap() }
    cursor_new<T>: Cursor<T> => (value: T) -> Cursor<T> { Cursor::new(value) }
    cursor_take<T>: Cursor<T> => (cursor: Cursor<T>) -> T { cursor.into_inner() }
    wrapping_new<T>: Wrapping<T> => (value: T) -> Wrapping<T> { Wrapping(value) }
    wrapping_take<T>: Wrapping<T> => (wrapping: Wrapping<T>) -> T { wrapping.0 }
    saturating_new<T>: Saturating<T> => (value: T) -> Saturating<T> { Saturating(value) }
    saturating_take<T>: Saturating<T> => (saturating: Saturating<T>) -> T { saturating.0 }
    reverse_new<T>: Reverse<T> => (value: T) -> Reverse<T> { Reverse(value) }
    reverse_take<T>: Reverse<T> => (reverse: Reverse<T>) -> T { reverse.0 }
    range<T>: Range<T> => (start: T, end: T) -> Range<T> { start..end }
    range_start<T>: Range<T> => (range: Range<T>) -> T { range.start }
    range_end<T>: Range<T> => (range: Range<T>) -> T { range.end }
    range_inclusive<T>: RangeInclusive<T> => (start: T, end: T) -> RangeInclusive<T> { start..=end }
    range_inclusive_parts<T>: RangeInclusive<T> => (range: RangeInclusive<T>) -> (T, T) { range.into_inner() }
    range_from<T>: RangeFrom<T> => (start: T) -> RangeFrom<T> { start.. }
    range_from_start<T>: RangeFrom<T> => (range: RangeFrom<T>) -> T { range.start }
    range_to<T>: RangeTo<T> => (end: T) -> RangeTo<T> { ..end }
    range_to_end<T>: RangeTo<T> => (range: RangeTo<T>) -> T { range.end }
    range_to_inclusive<T>: RangeToInclusive<T> => (end: T) -> RangeToInclusive<T> { ..=end }
    bound_included<T>: Bound<T> => (value: T) -> Bound<T> { Bound::Included(value) }
    bound_excluded<T>: Bound<T> => (value: T) -> Bound<T> { Bound::Excluded(value) }
    bound_unbounded<T>: Bound<T> => () -> Bound<T> { Bound::Unbounded }
    control_flow_continue<B; C>: ControlFlow<B, C> => (value: C) -> ControlFlow<B, C> { ControlFlow::Continue(value) }
    control_flow_break<B; C>: ControlFlow<B, C> => (value: B) -> ControlFlow<B, C> { ControlFlow::Break(value) }
    poll_ready<T>: Poll<T> => (value: T) -> Poll<T> { Poll::Ready(value) }
    poll_pending<T>: Poll<T> => () -> Poll<T> { Poll::Pending }
    poll_value<T>: Poll<T> => (poll: Poll<T>) -> Option<T> { match poll { Poll::Ready(value) => Some(value), Poll::Pending => None } }
    vec_deque_2<T>: VecDeque<T> => (a: T, b: T) -> VecDeque<T> { [a, b].into() }
    vec_deque_put<T>: VecDeque<T> => (deque: &'static mut VecDeque<T>, value: T) -> () { deque.push_back(value) }
    linked_list_2<T>: LinkedList<T> => (a: T, b: T) -> LinkedList<T> { [a, b].into() }
    linked_list_put<T>: LinkedList<T> => (list: &'static mut LinkedList<T>, value: T) -> () { list.push_back(value) }
    binary_heap_2<T: Ord>: BinaryHeap<T> => (a: T, b: T) -> BinaryHeap<T> { [a, b].into() }
    binary_heap_put<T: Ord>: BinaryHeap<T> => (heap: &'static mut BinaryHeap<T>, value: T) -> () { heap.push(value) }
    btree_set_2<T: Ord>: BTreeSet<T> => (a: T, b: T) -> BTreeSet<T> { [a, b].into() }
    btree_set_put<T: Ord>: BTreeSet<T> => (set: &'static mut BTreeSet<T>, value: T) -> () { set.insert(value); }
    btree_map_2<K: Ord; V>: BTreeMap<K, V> => (k1: K, v1: V, k2: K, v2: V) -> BTreeMap<K, V> { [(k1, v1), (k2, v2)].into() }
    btree_map_put<K: Ord; V>: BTreeMap<K, V> => (map: &'static mut BTreeMap<K, V>, key: K, value: V) -> () { map.insert(key, value); }
    hash_set_2<T: Eq, Hash>: HashSet<T> => (a: T, b: T) -> HashSet<T> { [a, b].into() }
    hash_set_put<T: Eq, Hash; S: BuildHasher>: HashSet<T, S> => (set: &'static mut HashSet<T, S>, value: T) -> () { set.insert(value); }
    hash_map_2<K: Eq, Hash; V>: HashMap<K, V> => (k1: K, v1: V, k2: K, v2: V) -> HashMap<K, V> { [(k1, v1), (k2, v2)].into() }
    hash_map_put<K: Eq, Hash; V; S: BuildHasher>: HashMap<K, V, S> => (map: &'static mut HashMap<K, V, S>, key: K, value: V) -> () { map.insert(key, value); }
    into_vec<C: IntoIterator>: C => (collection: C) -> Vec<C::Item> { collection.into_iter().collect() }
    deref_of<P: Deref>: P => (pointer: &'static P) -> &'static P::Target { &**pointer }
    iterator_next<I: Iterator>: I => (iterator: &'static mut I) -> Option<I::Item> { iterator.next() }
    iterator_next_back<I: DoubleEndedIterator>: I => (iterator: &'static mut I) -> Option<I::Item> { iterator.next_back() }
    iterator_collect<I: Iterator>: I => (iterator: I) -> Vec<I::Item> { iterator.take(100).collect() }
    array_next<I: IntoIterator>: I => (array: I) -> Option<I::Item> { array.into_iter().next() }
}

/// Polls a future until it is ready, but not for ever.
pub fn future_poll<F: Future + 'static>(_: Of<F>) -> fn(F) -> Option<F::Output> {
    |future| {
        let mut future = Box::pin(future);
        let mut context = Context::from_waker(Waker::noop());
        (0..100).find_map(|_| match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        })
    }
}

pub fn cow_borrowed<B: ToOwned + ?Sized + 'static>(_: Of<Cow<'static, B>>) -> fn(&'static B) -> Cow<'static, B> {
    Cow::Borrowed
}

pub fn cow_owned<B: ToOwned + ?Sized + 'static>(_: Of<Cow<'static, B>>) -> fn(B::Owned) -> Cow<'static, B> {
    Cow::Owned
}

pub fn cow_into_owned<B: ToOwned + ?Sized + 'static>(_: Of<Cow<'static, B>>) -> fn(Cow<'static, B>) -> B::Owned {
    Cow::into_owned
}

/// Calls of a callable by shared reference, by exclusive reference, by value.
macro_rules! calls {
    ($($shared:ident $exclusive:ident $once:ident ($($arg:ident $Arg:ident),*);)+) => {$(
        pub fn $shared<F, $($Arg: 'static,)* R: 'static>(_: Of<F>) -> fn(&'static F, $($Arg),*) -> R
        where
            F: Fn($($Arg),*) -> R + 'static,
        {
            |f, $($arg),*| f($($arg),*)
        }

        pub fn $exclusive<F, $($Arg: 'static,)* R: 'static>(_: Of<F>) -> fn(&'static mut F, $($Arg),*) -> R
        where
            F: FnMut($($Arg),*) -> R + 'static,
        {
            |f, $($arg),*| f($($arg),*)
        }

        pub fn $once<F, $($Arg: 'static,)* R: 'static>(_: Of<F>) -> fn(F, $($Arg),*) -> R
        where
            F: FnOnce($($Arg),*) -> R + 'static,
        {
            |f, $($arg),*| f($($arg),*)
        }
    )+};
}

calls! {
    call_0 call_mut_0 call_once_0 ();
    call_1 call_mut_1 call_once_1 (a A);
    call_2 call_mut_2 call_once_2 (a A, b B);
    call_3 call_mut_3 call_once_3 (a A, b B, c C);
}

/// Tuples from their parts, and each part out of its tuple.
macro_rules! tuples {
    ($($tuple:ident [$($arg:ident $Arg:ident)+] $parts:tt;)+) => {$(
        pub fn $tuple<$($Arg: 'static),+>(_: Of<($($Arg,)+)>) -> fn($($Arg),+) -> ($($Arg,)+) {
            |$($arg),+| ($($arg,)+)
        }
        tuple_parts! { ($($Arg)+) $parts }
    )+};
}

macro_rules! tuple_parts {
    ($Args:tt ($($part:ident $Part:ident $index:tt)+)) => {$(
        tuple_part! { $Args $part $Part $index }
    )+};
}

macro_rules! tuple_part {
    (($($Arg:ident)+) $part:ident $Part:ident $index:tt) => {
        pub fn $part<$($Arg: 'static),+>(_: Of<($($Arg,)+)>) -> fn(($($Arg,)+)) -> $Part {
            |tuple| tuple.$index
        }
    };
}

tuples! {
    tuple1 [a A] (tuple1_0 A 0);
    tuple2 [a A b B] (tuple2_0 A 0 tuple2_1 B 1);
    tuple3 [a A b B c C] (tuple3_0 A 0 tuple3_1 B 1 tuple3_2 C 2);
    tuple4 [a A b B c C d D] (tuple4_0 A 0 tuple4_1 B 1 tuple4_2 C 2 tuple4_3 D 3);
    tuple5 [a A b B c C d D e E] (tuple5_0 A 0 tuple5_1 B 1 tuple5_2 C 2 tuple5_3 D 3 tuple5_4 E 4);
    tuple6 [a A b B c C d D e E f F] (tuple6_0 A 0 tuple6_1 B 1 tuple6_2 C 2 tuple6_3 D 3 tuple6_4 E 4 tuple6_5 F 5);
    tuple7 [a A b B c C d D e E f F g G]
        (tuple7_0 A 0 tuple7_1 B 1 tuple7_2 C 2 tuple7_3 D 3 tuple7_4 E 4 tuple7_5 F 5 tuple7_6 G 6);
    tuple8 [a A b B c C d D e E f F g G h H]
        (tuple8_0 A 0 tuple8_1 B 1 tuple8_2 C 2 tuple8_3 D 3 tuple8_4 E 4 tuple8_5 F 5 tuple8_6 G 6 tuple8_7 H 7);
}

/// An array from one value, cloned.
pub fn array_fill<T: Clone + 'static, const N: usize>(_: Of<[T; N]>) -> fn(T) -> [T; N] {
    |value| std::array::from_fn(|_| value.clone())
}

macro_rules! arrays {
    ($($array:ident $len:literal ($($arg:ident $Arg:ident),*);)+) => {$(
        pub fn $array<T: 'static>(_: Of<[T; $len]>) -> fn($($Arg),*) -> [T; $len] {
            |$($arg),*| [$($arg),*]
        }
    )+};
}

arrays! {
    array_0 0 ();
    array_1 1 (a T);
    array_2 2 (a T, b T);
    array_3 3 (a T, b T, c T);
    array_4 4 (a T, b T, c T, d T);
    array_5 5 (a T, b T, c T, d T, e T);
    array_6 6 (a T, b T, c T, d T, e T, f T);
    array_7 7 (a T, b T, c T, d T, e T, f T, g T);
    array_8 8 (a T, b T, c T, d T, e T, f T, g T, h T);
}

/// What std says where nothing is there to be unwrapped.
pub(crate) const NOTHING_THERE: &str = "called `Option::unwrap()` on a `None` value";

fn nothing_there() -> ! {
    unwrapping(Wish::Panic);
    unreachable!("it panics")
}

/// Where the built-ins panic that unwrap.
pub(crate) fn place_of_unwrapping() -> &'static Location<'static> {
    unwrapping(Wish::Place)
}

enum Wish {
    Panic,
    Place,
}

/// The one place, whichever way it comes to be told.
fn unwrapping(wish: Wish) -> &'static Location<'static> {
    panic_or_tell(wish)
}

#[track_caller]
fn panic_or_tell(wish: Wish) -> &'static Location<'static> {
    match wish {
        // A literal, as in std: a constant would make it a text with memory of its own.
        Wish::Panic => panic!("called `Option::unwrap()` on a `None` value"),
        Wish::Place => Location::caller(),
    }
}

/// Says whether a law holds. The text is [`LAW_BROKEN`] of the oracles, which this crate does not depend on.
#[track_caller]
pub fn uphold(holds: bool) {
    if !holds {
        panic!("provoke: law broken")
    }
}

/// Whether two exclusive references from different slots refer to different values. A value without size has no place.
pub fn exclusive_pair<T: 'static>(_: Of<&'static mut T>) -> fn(&'static &'static mut T, &'static &'static mut T) {
    |a, b| uphold(size_of::<T>() == 0 || std::ptr::eq(a, b) || !std::ptr::eq::<T>(&**a, &**b))
}

/// The same for an exclusive and a shared one.
pub fn exclusive_beside_shared<T: 'static>(
    _: Of<&'static mut T>,
) -> fn(&'static mut &'static mut T, &'static &'static T) {
    |a, b| uphold(size_of::<T>() == 0 || !std::ptr::eq::<T>(&**a, *b))
}

/// The same for two exclusive references that come together.
pub fn exclusive_tuple<T: 'static>(
    _: Of<(&'static mut T, &'static mut T)>,
) -> fn(&'static (&'static mut T, &'static mut T)) {
    |pair| uphold(size_of::<T>() == 0 || !std::ptr::eq::<T>(&*pair.0, &*pair.1))
}

/// The same for two slices.
pub fn exclusive_slices<T: 'static>(
    _: Of<(&'static mut [T], &'static mut [T])>,
) -> fn(&'static (&'static mut [T], &'static mut [T])) {
    |pair| {
        let (a, b) = (pair.0.as_ptr_range(), pair.1.as_ptr_range());
        uphold(a.end <= b.start || b.end <= a.start)
    }
}

/// The value is another variant than the one whose contents were asked for: the program's own fault.
pub fn another_variant() -> ! {
    panic!("another variant")
}

pub fn string_as_str() -> fn(&'static String) -> &'static str {
    |string| string.as_str()
}

pub fn str_to_string() -> fn(&'static str) -> String {
    |text| text.to_string()
}
