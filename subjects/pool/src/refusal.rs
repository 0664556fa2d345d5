//! Why a pool does not do what it was asked for.

use std::fmt;

use crate::Kind;

/// Why a pool does not do what it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There are as many objects as may be.
    Full,
    /// No object has this index.
    Missing(usize),
    /// The object at an index is part of another one.
    InUse {
        /// Of the object that was to go.
        index: usize,
        /// Of one that refers to it.
        by: usize,
    },
    /// The base domain has no object of this kind.
    NoBase(Kind),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Full => f.write_str("the pool is full"),
            Refusal::Missing(index) => write!(f, "there is no object {index}"),
            Refusal::InUse { index, by } => write!(f, "object {by} refers to object {index}"),
            Refusal::NoBase(kind) => write!(f, "nothing in the base domain is of kind {kind:?}"),
        }
    }
}

impl std::error::Error for Refusal {}
