//! `invariant`: what is said of every value of a type holds before and after every call.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "invariant",
    Tier::Error,
    "an `#[invariant]` of a function or of an impl, or a function with `#[provoke::invariant]`",
    "what is said of every value of a type holds before and after every call",
    "users are not meant to make such a value, though they can",
);
