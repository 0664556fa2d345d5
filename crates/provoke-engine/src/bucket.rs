//! Findings with one root cause, as well as that can be told: what breaks at one place is shown once, however many functions
//! lead there.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::Finding;
use crate::shrink::compare;
use crate::verdict::Judgement;

/// What findings of one root cause share: the oracle, and the place in the target. Where no place is known (a crash, a broken
/// law), the function, which for laws names the type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    oracle: &'static str,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Cause {
    Place { file: String, line: u32, column: u32 },
    Function(String),
}

impl Bucket {
    pub fn of(judgement: &Judgement) -> Bucket {
        let cause = match &judgement.place {
            Some(place) => Cause::Place { file: place.file.clone(), line: place.line, column: place.column },
            None => Cause::Function(judgement.function.clone()),
        };
        Bucket { oracle: judgement.oracle, cause }
    }
}

/// Which functions lead to each root cause.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
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
