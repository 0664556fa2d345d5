//! `eq-symmetric`: `a == b` is the same as `b == a`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "eq-symmetric",
    claim: "`a == b` is the same as `b == a`",
    applies_to: "hand-written `PartialEq`, also between two types",
    tier: Tier::Error,
    can_be_wrong: "comparing changes what the values are",
    message: Some("`a == b` and `b == a` differ"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "PartialEq", method: "eq", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: true,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "({a} == {b}) == ({b} == {a})",
        test: "assert_eq!({a} == {b}, {b} == {a})",
        imports: &[],
    }),
};
