//! `precondition`: the crate keeps the preconditions of what it calls itself.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "precondition",
    Tier::Error,
    "a `#[requires]` of a function that the crate's own code called",
    "the crate keeps the preconditions of what it calls itself",
    "the function in between is meant to hand its caller's arguments on unchecked, and says so in words only",
);
