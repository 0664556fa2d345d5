//! `undocumented-panic`: a panic that callers can cause is announced in the docs.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "undocumented-panic",
    Tier::Suspicious,
    "any panic that nothing else covers",
    "a panic that callers can cause is announced in the docs",
    "the refusal is conventional for this kind of function",
);
