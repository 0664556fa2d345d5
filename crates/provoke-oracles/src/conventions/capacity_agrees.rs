//! `capacity-agrees`: there is room for what is there: `capacity() >= len()`.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "capacity-agrees",
    claim: "there is room for what is there: `capacity() >= len()`",
    applies_to: "types with `capacity` and `len`",
    tier: Tier::Suspicious,
    can_be_wrong: "`capacity` is documented to be something else",
    message: Some("`capacity()` is less than `len()`"),
    law: Some(Law {
        trials: &[LawTrial::Methods(&["capacity", "len"])],
        needs: &[],
        unless_docs_say: &["more", "left", "remain", "free"],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{a}.capacity() >= {a}.len()",
        test: "assert!({a}.capacity() >= {a}.len())",
        imports: &[],
    }),
};
