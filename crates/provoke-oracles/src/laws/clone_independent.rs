//! `clone-independent`: changing one of a value and its clone does not change what the other shows.

use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "clone-independent",
    claim: "changing one of a value and its clone does not change what the other shows",
    applies_to: "types that are `Clone` and `Debug` and do not share by design, which is to say in every program that was tried",
    tier: Tier::Suspicious,
    can_be_wrong: "only a part of the value is meant to be shared with its clones",
    message: Some("changing one of a value and its clone changed what the other shows"),
    // Asked after the search, with operations of its own: the plan has the details.
    law: None,
};
