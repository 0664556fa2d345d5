//! Contracts that a crate states about itself; who is to blame is decided by the engine's rules.

pub mod invariant;
pub mod postcondition;
pub mod precondition;

use crate::oracle::Oracle;

pub(crate) const ALL: [&Oracle; 3] = [&precondition::ORACLE, &postcondition::ORACLE, &invariant::ORACLE];
