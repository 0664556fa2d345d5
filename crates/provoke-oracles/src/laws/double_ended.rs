//! `double-ended`: going backwards gives what going forwards gives.

use crate::law::{Law, LawTrial, LentArgument};
use crate::oracle::{Oracle, Tier};

pub const ORACLE: Oracle = Oracle {
    id: "double-ended",
    claim: "going backwards gives what going forwards gives",
    applies_to: "hand-written `DoubleEndedIterator` of iterators that are `Clone`",
    tier: Tier::Error,
    can_be_wrong: "something else than the iterator changes what it goes through",
    message: Some("going backwards gives other items than going forwards"),
    law: Some(Law {
        trials: &[LawTrial::Impl { of: "DoubleEndedIterator", method: "next_back", written: &[] }],
        needs: &["Clone"],
        unless_docs_say: &[],
        spans_types: false,
        values: &[LentArgument::Shared],
        check: "{ let forward: ::std::vec::Vec<_> = {a}.clone().take(1001).collect(); forward.len() > 1000 || { let mut backward: ::std::vec::Vec<_> = {a}.clone().rev().take(1001).collect(); backward.reverse(); backward == forward || {a}.clone().take(1001).count() != forward.len() } }",
        test: "assert!({a}.clone().eq({a}.clone().rev().collect::<Vec<_>>().into_iter().rev()))",
        imports: &[],
    }),
};
