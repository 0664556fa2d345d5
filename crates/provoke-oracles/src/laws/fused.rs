//! `fused`: a fused iterator that has ended stays at its end.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "fused",
    claim: "a fused iterator that has ended stays at its end",
    applies_to: "`FusedIterator`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("`next` gives an item after it has given `None`"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "FusedIterator", method: "next", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Exclusive],
        check: "{a}.by_ref().take(1001).count() > 1000 || {a}.next().is_none()",
        test: "assert!(({a}.by_ref().count(), {a}.next()).1.is_none())",
        imports: &[],
    }),
};
