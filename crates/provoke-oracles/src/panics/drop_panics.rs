//! `drop-panics`: dropping a value does not panic.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "drop-panics",
    Tier::Error,
    "every value that is dropped",
    "dropping a value does not panic",
    "the type reports misuse on drop by design (must be closed, must be joined)",
);
