//! A judgement in words.

use crate::verdict::Judgement;
use provoke_oracles::oracle;

/// What a finding says to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub expected: String,
    pub happened: String,
    /// Why it has its tier, a line each.
    pub reasons: Vec<String>,
}

pub fn explain(judgement: &Judgement) -> Explanation {
    let oracle = oracle(judgement.oracle);
    Explanation {
        expected: oracle.map_or_else(String::new, |oracle| oracle.claim.to_string()),
        happened: judgement.message.clone(),
        reasons: oracle.map_or_else(Vec::new, |oracle| vec![format!("a false alarm if {}", oracle.can_be_wrong)]),
    }
}
