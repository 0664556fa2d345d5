//! `eq-transitive`: if `a == b` and `b == c`, then `a == c`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "eq-transitive",
    claim: "if `a == b` and `b == c`, then `a == c`",
    applies_to: "hand-written `PartialEq`",
    tier: Tier::Error,
    can_be_wrong: "equality is documented to be approximate",
    message: Some("`a == b` and `b == c`, but not `a == c`"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "PartialEq", method: "eq", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared, LentArgument::Shared],
        check: "!({a} == {b} && {b} == {c}) || {a} == {c}",
        test: "assert!({a} != {b} || {b} != {c} || {a} == {c})",
        imports: &[],
    }),
};
