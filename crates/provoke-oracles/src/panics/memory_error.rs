//! `memory-error`: safe code must not touch memory that is not its own. Seen by AddressSanitizer.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "memory-error",
    Tier::Error,
    "any call, any drop, in a worker with AddressSanitizer",
    "safe code must not touch memory that is not its own",
    "a C library that the crate binds keeps memory of its own, which the sanitizer cannot see",
);
