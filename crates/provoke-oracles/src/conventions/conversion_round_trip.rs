//! `conversion-round-trip`: what a value is converted into can be converted back, and gives the same value.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "conversion-round-trip",
    claim: "what a value is converted into can be converted back, and gives the same value",
    applies_to: "types with `TryFrom` one way and `From` or `Into` the other",
    tier: Tier::Suspicious,
    can_be_wrong: "the conversion loses something by design",
    message: Some("converted there and back, it is not the same value"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "TryFrom", method: "try_from", written: &[] }],
        needs: &["Clone", "PartialEq"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a} != {a} || <{T}>::try_from(Into::<{Q}>::into({a}.clone())).is_ok_and(|back| back == {a})",
        test: "assert!(<{T}>::try_from(Into::<{Q}>::into({a}.clone())).is_ok_and(|back| back == {a}))",
        imports: &["std::convert::TryFrom"],
    }),
};
