//! `crash`: safe code must not end the process by a signal or an abort.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "crash",
    Tier::Error,
    "any call, any drop",
    "safe code must not end the process by a signal or an abort",
    "the crate aborts on purpose, on a misuse that its docs forbid",
);
