//! What users say of findings, applied to what the rules have decided.

use std::collections::BTreeMap;

use provoke_oracles::{FORBIDDEN_PANIC, Tier};

use crate::api::user_policy::{Policy, Rating};
use crate::verdict::panic_kind::PanicKind;
use crate::verdict::rules::Decision;
use crate::verdict::{Activity, Case, Failure};

/// Why a call counts as illegal though the rules would accuse the crate.
const CONFIGURED: &str = "expected by configuration";

impl Policy {
    /// The first look only keeps what the user wants to hear of: without the sources the oracle is not certain yet, so
    /// that nothing may be dropped for its sake.
    pub(crate) fn on_first_look(
        &self,
        decision: Decision,
        case: &Case<'_>,
        function: impl FnOnce() -> String,
    ) -> Decision {
        match decision {
            Decision::Illegal(_) if !self.functions.is_empty() => self.revise(decision, case, &function()),
            decision => decision,
        }
    }

    pub(crate) fn revise(&self, decision: Decision, case: &Case<'_>, function: &str) -> Decision {
        let own = self.functions.get(function);
        let oracle = match decision {
            Decision::Finding { oracle, .. } => Some(oracle),
            Decision::Illegal(_) => None,
        };
        let of_oracle = |ratings: &BTreeMap<&'static str, Rating>| ratings.get(oracle?.id).copied();
        if let Some(rating) = own.and_then(|own| of_oracle(&own.oracles)) {
            return rated(decision, rating, case);
        }
        let panics = own.and_then(|own| own.panics).filter(|rating| *rating != Rating::Default);
        if let Some(rating) = panics.filter(|_| is_panic(case)) {
            return rated(decision, rating, case);
        }
        match of_oracle(&self.oracles) {
            Some(rating) => rated(decision, rating, case),
            None => decision,
        }
    }
}

fn rated(decision: Decision, rating: Rating, case: &Case<'_>) -> Decision {
    let tier = match rating {
        Rating::Default => return decision,
        Rating::Off => return Decision::Illegal(CONFIGURED),
        Rating::Suspicious => Tier::Suspicious,
        Rating::Error => Tier::Error,
    };
    match decision {
        Decision::Finding { oracle, .. } => Decision::Finding { tier, oracle },
        Decision::Illegal(_) if is_of_the_crate(case) => Decision::Finding { tier, oracle: &FORBIDDEN_PANIC },
        illegal => illegal,
    }
}

/// A panic of the code under test. One that reports a broken law is only the way in which a worker says so.
fn is_panic(case: &Case<'_>) -> bool {
    matches!(case.event, Failure::Panic(kind) if kind != PanicKind::LawBroken)
}

