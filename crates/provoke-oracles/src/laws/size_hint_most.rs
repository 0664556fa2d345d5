//! `size-hint-most`: an iterator gives at most as many items as its `size_hint` says.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "size-hint-most",
    claim: "an iterator gives at most as many items as its `size_hint` says",
    applies_to: "iterators that write their own `size_hint`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("there are more items than `size_hint` said"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Iterator", method: "size_hint", written: &["size_hint"] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Exclusive],
        check: "{ let most = {a}.size_hint().1; let n = {a}.by_ref().take(1001).count(); most.is_none_or(|most| n <= most) }",
        test: "assert!({a}.size_hint().1.is_none_or(|most| {a}.by_ref().count() <= most))",
        imports: &[],
    }),
};
