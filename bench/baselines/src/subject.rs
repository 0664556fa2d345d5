//! What the drivers need to know of a subject.

use std::cell::Cell;
use std::fmt::Debug;

use proptest::strategy::BoxedStrategy;
use quickcheck::Arbitrary;

use crate::rng::Rng;

/// How many objects a program has at hand. Provoke's programs rarely have more.
pub const POOL_SIZE: usize = 4;

/// A pool of live objects and the public operations on them, each equally likely, with small
/// arguments. Operations include making a new object in place of an old one.
pub trait Subject: Debug + Default + 'static {
    /// One operation on one of the objects, as data for frameworks that want it so.
    type Op: Arbitrary + Debug;

    /// Draws an operation and calls it at once; `false` if it was not a legal use and not called.
    fn call_random(&mut self, rng: &mut Rng) -> bool;

    /// Calls the operation; `false` if it is not a legal use now and was not called.
    fn call(&mut self, op: &Self::Op) -> bool;

    /// All operations as proptest draws them.
    fn strategy() -> BoxedStrategy<Self::Op>;
}

thread_local! {
    static N_CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Calls `op` and counts it. Frameworks own the loop, so the count lies outside of it.
pub fn counted_call<S: Subject>(subject: &mut S, op: &S::Op) {
    if subject.call(op) {
        N_CALLS.set(N_CALLS.get() + 1);
    }
}

/// The calls counted so far.
pub fn n_counted_calls() -> u64 {
    N_CALLS.get()
}
