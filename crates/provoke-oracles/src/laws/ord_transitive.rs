//! `ord-transitive`: if `a < b` and `b < c`, then `a < c`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ord-transitive",
    claim: "if `a < b` and `b < c`, then `a < c`",
    applies_to: "hand-written `PartialOrd` and `Ord`",
    tier: Tier::Error,
    can_be_wrong: "the order is documented to be something else than an order",
    message: Some("`a < b` and `b < c`, but not `a < c`"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "PartialOrd", method: "partial_cmp", written: &[] },
            LawTrial::Impl { of: "Ord", method: "cmp", written: &[] },
        ],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared, LentArgument::Shared],
        check: "!({a} < {b} && {b} < {c}) || {a} < {c}",
        test: "assert!(!({a} < {b} && {b} < {c}) || {a} < {c})",
        imports: &[],
    }),
};
