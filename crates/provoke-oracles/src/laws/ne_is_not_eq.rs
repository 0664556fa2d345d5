//! `ne-is-not-eq`: `a != b` is the opposite of `a == b`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "ne-is-not-eq",
    claim: "`a != b` is the opposite of `a == b`",
    applies_to: "hand-written `PartialEq::ne`",
    tier: Tier::Error,
    can_be_wrong: "comparing changes what the values are",
    message: Some("`a != b` is not the opposite of `a == b`"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "PartialEq", method: "ne", written: &["ne"] }],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared, LentArgument::Shared],
        check: "({a} != {b}) != ({a} == {b})",
        test: "assert_eq!({a} != {b}, !({a} == {b}))",
        imports: &[],
    }),
};
