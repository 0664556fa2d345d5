//! `stack-overflow`: modest arguments must not exhaust the stack.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "stack-overflow",
    Tier::Error,
    "calls with modest arguments",
    "modest arguments must not exhaust the stack",
    "the program builds a deep structure from few statements",
);
