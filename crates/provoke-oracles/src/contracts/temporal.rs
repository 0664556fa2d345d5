//! `temporal`: what is said about the life of an object holds from its first step to its last.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "temporal",
    Tier::Error,
    "a function with `#[provoke::temporal]`",
    "what is said about the life of an object holds from its first step to its last",
    "the property itself is wrong, or only applications keep it, which a `#[provoke::model]` can say",
);
