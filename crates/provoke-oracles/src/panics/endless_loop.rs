//! `endless-loop`: a call with modest arguments returns.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "endless-loop",
    Tier::Error,
    "calls with modest arguments",
    "a call with modest arguments returns",
    "the function blocks by design (waits for another thread, a clock, input) or is merely slow",
);
