//! Findings with one root cause, as well as that can be told: what breaks at one place is shown once, however many functions
//! lead there.
//!
//! Decision: `docs/decisions/045-one-finding-per-place.md`

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::program::order::compare;
use crate::saved_forms::{self, OracleId};
use crate::verdict::Judgement;
use crate::verdict::finding::Finding;
use crate::verdict::place::Place;

/// What findings of one root cause share: the oracle, and the place in the target. Where no place is known (a crash, a broken
/// law), the function, which for laws names the type or stands for the types that the same code is written for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bucket {
    #[serde(with = "saved_forms::oracle")]
    oracle: OracleId,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Cause {
    Place {
        file: String,
        line: u32,
        column: u32,
    },
    /// Where clauses of several functions share a place.
    ClauseOf {
        function: String,
        file: String,
        line: u32,
        column: u32,
    },
    Function(String),
}

impl Bucket {
    pub fn of(judgement: &Judgement) -> Bucket {
        let cause = match &judgement.place {
            Some(Place { file, line, column, function }) => {
                let (file, line, column) = (file.clone(), *line, *column);
                match &judgement.clause {
                    Some(_) => Cause::ClauseOf { function: function.clone(), file, line, column },
                    None => Cause::Place { file, line, column },
                }
            }
            None => Cause::Function(judgement.group.as_ref().unwrap_or(&judgement.function).clone()),
        };
        Bucket { oracle: judgement.oracle, cause }
    }
}

/// Which functions lead to each root cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buckets {
    #[serde(with = "pairs")]
    functions: BTreeMap<Bucket, BTreeSet<String>>,
}

impl Buckets {
    /// Records that the function of the judgement leads to its place.
    pub fn add(&mut self, judgement: &Judgement) {
        self.functions.entry(Bucket::of(judgement)).or_default().insert(judgement.function.clone());
    }

    /// The other functions that lead to where this one does.
    pub fn also_through(&self, judgement: &Judgement) -> Vec<String> {
        let functions = self.functions.get(&Bucket::of(judgement)).into_iter().flatten();
        functions.filter(|function| **function != judgement.function).cloned().collect()
    }
}

/// As a list: keys of JSON objects are texts.
mod pairs {
    use super::*;
    use serde::{Deserializer, Serializer};

    type Functions = BTreeMap<Bucket, BTreeSet<String>>;

    pub(crate) fn serialize<S: Serializer>(functions: &Functions, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(functions)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Functions, D::Error> {
        Vec::deserialize(deserializer).map(|pairs: Vec<(Bucket, BTreeSet<String>)>| pairs.into_iter().collect())
    }
}

/// Whether a finding shows a root cause better than another one of the same bucket: steady before flaky, then the higher
/// tier, then fewer calls; then the name of the function, so that all seeds settle for the same one.
pub fn is_better_example(a: &Finding, b: &Finding) -> bool {
    let rank = |finding: &Finding| {
        let tier = std::cmp::Reverse(finding.judgement.tier);
        (finding.steadiness.is_flaky(), tier, finding.program.main.n_calls())
    };
    let order = rank(a).cmp(&rank(b)).then_with(|| a.judgement.function.cmp(&b.judgement.function));
    order.then_with(|| compare(&a.program, &b.program)).is_lt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::finding::{FindingId, Steadiness};
    use crate::verdict::panic_kind::PanicKind;
    use crate::verdict::{Activity, Failure, Incident};
    use provoke_oracles::Tier;
    use provoke_wire::{Phase, Program};

    fn judgement(function: &str, line: Option<u32>) -> Judgement {
        let place = line.map(|line| Place { file: "src/lib.rs".into(), line, column: 5, function: "grow".into() });
        let (tier, oracle, function) = (Tier::Error, "overflow", function.into());
        Judgement {
            tier,
            oracle,
            function,
            place,
            group: None,
            message: String::new(),
            clause: None,
            is_optional: false,
            trail: Vec::new(),
        }
    }

    fn finding(function: &str, n_calls: usize) -> Finding {
        let mut program = Program::default();
        for _ in 0..n_calls {
            program.main.push_call(0, &[]);
        }
        let judgement = judgement(function, Some(1));
        Finding {
            id: FindingId::of(&judgement),
            judgement,
            incident: Incident {
                key: 1,
                event: Failure::Panic(PanicKind::Overflow),
                activity: Activity::Call,
                statement: 0,
                at: 0,
                phase: Phase::Call,
                is_after_panic: false,
                panic: Some(0),
            },
            program,
            n_calls_before_minimizing: 9,
            steadiness: Steadiness::Steady,
            n_replays: 0,
        }
    }

    #[test]
    fn the_place_makes_the_bucket_or_the_function_where_there_is_none() {
        let bucket = |function, line| Bucket::of(&judgement(function, line));
        assert_eq!(bucket("a", Some(1)), bucket("b", Some(1)));
        assert_ne!(bucket("a", Some(1)), bucket("a", Some(2)));
        assert_ne!(bucket("a", None), bucket("b", None));
        let other_oracle = Judgement { oracle: "debug-assert", ..judgement("a", Some(1)) };
        assert_ne!(Bucket::of(&other_oracle), bucket("a", Some(1)));
        let clause_of = |function: &str| {
            let mut clause = Judgement { clause: Some("n > 0".into()), ..judgement("a", Some(1)) };
            clause.place.as_mut().unwrap().function = function.into();
            Bucket::of(&clause)
        };
        assert_ne!(clause_of("f"), clause_of("g"));
    }

    #[test]
    fn the_other_functions_of_a_place_are_named_once_each() {
        let mut buckets = Buckets::default();
        for (function, line) in [("c", 1), ("a", 1), ("b", 1), ("c", 1), ("d", 2)] {
            buckets.add(&judgement(function, Some(line)));
        }
        assert_eq!(buckets.also_through(&judgement("a", Some(1))), ["b", "c"]);
        assert_eq!(buckets.also_through(&judgement("d", Some(2))), [""; 0]);
        assert_eq!(buckets.also_through(&judgement("e", Some(3))), [""; 0]);
    }

    #[test]
    fn a_law_that_one_code_breaks_for_several_types_is_one_bucket() {
        let broken = |function: &str| Judgement {
            oracle: "exact-size",
            group: Some("Iter::len".into()),
            ..judgement(function, None)
        };
        let mut buckets = Buckets::default();
        for function in ["Iter::len", "IterMut::len", "Iter::len"] {
            buckets.add(&broken(function));
        }
        assert_eq!(Bucket::of(&broken("Iter::len")), Bucket::of(&broken("IterMut::len")));
        assert_eq!(buckets.also_through(&broken("Iter::len")), ["IterMut::len"]);
    }

    #[test]
    fn the_best_example_is_steady_short_and_the_same_for_every_order() {
        let short = finding("b", 2);
        let flaky = Finding { steadiness: Steadiness::Chance, ..finding("a", 1) };
        let mut mild = finding("a", 1);
        mild.judgement.tier = Tier::Suspicious;
        for worse in [finding("a", 3), finding("c", 2), flaky, mild] {
            assert!(is_better_example(&short, &worse), "{worse:?}");
            assert!(!is_better_example(&worse, &short), "{worse:?}");
        }
        assert!(!is_better_example(&short, &short));
    }
}
