//! `both-ends`: when the front has given everything, nothing is left at the back.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "both-ends",
    claim: "when the front has given everything, nothing is left at the back",
    applies_to: "hand-written `DoubleEndedIterator`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("the back gives an item after the front has given everything"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "DoubleEndedIterator", method: "next_back", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Exclusive],
        check: "{a}.by_ref().take(1001).count() > 1000 || {a}.next_back().is_none()",
        test: "assert!(({a}.by_ref().count(), {a}.next_back()).1.is_none())",
        imports: &[],
    }),
};
