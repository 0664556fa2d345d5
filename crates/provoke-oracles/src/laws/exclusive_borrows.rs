//! `exclusive-borrows`: what is lent exclusively is not lent to another at the same time.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "exclusive-borrows",
    claim: "what is lent exclusively is not lent to another at the same time",
    applies_to: "references that functions of the crate return, zero-sized values excepted",
    tier: Tier::Error,
    can_be_wrong: "the docs of an unsafe trait that the caller implements allow it",
    message: Some("an exclusive reference and another one that live at the same time refer to the same value"),
    // Asked with adapters of the runtime, since the types need not have names.
    law: None,
};
