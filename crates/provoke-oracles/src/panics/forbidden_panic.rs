//! `forbidden-panic`: a function that the user's configuration forbids to panic does not.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "forbidden-panic",
    Tier::Error,
    "functions configured with `panics = \"error\"` or `\"suspicious\"`, where nothing else speaks against the panic",
    "a function that the configuration forbids to panic does not",
    "the configuration covers more functions than it was meant for",
);
