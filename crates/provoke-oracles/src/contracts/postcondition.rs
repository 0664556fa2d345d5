//! `postcondition`: a function that was called rightly keeps its postconditions.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "postcondition",
    Tier::Error,
    "an `#[ensures]` of any function, or a `post!` in its `#[provoke::spec]`",
    "a function that was called rightly keeps its postconditions",
    "a precondition is missing, or the clause itself is wrong",
);
