//! `clone-equals`: a clone equals what it was made from.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "clone-equals",
    claim: "a clone equals what it was made from",
    applies_to: "types that are `Clone` and `PartialEq`, where one of the two is hand-written",
    tier: Tier::Error,
    can_be_wrong: "the type is documented to give each clone an identity of its own",
    message: Some("the clone does not equal the value it was made from"),
    law: Some(Law {
        trials: &[
            LawTrial::Impl { of: "Clone", method: "clone", written: &[] },
            LawTrial::Impl { of: "PartialEq", method: "eq", written: &[] },
        ],
        needs: &["Clone"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a} != {a} || {a}.clone() == {a}",
        test: "assert!({a}.clone() == {a})",
        imports: &[],
    }),
};
