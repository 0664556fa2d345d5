//! `last-steps`: `last` is the item that `next` gives last.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "last-steps",
    claim: "`last` is the item that `next` gives last",
    applies_to: "iterators that write their own `last` or `fold`, and are `Clone`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("`last` is not the last item"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Iterator", method: "last", written: &["last", "fold"] }],
        needs: &["Clone"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{ let mut iter = {a}.clone(); let (mut n, mut last) = (0, None); while n <= 1000 { match iter.next() { Some(item) => { n += 1; last = Some(item) } None => break } } n > 1000 || {a}.clone().last() == last || {a}.clone().take(1001).count() != n }",
        test: "assert!({a}.clone().last() == {a}.clone().by_ref().last())",
        imports: &[],
    }),
};
