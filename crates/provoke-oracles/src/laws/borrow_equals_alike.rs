//! `borrow-equals-alike`: the borrowed forms are equal exactly if the values are.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "borrow-equals-alike",
    claim: "the borrowed forms are equal exactly if the values are",
    applies_to: "hand-written `Borrow` of types that are `Eq`",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be used as a key",
    message: Some("the values and their borrowed forms disagree on equality"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Borrow", method: "borrow", written: &[] }],
        needs: &["Eq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "({a} == {b}) == (Borrow::<{Q}>::borrow({&a}) == Borrow::<{Q}>::borrow({&b}))",
        test: "assert_eq!({a} == {b}, Borrow::<{Q}>::borrow({&a}) == Borrow::<{Q}>::borrow({&b}))",
        imports: &["std::borrow::Borrow"],
    }),
};
