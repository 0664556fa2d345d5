//! `unreachable`: `unreachable!` is not reached.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "unreachable",
    Tier::Error,
    "`unreachable!`",
    "`unreachable!` is not reached",
    "it stands for a misuse that the docs forbid",
);
