//! `debug-assert`: an internal `debug_assert!` states what the author holds impossible.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "debug-assert",
    Tier::Error,
    "a `debug_assert!` that is no check of arguments on entry",
    "an internal `debug_assert!` states what the author holds impossible",
    "the assertion checks an argument in a way that is not seen as an entry check",
);
