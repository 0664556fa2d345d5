//! `eq-reflexive`: a value of an `Eq` type equals itself.

use crate::law::{Law, Lent, Trial};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "eq-reflexive",
    claim: "a value of an `Eq` type equals itself",
    applies_to: "hand-written `PartialEq` of types that are `Eq`",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be comparable in this state",
    message: Some("`a == a` is false"),
    law: Some(Law {
        trials: &[Trial::Impl { of: "PartialEq", method: "eq", written: &[] }],
        needs: &["Eq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[Lent::Shared],
        check: "{a} == {a}",
        test: "assert!({a} == {a})",
        imports: &[],
    }),
};
