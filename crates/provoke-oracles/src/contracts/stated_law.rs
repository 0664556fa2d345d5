//! `stated-law`: what the crate states about any values is true of all of them.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "stated-law",
    Tier::Error,
    "a function with `#[provoke::law]`",
    "what the crate states about any values is true of all of them",
    "the law itself is wrong, or was not meant for all values that its types allow",
);
