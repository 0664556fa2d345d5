//! `use-after-drop`: an element is not read after it was dropped.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "use-after-drop",
    Tier::Error,
    "every element of a generic type or function",
    "no element is used after it was dropped, or before it was made",
    "nothing: safe code cannot reach a value that is not alive",
)
.saying("an element was used that was not alive");
