//! `nth-steps`: `nth` skips as many items as `next` would give.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "nth-steps",
    claim: "`nth` skips as many items as `next` would give",
    applies_to: "iterators that write their own `nth`, and are `Clone`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("`nth` is not what stepping gives"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Iterator", method: "nth", written: &["nth"] }],
        needs: &["Clone"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a}.clone().take(1001).count() > 1000 || { let mut iter = {a}.clone(); iter.next(); {a}.clone().nth(1) == iter.next() }",
        test: "assert!({a}.clone().nth(1) == {a}.clone().map(|item| item).nth(1))",
        imports: &[],
    }),
};
