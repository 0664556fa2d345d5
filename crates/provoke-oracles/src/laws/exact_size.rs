//! `exact-size`: an `ExactSizeIterator` gives exactly `len()` items.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "exact-size",
    claim: "an `ExactSizeIterator` gives exactly `len()` items",
    applies_to: "hand-written `ExactSizeIterator`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("`len()` is not the number of items"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "ExactSizeIterator", method: "len", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Exclusive],
        check: "{ let n = {a}.len(); let steps = {a}.by_ref().take(1001).count(); steps > 1000 || steps == n }",
        test: "assert_eq!({a}.len(), {a}.by_ref().count())",
        imports: &[],
    }),
};
