//! Built-in operations on std types, and ways from one type's witness to another's.
//!
//! The harness cannot name every type it meets, but it always has some operation that takes or returns it. From that
//! operation it has a witness, and these functions turn witnesses into operations: `option_unwrap(result_of(f))`.

use std::borrow::Cow;
use std::io::Cursor;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::Arc;

use crate::{Of, named};

macro_rules! ways {
    ($($name:ident<$($param:ident),+>: $from:ty => $to:ty;)+) => {
        $(pub fn $name<$($param: 'static),+>(_: Of<$from>) -> Of<$to> { named::<$to>() })+
    };
}

ways! {
    option_inner<T>: Option<T> => T;
    result_ok_inner<T, E>: Result<T, E> => T;
    result_err_inner<T, E>: Result<T, E> => E;
    ref_inner<T>: &'static T => T;
    mut_inner<T>: &'static mut T => T;
    slice_element<T>: &'static [T] => T;
    slice_mut_element<T>: &'static mut [T] => T;
    vec_of<T>: T => Vec<T>;
    vec_element<T>: Vec<T> => T;
    into_iter_element<T>: std::vec::IntoIter<T> => T;
    box_inner<T>: Box<T> => T;
    boxed_slice_element<T>: Box<[T]> => T;
    rc_inner<T>: Rc<T> => T;
    arc_inner<T>: Arc<T> => T;
    cursor_inner<T>: Cursor<T> => T;
    range_inner<T>: Range<T> => T;
    range_inclusive_inner<T>: RangeInclusive<T> => T;
    range_from_inner<T>: RangeFrom<T> => T;
    range_to_inner<T>: RangeTo<T> => T;
    range_to_inclusive_inner<T>: RangeToInclusive<T> => T;
    tuple1_0<A>: (A,) => A;
    tuple2_0<A, B>: (A, B) => A;
    tuple2_1<A, B>: (A, B) => B;
    tuple3_0<A, B, C>: (A, B, C) => A;
    tuple3_1<A, B, C>: (A, B, C) => B;
    tuple3_2<A, B, C>: (A, B, C) => C;
    tuple4_0<A, B, C, D>: (A, B, C, D) => A;
    tuple4_1<A, B, C, D>: (A, B, C, D) => B;
    tuple4_2<A, B, C, D>: (A, B, C, D) => C;
    tuple4_3<A, B, C, D>: (A, B, C, D) => D;
}

pub fn array_element<T: 'static, const N: usize>(_: Of<[T; N]>) -> Of<T> {
    named::<T>()
}

macro_rules! operations {
    ($($name:ident<$($param:ident $(: $bound:path)?),+>: $from:ty => ($($arg:ident: $ty:ty),*) -> $result:ty $body:block)+) => {
        $(pub fn $name<$($param: 'static $(+ $bound)?),+>(_: Of<$from>) -> fn($($ty),*) -> $result {
            |$($arg: $ty),*| -> $result { $body }
        })+
    };
}

operations! {
    clone_of<T: Clone>: T => (value: &'static T) -> T { value.clone() }
    default_of<T: Default>: T => () -> T { T::default() }
    option_some<T>: Option<T> => (value: T) -> Option<T> { Some(value) }
    option_none<T>: Option<T> => () -> Option<T> { None }
    option_unwrap<T>: Option<T> => (option: Option<T>) -> T { option.unwrap() }
    result_ok<T, E>: Result<T, E> => (value: T) -> Result<T, E> { Ok(value) }
    result_err<T, E>: Result<T, E> => (error: E) -> Result<T, E> { Err(error) }
    result_unwrap<T, E>: Result<T, E> => (result: Result<T, E>) -> T { result.ok().unwrap() }
    result_unwrap_err<T, E>: Result<T, E> => (result: Result<T, E>) -> E { result.err().unwrap() }
    vec_0<T>: Vec<T> => () -> Vec<T> { Vec::new() }
    vec_1<T>: Vec<T> => (a: T) -> Vec<T> { vec![a] }
    vec_2<T>: Vec<T> => (a: T, b: T) -> Vec<T> { vec![a, b] }
    vec_3<T>: Vec<T> => (a: T, b: T, c: T) -> Vec<T> { vec![a, b, c] }
    vec_push<T>: Vec<T> => (vec: &'static mut Vec<T>, value: T) -> () { vec.push(value) }
    vec_as_slice<T>: Vec<T> => (vec: &'static Vec<T>) -> &'static [T] { &vec[..] }
    vec_as_mut_slice<T>: Vec<T> => (vec: &'static mut Vec<T>) -> &'static mut [T] { &mut vec[..] }
    vec_into_iter<T>: Vec<T> => (vec: Vec<T>) -> std::vec::IntoIter<T> { vec.into_iter() }
    vec_into_boxed_slice<T>: Vec<T> => (vec: Vec<T>) -> Box<[T]> { vec.into_boxed_slice() }
    boxed<T>: Box<T> => (value: T) -> Box<T> { Box::new(value) }
    unboxed<T>: Box<T> => (value: Box<T>) -> T { *value }
    rc_new<T>: Rc<T> => (value: T) -> Rc<T> { Rc::new(value) }
    arc_new<T>: Arc<T> => (value: T) -> Arc<T> { Arc::new(value) }
    cursor_new<T>: Cursor<T> => (value: T) -> Cursor<T> { Cursor::new(value) }
    range<T>: Range<T> => (start: T, end: T) -> Range<T> { start..end }
    range_inclusive<T>: RangeInclusive<T> => (start: T, end: T) -> RangeInclusive<T> { start..=end }
    range_from<T>: RangeFrom<T> => (start: T) -> RangeFrom<T> { start.. }
    range_to<T>: RangeTo<T> => (end: T) -> RangeTo<T> { ..end }
    range_to_inclusive<T>: RangeToInclusive<T> => (end: T) -> RangeToInclusive<T> { ..=end }
    tuple1<A>: (A,) => (a: A) -> (A,) { (a,) }
    tuple2<A, B>: (A, B) => (a: A, b: B) -> (A, B) { (a, b) }
    tuple3<A, B, C>: (A, B, C) => (a: A, b: B, c: C) -> (A, B, C) { (a, b, c) }
    tuple4<A, B, C, D>: (A, B, C, D) => (a: A, b: B, c: C, d: D) -> (A, B, C, D) { (a, b, c, d) }
    take_tuple1_0<A>: (A,) => (tuple: (A,)) -> A { tuple.0 }
    take_tuple2_0<A, B>: (A, B) => (tuple: (A, B)) -> A { tuple.0 }
    take_tuple2_1<A, B>: (A, B) => (tuple: (A, B)) -> B { tuple.1 }
    take_tuple3_0<A, B, C>: (A, B, C) => (tuple: (A, B, C)) -> A { tuple.0 }
    take_tuple3_1<A, B, C>: (A, B, C) => (tuple: (A, B, C)) -> B { tuple.1 }
    take_tuple3_2<A, B, C>: (A, B, C) => (tuple: (A, B, C)) -> C { tuple.2 }
    take_tuple4_0<A, B, C, D>: (A, B, C, D) => (tuple: (A, B, C, D)) -> A { tuple.0 }
    take_tuple4_1<A, B, C, D>: (A, B, C, D) => (tuple: (A, B, C, D)) -> B { tuple.1 }
    take_tuple4_2<A, B, C, D>: (A, B, C, D) => (tuple: (A, B, C, D)) -> C { tuple.2 }
    take_tuple4_3<A, B, C, D>: (A, B, C, D) => (tuple: (A, B, C, D)) -> D { tuple.3 }
}

/// An array from one value, cloned.
pub fn array_fill<T: Clone + 'static, const N: usize>(_: Of<[T; N]>) -> fn(T) -> [T; N] {
    |value| std::array::from_fn(|_| value.clone())
}

pub fn array_2<T: 'static>(_: Of<[T; 2]>) -> fn(T, T) -> [T; 2] {
    |a, b| [a, b]
}

pub fn array_3<T: 'static>(_: Of<[T; 3]>) -> fn(T, T, T) -> [T; 3] {
    |a, b, c| [a, b, c]
}

pub fn array_4<T: 'static>(_: Of<[T; 4]>) -> fn(T, T, T, T) -> [T; 4] {
    |a, b, c, d| [a, b, c, d]
}

pub fn string_as_str() -> fn(&'static String) -> &'static str {
    |string| string.as_str()
}

pub fn str_to_string() -> fn(&'static str) -> String {
    |text| text.to_string()
}

pub fn bytes_to_vec() -> fn(&'static [u8]) -> Vec<u8> {
    |bytes| bytes.to_vec()
}

pub fn cow_borrowed() -> fn(&'static str) -> Cow<'static, str> {
    Cow::Borrowed
}

pub fn cow_owned() -> fn(String) -> Cow<'static, str> {
    Cow::Owned
}

pub fn cow_into_owned() -> fn(Cow<'static, str>) -> String {
    |cow| cow.into_owned()
}
