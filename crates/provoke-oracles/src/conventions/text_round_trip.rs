//! `text-round-trip`: what a value prints can be read back, and gives the same value.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "text-round-trip",
    claim: "what a value prints can be read back, and gives the same value",
    applies_to: "types with `FromStr` and `Display`",
    tier: Tier::Suspicious,
    can_be_wrong: "`Display` is meant for people, not for reading back",
    message: Some("what it prints does not give the same value when read back"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "FromStr", method: "from_str", written: &[] }],
        needs: &["Display", "PartialEq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a} != {a} || {a}.to_string().parse::<{T}>().is_ok_and(|parsed| parsed == {a})",
        test: "assert!({a}.to_string().parse::<{T}>().is_ok_and(|parsed| parsed == {a}))",
        imports: &[],
    }),
};
