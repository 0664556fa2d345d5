//! `ord-agrees-with-eq`: values compare as `Equal` exactly if they are equal.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ord-agrees-with-eq",
    claim: "values compare as `Equal` exactly if they are equal",
    applies_to: "hand-written `PartialOrd` and `Ord`",
    tier: Tier::Error,
    can_be_wrong: "the docs say that the order looks at a part of the value only",
    message: Some("comparing and `==` disagree on whether they are equal"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "PartialOrd", method: "partial_cmp", written: &[] },
            LawTrial::Impl { of: "Ord", method: "cmp", written: &[] },
        ],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "({a}.partial_cmp({&b}) == Some(Ordering::Equal)) == ({a} == {b})",
        test: "assert_eq!({a}.partial_cmp({&b}) == Some(Ordering::Equal), {a} == {b})",
        imports: &["std::cmp::Ordering"],
    }),
};
