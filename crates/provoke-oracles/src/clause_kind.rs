//! The kinds of clauses that contracts are made of.

use serde::{Deserialize, Serialize};

/// Who has to keep a clause, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ClauseKind {
    /// Callers, before the call.
    Precondition,
    /// The function, when it returns.
    Postcondition,
    /// The crate, before and after.
    Invariant,
}

impl ClauseKind {
    pub const ALL: [ClauseKind; 3] = [ClauseKind::Precondition, ClauseKind::Postcondition, ClauseKind::Invariant];

    /// The id of the oracle that accuses whoever breaks such a clause.
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Precondition => "precondition",
            ClauseKind::Postcondition => "postcondition",
            ClauseKind::Invariant => "invariant",
        }
    }
}
