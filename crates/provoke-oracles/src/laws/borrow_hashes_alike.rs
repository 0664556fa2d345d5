//! `borrow-hashes-alike`: the borrowed form hashes as the value does.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "borrow-hashes-alike",
    claim: "the borrowed form hashes as the value does",
    applies_to: "hand-written `Borrow` of types that are `Hash`",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be used as a key",
    message: Some("the value and its borrowed form hash differently"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "Borrow", method: "borrow", written: &[] }],
        needs: &["Hash"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "BuildHasherDefault::<DefaultHasher>::default().hash_one({&a}) == BuildHasherDefault::<DefaultHasher>::default().hash_one(Borrow::<{Q}>::borrow({&a}))",
        test: "assert_eq!(BuildHasherDefault::<DefaultHasher>::default().hash_one({&a}), BuildHasherDefault::<DefaultHasher>::default().hash_one(Borrow::<{Q}>::borrow({&a})))",
        imports: &[
            "std::hash::BuildHasher",
            "std::hash::BuildHasherDefault",
            "std::hash::DefaultHasher",
            "std::borrow::Borrow",
        ],
    }),
};
