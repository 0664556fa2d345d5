//! `count-agrees`: `iter()` gives `len()` items.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "count-agrees",
    claim: "`iter()` gives `len()` items",
    applies_to: "types with `iter` and `len`",
    tier: Tier::Suspicious,
    can_be_wrong: "`len` counts something else than `iter` gives",
    message: Some("`len()` is not the number of items of `iter()`"),
    law: Some(Law {
        trials: &[LawTrial::Methods(&["len", "iter"])],
        needs: &[],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{ let n = {a}.iter().take(1001).count(); n > 1000 || n == {a}.len() }",
        test: "assert_eq!({a}.iter().count(), {a}.len())",
        imports: &[],
    }),
};
