//! `observer-panics`: `Debug` and `Hash` do not panic for any value the API gives out.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "observer-panics",
    Tier::Error,
    "every value that is formatted or hashed to tell it from others",
    "`Debug` and `Hash` do not panic for any value the API gives out",
    "the value is documented as unusable after an earlier call",
);
