//! Functions with results that do something only when they are driven, and functions that tell whether that was done.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::future::Future;
use std::num::NonZeroU16;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

macro_rules! tokens {
    ($($token:ident)+) => {$(
        /// Given away by one function only.
        #[derive(Debug, Clone)]
        pub struct $token(u8);

        impl $token {
            pub fn is_taken(self) -> bool {
                self.0 > 7
            }
        }
    )+};
}

tokens! { Mapped Boxed Awaited Called CalledMut CalledOnce Pointed Popped Keyed Valued Shared Queued First InCell Ranged }

pub fn mapped(n: u8) -> impl Iterator<Item = Mapped> {
    (0..n).map(Mapped)
}

pub fn both_ends(text: &str) -> impl DoubleEndedIterator<Item = char> + '_ {
    text.chars().filter(|letter| letter.is_alphabetic())
}

pub fn boxed(n: u8) -> Box<dyn Iterator<Item = Boxed>> {
    Box::new(std::iter::once(Boxed(n)))
}

pub fn awaited(n: u8) -> impl Future<Output = Awaited> {
    std::future::ready(Awaited(n))
}

pub fn callable(n: u8) -> impl Fn(u8) -> Called {
    move |more| Called(n.wrapping_add(more))
}

pub fn callable_mut() -> Box<dyn FnMut(&str, u8) -> CalledMut> {
    let mut n = 0u8;
    Box::new(move |text, more| {
        n = n.wrapping_add(more).wrapping_add(text.len() as u8);
        CalledMut(n)
    })
}

pub fn callable_once(text: String) -> impl FnOnce() -> CalledOnce {
    move || CalledOnce(text.len() as u8)
}

pub fn pointer() -> fn(u8) -> Pointed {
    Pointed
}

pub fn vec() -> Vec<Popped> {
    vec![Popped(1)]
}

pub fn map() -> (HashMap<Keyless, Valued>, BTreeMap<u8, Keyed>) {
    (HashMap::from([(Keyless, Valued(1))]), BTreeMap::from([(1, Keyed(1))]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keyless;

pub fn shared() -> (Rc<Shared>, Arc<str>) {
    (Rc::new(Shared(1)), "text".into())
}

pub fn queue() -> VecDeque<Queued> {
    VecDeque::from([Queued(1)])
}

pub fn array() -> [First; 3] {
    [0, 1, 2].map(First)
}

pub fn cell() -> Cell<InCell> {
    Cell::new(InCell(1))
}

pub fn range() -> Range<Ranged> {
    Ranged(1)..Ranged(2)
}

pub fn not_zero() -> NonZeroU16 {
    NonZeroU16::MIN
}