/// Whatever a user says, what the harness or a dependency does by itself is not the crate's doing.
fn is_of_the_crate(case: &Case<'_>) -> bool {
    let is_outside = case.scene.is_some_and(|scene| scene.whereabouts.place.is_none());
    let is_harness = case.law.is_some() || (case.is_builtin && case.activity == Activity::Call);
    is_panic(case) && !is_outside && !is_harness && !case.is_foreign
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::FunctionFacts;
    use crate::api::user_policy::FunctionPolicy;

    fn case(facts: &FunctionFacts, event: Failure) -> Case<'_> {
        Case {
            has_culprit: false,
            builds_by_hand: false,
            sets_fields: false,
            is_precondition_kept: false,
            leaks_by_design: false,
            event,
            activity: Activity::Call,
            facts,
            is_builtin: false,
            is_foreign: false,
            law: None,
            probe: None,
            is_law_fair: true,
            is_modest: true,
            is_plain_arithmetic: false,
            has_preconditions: false,
            takes_everything: false,
            may_take_zero: true,
            maker_documents_panics: false,
            last_output: "",
            scene: None,
        }
    }

    fn policy(general: Option<Rating>, panics: Option<Rating>, own: Option<Rating>) -> Policy {
        let ratings = |rating: Option<Rating>| rating.map(|rating| ("overflow", rating)).into_iter().collect();
        let function = FunctionPolicy { panics, oracles: ratings(own), is_skipped: false };
        Policy { oracles: ratings(general), functions: [("f".to_string(), function)].into() }
    }

    fn short(decision: Decision) -> String {
        match decision {
            Decision::Illegal(reason) => reason.to_string(),
            Decision::Finding { tier, oracle } => format!("{} {}", tier.name(), oracle.id),
        }
    }

    const OVERFLOW: Decision = Decision::Finding { tier: Tier::Error, oracle: &provoke_oracles::OVERFLOW };
    const DOCUMENTED: Decision = Decision::Illegal("documented");

    #[test]
    fn the_nearest_word_about_a_finding_decides() {
        use Rating::{Default, Error, Off, Suspicious};
        let facts = FunctionFacts::default();
        let panic = case(&facts, Failure::Panic(PanicKind::Overflow));
        let table = [
            // In general, all panics of the function, this oracle of the function.
            (OVERFLOW, None, None, None, "error overflow"),
            (OVERFLOW, Some(Off), None, None, CONFIGURED),
            (OVERFLOW, Some(Suspicious), None, None, "suspicious overflow"),
            (OVERFLOW, Some(Off), Some(Error), None, "error overflow"),
            (OVERFLOW, Some(Off), Some(Default), None, CONFIGURED),
            (OVERFLOW, Some(Off), None, Some(Default), "error overflow"),
            (OVERFLOW, None, Some(Off), None, CONFIGURED),
            (OVERFLOW, None, Some(Off), Some(Suspicious), "suspicious overflow"),
            (OVERFLOW, None, Some(Error), Some(Off), CONFIGURED),
            (DOCUMENTED, Some(Error), None, Some(Error), "documented"),
            (DOCUMENTED, None, Some(Error), None, "error forbidden-panic"),
            (DOCUMENTED, None, Some(Suspicious), None, "suspicious forbidden-panic"),
            (DOCUMENTED, None, Some(Default), None, "documented"),
        ];
        for (row, (decision, general, panics, own, expected)) in table.into_iter().enumerate() {
            let policy = policy(general, panics, own);
            assert_eq!(short(policy.revise(decision, &panic, "f")), expected, "row {row}");
            let elsewhere = policy.revise(DOCUMENTED, &panic, "g");
            assert_eq!(elsewhere, DOCUMENTED, "row {row}");
        }
    }

    #[test]
    fn what_is_said_of_panics_is_not_said_of_deaths_and_broken_laws() {
        let facts = FunctionFacts::default();
        let policy = policy(None, Some(Rating::Off), None);
        for event in [Failure::Signal(11), Failure::TimedOut, Failure::Panic(PanicKind::LawBroken)] {
            let crash = Decision::Finding { tier: Tier::Error, oracle: &provoke_oracles::CRASH };
            assert_eq!(policy.revise(crash, &case(&facts, event), "f"), crash, "{event:?}");
        }
    }

    #[test]
    fn a_panic_of_the_harness_is_never_forbidden() {
        let facts = FunctionFacts::default();
        let policy = policy(None, Some(Rating::Error), None);
        let builtin = Case { is_builtin: true, ..case(&facts, Failure::Panic(PanicKind::Bounds)) };
        assert_eq!(policy.revise(DOCUMENTED, &builtin, "f"), DOCUMENTED);
    }

    #[test]
    fn the_first_look_drops_nothing_and_keeps_what_is_forbidden() {
        let facts = FunctionFacts::default();
        let panic = case(&facts, Failure::Panic(PanicKind::Overflow));
        let look = |policy: &Policy, decision| short(policy.on_first_look(decision, &panic, || "f".to_string()));
        assert_eq!(look(&policy(Some(Rating::Off), Some(Rating::Off), None), OVERFLOW), "error overflow");
        assert_eq!(look(&policy(None, Some(Rating::Error), None), DOCUMENTED), "error forbidden-panic");
    }
}
