//! `eq-transitive`: if `a == b` and `b == c`, then `a == c`.

use crate::law::{Law, Lent, Trial};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "eq-transitive",
    claim: "if `a == b` and `b == c`, then `a == c`",
    applies_to: "hand-written `PartialEq`",
    tier: Tier::Error,
    can_be_wrong: "equality is documented to be approximate",
    message: Some("`a == b` and `b == c`, but not `a == c`"),
    law: Some(Law {
        trials: &[Trial::Impl { of: "PartialEq", method: "eq", written: &[] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[Lent::Shared, Lent::Shared, Lent::Shared],
        check: "!({a} == {b} && {b} == {c}) || {a} == {c}",
        test: "assert!({a} != {b} || {b} != {c} || {a} == {c})",
        imports: &[],
    }),
};
