//! `size-hint`: an iterator gives at least as many items as its `size_hint` says.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "size-hint",
    claim: "an iterator gives at least as many items as its `size_hint` says",
    applies_to: "iterators that write their own `size_hint`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("there are fewer items than `size_hint` said"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Iterator", method: "size_hint", written: &["size_hint"] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Exclusive],
        check: "{ let least = {a}.size_hint().0; let n = {a}.by_ref().take(1001).count(); n > 1000 || least <= n }",
        test: "assert!({a}.size_hint().0 <= {a}.by_ref().count())",
        imports: &[],
    }),
};
