//! `hash-agrees`: equal values hash equal.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "hash-agrees",
    claim: "equal values hash equal",
    applies_to: "types that are `Hash` and `Eq`, where one of the two is hand-written",
    tier: Tier::Error,
    can_be_wrong: "the type is documented not to be used as a key",
    message: Some("`a == b`, but their hashes differ"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "Hash", method: "hash", written: &[] },
            LawTrial::Impl { of: "PartialEq", method: "eq", written: &[] },
        ],
        needs: &["Hash", "Eq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "{a} != {b} || BuildHasherDefault::<DefaultHasher>::default().hash_one({&a}) == BuildHasherDefault::<DefaultHasher>::default().hash_one({&b})",
        test: "assert!({a} != {b} || BuildHasherDefault::<DefaultHasher>::default().hash_one({&a}) == BuildHasherDefault::<DefaultHasher>::default().hash_one({&b}))",
        imports: &["std::hash::BuildHasher", "std::hash::BuildHasherDefault", "std::hash::DefaultHasher"],
    }),
};
