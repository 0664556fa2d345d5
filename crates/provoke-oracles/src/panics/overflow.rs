//! `overflow`: arithmetic inside the crate does not overflow.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "overflow",
    Tier::Error,
    "arithmetic in the crate itself",
    "arithmetic inside the crate does not overflow",
    "the function is plain arithmetic on a narrow type, and overflow is the caller's affair",
);
