//! Functions whose types have to be chosen: each asks for something else.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::ops::{Add, RangeBounds};
use std::str::FromStr;

/// A container of anything.
pub struct Bag<T>(Vec<T>);

impl<T> Bag<T> {
    pub fn new() -> Self {
        Bag(Vec::new())
    }

    /// Asks more of the element than the type does.
    pub fn largest(&self) -> Option<&T>
    where
        T: Ord,
    {
        self.0.iter().max()
    }

    pub fn holds<Q>(&self, wanted: &Q) -> bool
    where
        T: Borrow<Q>,
        Q: Eq + ?Sized,
    {
        self.0.iter().any(|t| t.borrow() == wanted)
    }
}

impl Bag<char> {
    pub fn word(&self) -> String {
        self.0.iter().collect()
    }
}

impl<T> FromIterator<T> for Bag<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Bag(items.into_iter().collect())
    }
}

/// Arrays behind a trait.
pub trait Buffer {
    type Item;
    const LENGTH: usize;
}

impl<T, const N: usize> Buffer for [T; N] {
    type Item = T;
    const LENGTH: usize = N;
}

pub struct Small<A: Buffer>(PhantomData<A>);

impl<A: Buffer> Small<A> {
    pub fn first(item: A::Item) -> Self {
        drop(item);
        Small(PhantomData)
    }
}

/// Only sealed types are states.
mod sealed {
    pub trait State {}
}

pub struct Open;
pub struct Shut;
impl sealed::State for Open {}
impl sealed::State for Shut {}

pub struct Door<S: sealed::State>(PhantomData<S>);

impl<S: sealed::State> Door<S> {
    pub fn new() -> Self {
        Door(PhantomData)
    }
}

/// Implemented for types that stack on each other.
pub trait Walk {
    type Step: Debug;
    fn walk(&self) -> Self::Step;
}

impl Walk for u16 {
    type Step = i64;
    fn walk(&self) -> i64 {
        0
    }
}

pub struct Reversed<W>(pub W);

impl<W: Walk> Walk for Reversed<W> {
    type Step = Option<W::Step>;
    fn walk(&self) -> Self::Step {
        None
    }
}

pub fn follow<W>(walk: W) -> W::Step
where
    W: Walk,
    W::Step: Ord,
{
    walk.walk()
}

pub fn twice<W: Walk<Step = Option<i64>>>(walk: W) -> Option<i64> {
    walk.walk()
}

pub fn sorted<T: Ord + Copy>(items: &mut [T]) {
    items.sort()
}

pub fn parsed<T: FromStr>(text: &str) -> Option<T>
where
    T::Err: Display,
{
    text.parse().ok()
}

pub fn counted<K: Hash + Eq, S: BuildHasher>(map: &HashMap<K, u8, S>) -> usize {
    map.len()
}

pub fn summed<T, U>(left: T, right: U) -> T::Output
where
    T: Add<U>,
{
    left + right
}

pub fn shown(text: impl AsRef<str>, more: impl Into<String>) -> String {
    format!("{}{}", text.as_ref(), more.into())
}

pub fn within(range: impl RangeBounds<usize>) -> bool {
    range.contains(&3)
}

pub fn joined<I>(parts: I) -> String
where
    I: IntoIterator,
    I::Item: AsRef<str>,
    I::IntoIter: DoubleEndedIterator,
{
    parts.into_iter().map(|part| part.as_ref().to_string()).collect()
}

pub fn mapped<T, F: Fn(T) -> u8>(value: T, change: F) -> u8 {
    change(value)
}

pub fn filled<const N: usize, T: Default + Copy>() -> [T; N] {
    [T::default(); N]
}

/// Nobody implements this one.
pub trait Wanted {}

pub fn hopeless<T: Wanted>(value: T) {
    drop(value)
}

/// What negating gives is the same again around what negating the inside gives.
pub struct Wrap<T>(pub T);

impl<T: std::ops::Neg> std::ops::Neg for Wrap<T> {
    type Output = Wrap<T::Output>;

    fn neg(self) -> Self::Output {
        Wrap(-self.0)
    }
}

impl<'a, T> std::ops::Neg for &'a Wrap<T>
where
    &'a T: std::ops::Neg,
{
    type Output = Wrap<<&'a T as std::ops::Neg>::Output>;

    fn neg(self) -> Self::Output {
        Wrap(-&self.0)
    }
}

impl<'a, T: std::ops::Sub<&'a T>> std::ops::Sub<&'a T> for Wrap<T> {
    type Output = Wrap<T::Output>;

    fn sub(self, other: &'a T) -> Self::Output {
        Wrap(self.0 - other)
    }
}

impl<T> From<T> for Wrap<T> {
    fn from(inside: T) -> Wrap<T> {
        Wrap(inside)
    }
}

/// Settings that can be had from a number, but say more than one.
pub struct Settings {
    pub width: usize,
    pub indent: usize,
}

impl From<usize> for Settings {
    fn from(width: usize) -> Settings {
        Settings { width, indent: 0 }
    }
}

impl From<(usize, usize)> for Settings {
    fn from((width, indent): (usize, usize)) -> Settings {
        Settings { width, indent }
    }
}

pub fn set(settings: impl Into<Settings>) -> usize {
    settings.into().indent
}

pub fn say<S: Into<String>>(text: S) -> usize {
    text.into().len()
}
