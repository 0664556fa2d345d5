//! The role of an operation: what it is for.

use serde::{Deserialize, Serialize};

/// What an operation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OpRole {
    /// Instantiates a function of the API; the calls that are counted and tested.
    Function,
    /// A struct literal, an enum variant, a field read or written, a constant of the target: counted as a call, covers no function.
    Constructor,
    /// A built-in on std types (`vec![a, b]`, `Some(a)`, `a.unwrap()`): raw material.
    Builtin,
    /// A change of view (`&v[..]`, `s.as_str()`) that a test spells inside another call: not counted as a call.
    Coercion,
    /// Asks whether a law holds for its arguments, and panics if not.
    Law,
    /// Clones a value for a law, or remembers what one shows: serves laws that are asked after the search, which never calls it.
    Watch,
    /// A function that users wrote for testing only: counted as a call, covers no function.
    Probe,
    /// Stands in tests or for a specification that workers ask by themselves; never called by the search.
    Aside,
}
