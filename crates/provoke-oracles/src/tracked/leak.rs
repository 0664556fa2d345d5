//! `leak`: when everything is dropped, so is every element.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle::of_policy(
    "leak",
    Tier::Suspicious,
    "every element of a generic type or function, in programs without a panic",
    "when everything is dropped, so is every element",
    "the type keeps its elements by design (an arena, a value that is dropped by hand, a cycle of references)",
)
.saying("an element was still alive after everything had been dropped");
