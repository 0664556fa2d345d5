//! `double-drop`: no element is dropped twice.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "double-drop",
    Tier::Error,
    "every element of a generic type or function",
    "no element is dropped twice, or without having been made",
    "nothing: safe code cannot drop a value twice",
)
.saying("an element was dropped that was not alive");
