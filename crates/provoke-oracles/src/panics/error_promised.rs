//! `error-promised`: a function that promises an error value does not panic instead, unless its docs say so.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "error-promised",
    Tier::Error,
    "`try_…`, `checked_…`, `parse…`, `FromStr`, `TryFrom`, a `Result` with an error type of the crate",
    "a function that promises an error value does not panic instead, unless its docs say so",
    "the panic is announced elsewhere: in a guide, a README, the docs of another item",
);
