//! Whom a finding accuses and why, as a replay tells it.

use provoke_engine::{BacktracePart, Judgement, PlaceOrigin, Policy, explain};
use provoke_oracles::{is_contract, oracle};
use provoke_report::{Blame, Frames, Tier};

pub fn blame(judgement: &Judgement, policy: &Policy) -> Blame {
    let explained = explain(judgement);
    Blame {
        function: judgement.function.clone(),
        location: location(judgement),
        oracle: judgement.oracle.to_string(),
        claim: explained.expected,
        tier: judgement.tier,
        tier_reason: tier_reason(judgement, policy).to_string(),
        operands: Vec::new(),
        notes: explained.reasons,
    }
}

/// `src/lib.rs:12:5`
pub fn location(judgement: &Judgement) -> Option<String> {
    judgement.place.as_ref().map(|place| format!("{}:{}:{}", place.file, place.line, place.column))
}

fn tier_reason(judgement: &Judgement, policy: &Policy) -> &'static str {
    let highest = oracle(judgement.oracle).map_or(judgement.tier, |oracle| oracle.tier);
    match judgement.tier {
        _ if policy.decides(judgement.oracle, &judgement.function) => "the configuration says so",
        Tier::Error => "the crate is wrong, whatever the caller did",
        Tier::Suspicious if is_contract(judgement.oracle) => {
            "callers may be to blame: they can make such a value themselves, frames are missing, or the docs ask something of them"
        }
        Tier::Suspicious if highest == Tier::Error => {
            "it would be an error, but the values are large or the docs ask something of callers"
        }
        Tier::Suspicious => "the caller may be to blame, but nothing says what is asked of callers",
    }
}

pub fn frames(parts: Vec<BacktracePart>) -> Vec<Frames> {
    let frame = |part| match part {
        BacktracePart::Target { function, file, line, column } => {
            Frames::Own { function, location: format!("{file}:{line}:{column}") }
        }
        BacktracePart::Folded { n, owner } => Frames::Folded {
            n: n as u64,
            owner: match owner {
                PlaceOrigin::Std => "std",
                PlaceOrigin::Dependency => "a dependency",
                PlaceOrigin::Target | PlaceOrigin::Harness => "others",
            },
        },
    };
    parts.into_iter().map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_engine::Rating;

    #[test]
    fn a_tier_is_explained_by_the_rule_or_the_configuration() {
        let reason = |oracle, tier, policy: &Policy| {
            let function = "a::f".to_string();
            tier_reason(
                &Judgement {
                    tier,
                    oracle,
                    function,
                    place: None,
                    group: None,
                    message: String::new(),
                    clause: None,
                    is_optional: false,
                    trail: Vec::new(),
                },
                policy,
            )
        };
        let none = Policy::default();
        assert!(reason("overflow", Tier::Error, &none).starts_with("the crate is wrong"));
        assert!(reason("overflow", Tier::Suspicious, &none).starts_with("it would be an error"));
        assert!(reason("undocumented-panic", Tier::Suspicious, &none).starts_with("the caller may"));
        let configured = Policy { oracles: [("overflow", Rating::Error)].into(), ..Policy::default() };
        assert_eq!(reason("overflow", Tier::Error, &configured), "the configuration says so");
    }
}
