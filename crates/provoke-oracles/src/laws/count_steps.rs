//! `count-steps`: `count` is the number of times that `next` gives an item.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "count-steps",
    claim: "`count` is the number of times that `next` gives an item",
    applies_to: "iterators that write their own `count` or `fold`, and are `Clone`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("`count` is not the number of items"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Iterator", method: "count", written: &["count", "fold"] }],
        needs: &["Clone"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{ let mut iter = {a}.clone(); let mut n = 0; while n <= 1000 && iter.next().is_some() { n += 1; } n > 1000 || {a}.clone().count() == n || {a}.clone().take(1001).count() != n }",
        test: "assert_eq!({a}.clone().count(), {a}.clone().by_ref().count())",
        imports: &[],
    }),
};
