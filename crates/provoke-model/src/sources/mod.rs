//! What the sources say that rustdoc does not: panics that are announced, checks at the start of functions, literals.

pub mod announcement;
pub mod docs;
pub mod entry_check;
pub mod function_spans;
pub mod mine;
pub mod site;
