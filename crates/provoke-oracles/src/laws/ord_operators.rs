//! `ord-operators`: the operators say what `partial_cmp` says.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ord-operators",
    claim: "the operators say what `partial_cmp` says",
    applies_to: "hand-written `<`, `<=`, `>`, `>=`",
    tier: Tier::Error,
    can_be_wrong: "comparing changes what the values are",
    message: Some("an operator and `partial_cmp` disagree"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "PartialOrd", method: "lt", written: &["lt", "le", "gt", "ge"] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "({a} < {b}, {a} <= {b}, {a} > {b}, {a} >= {b}) == match {a}.partial_cmp({&b}) { Some(Ordering::Less) => (true, true, false, false), Some(Ordering::Equal) => (false, true, false, true), Some(Ordering::Greater) => (false, false, true, true), None => (false, false, false, false) }",
        test: "assert_eq!(({a} < {b}, {a} > {b}, {a} <= {b}, {a} >= {b}), ({a}.partial_cmp({&b}).is_some_and(|order| order.is_lt()), {a}.partial_cmp({&b}).is_some_and(|order| order.is_gt()), {a}.partial_cmp({&b}).is_some_and(|order| order.is_le()), {a}.partial_cmp({&b}).is_some_and(|order| order.is_ge())))",
        imports: &["std::cmp::Ordering"],
    }),
};
