//! `eq-reflexive`: a value of an `Eq` type equals itself.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "eq-reflexive",
    claim: "a value of an `Eq` type equals itself",
    applies_to: "hand-written `PartialEq` of types that are `Eq`",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be comparable in this state",
    message: Some("`a == a` is false"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "PartialEq", method: "eq", written: &[] }],
        needs: &["Eq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a} == {a}",
        test: "assert!({a} == {a})",
        imports: &[],
    }),
};
