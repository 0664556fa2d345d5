//! Contracts that a crate states about itself; who is to blame is decided by the engine's rules.

pub mod invariant;
pub mod message;
pub mod postcondition;
pub mod precondition;
pub mod probe;
pub mod stated_law;
pub mod temporal;

use crate::oracle::Oracle;

pub(crate) const ALL: [&Oracle; 6] = [
    &precondition::ORACLE,
    &postcondition::ORACLE,
    &invariant::ORACLE,
    &temporal::ORACLE,
    &stated_law::ORACLE,
    &probe::ORACLE,
];
