//! `probe`: a function that is there for testing does not panic.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "probe",
    Tier::Error,
    "a function with `#[provoke::probe]`, with `--probes`",
    "what a probe asserts holds",
    "the probe itself is wrong, or brings about what no user of the crate could",
);
