//! `trait-panics`: comparing, hashing, formatting, cloning and `default` do not panic.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "trait-panics",
    Tier::Error,
    "`eq`, `cmp`, `hash`, `fmt`, `clone`, `default`",
    "comparing, hashing, formatting, cloning and `default` do not panic",
    "the value is documented as unusable after an earlier call",
);
