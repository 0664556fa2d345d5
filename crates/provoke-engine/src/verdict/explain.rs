//! A judgement in words.

use crate::verdict::Judgement;
use provoke_oracles::oracle;

/// What a finding says to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub expected: String,
    pub happened: String,
    /// What led to it and why it has its tier, a line each.
    pub reasons: Vec<String>,
}

pub fn explain(judgement: &Judgement) -> Explanation {
    let oracle = oracle(judgement.oracle);
    let mut reasons = judgement.trail.clone();
    reasons.extend(oracle.map(|oracle| format!("a false alarm if {}", oracle.can_be_wrong)));
    Explanation {
        expected: oracle.map_or_else(String::new, |oracle| oracle.claim.to_string()),
        happened: judgement.words(),
        reasons,
    }
}
