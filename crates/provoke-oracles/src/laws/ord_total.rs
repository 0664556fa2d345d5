//! `ord-total`: `partial_cmp` of an `Ord` type is what `cmp` says.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ord-total",
    claim: "`partial_cmp` of an `Ord` type is what `cmp` says",
    applies_to: "types that are `Ord`, where `Ord` or `PartialOrd` is hand-written",
    tier: Tier::Error,
    can_be_wrong: "the two orders are documented to differ",
    message: Some("`partial_cmp` and `cmp` disagree"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "PartialOrd", method: "partial_cmp", written: &[] },
            LawTrial::Impl { of: "Ord", method: "cmp", written: &[] },
        ],
        needs: &["Ord"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "{a}.partial_cmp({&b}) == Some({a}.cmp({&b}))",
        test: "assert_eq!({a}.partial_cmp({&b}), Some({a}.cmp({&b})))",
        imports: &[],
    }),
};
