//! `is-empty-agrees`: `is_empty()` says the same as `len() == 0`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "is-empty-agrees",
    claim: "`is_empty()` says the same as `len() == 0`",
    applies_to: "types with `is_empty` and `len`",
    tier: Tier::Suspicious,
    can_be_wrong: "the two are documented to speak of different things",
    message: Some("`is_empty()` and `len()` disagree"),
    law: Some(Law {
        trials: &[LawTrial::Methods(&["is_empty", "len"])],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a}.is_empty() == ({a}.len() == 0)",
        test: "assert_eq!({a}.is_empty(), {a}.len() == 0)",
        imports: &[],
    }),
};
