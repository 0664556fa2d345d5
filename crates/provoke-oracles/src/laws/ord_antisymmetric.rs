//! `ord-antisymmetric`: comparing the other way round gives the opposite.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ord-antisymmetric",
    claim: "comparing the other way round gives the opposite",
    applies_to: "hand-written `PartialOrd` and `Ord`",
    tier: Tier::Error,
    can_be_wrong: "the order is documented to be something else than an order",
    message: Some("`a` compared with `b` is not the opposite of `b` compared with `a`"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "PartialOrd", method: "partial_cmp", written: &[] },
            LawTrial::Impl { of: "Ord", method: "cmp", written: &[] },
        ],
        needs: &[],
        unless_docs_say: &[],
        spans_types: true,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "{a}.partial_cmp({&b}) == {b}.partial_cmp({&a}).map(Ordering::reverse)",
        test: "assert_eq!({a}.partial_cmp({&b}), {b}.partial_cmp({&a}).map(Ordering::reverse))",
        imports: &["std::cmp::Ordering"],
    }),
};
