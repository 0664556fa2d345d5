//! A clause of a contract that says nothing about the crate, since asking it goes wrong.
//!
//! Decision: `docs/decisions/065-faults-of-a-clause-are-the-clauses.md`

use serde::{Deserialize, Serialize};

use crate::verdict::place::Place;
use provoke_oracles::ClauseKind;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaultyClause {
    pub kind: ClauseKind,
    /// As it is written.
    pub text: String,
    /// Where it starts, with the function that it stands at.
    pub place: Place,
    pub trouble: ClauseTrouble,
}

/// What goes wrong when a clause is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ClauseTrouble {
    Panics,
    NeverEnds,
    OverflowsStack,
    /// It changes what it is about.
    Writes,
}

impl ClauseTrouble {
    /// Why a program in which that happens says nothing; for the log.
    pub fn reason(self) -> &'static str {
        match self {
            ClauseTrouble::Panics => "a clause panics itself",
            ClauseTrouble::NeverEnds => "a clause does not come to an end",
            ClauseTrouble::OverflowsStack => "a clause overflows the stack",
            ClauseTrouble::Writes => "a clause changes what it is about",
        }
    }
}
