//! `borrow-compares-alike`: the borrowed forms compare as the values do.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "borrow-compares-alike",
    claim: "the borrowed forms compare as the values do",
    applies_to: "hand-written `Borrow` of types that are `Ord`",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be used as a key",
    message: Some("the values and their borrowed forms compare differently"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Borrow", method: "borrow", written: &[] }],
        needs: &["Ord"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "{a}.cmp({&b}) == Borrow::<{Q}>::borrow({&a}).cmp(Borrow::<{Q}>::borrow({&b}))",
        test: "assert_eq!({a}.cmp({&b}), Borrow::<{Q}>::borrow({&a}).cmp(Borrow::<{Q}>::borrow({&b})))",
        imports: &["std::borrow::Borrow"],
    }),
};
