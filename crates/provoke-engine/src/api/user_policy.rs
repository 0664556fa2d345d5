//! What the user says of functions and oracles, where that differs from the rules.
//!
//! Plain data: names are exact, patterns were resolved by whoever read the configuration. What is said of a function goes
//! before what is said in general, and what is said of one oracle before what is said of all panics.
//!
//! Decision: `docs/decisions/061-the-users-policy-is-data.md`

use std::collections::BTreeMap;

use provoke_oracles::{LawTrial, Tier};

use crate::api::scope::referenced_name;
use crate::api::{Api, LawOf, Op, OpRole};
use crate::verdict::panic_kind::PanicKind;
use crate::verdict::rules::Decision;
use crate::verdict::{Activity, Case, Failure, generic_name};

/// How a finding is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    /// As the rules have it.
    Default,
    /// It is expected, and not reported.
    Off,
    Suspicious,
    Error,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionPolicy {
    /// Of a panic out of the function.
    pub panics: Option<Rating>,
    /// By the id of an oracle.
    pub oracles: BTreeMap<&'static str, Rating>,
    /// It is not to be called.
    pub is_skipped: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// For all functions, by the id of an oracle.
    pub oracles: BTreeMap<&'static str, Rating>,
    /// By the name under which a function is accused.
    pub functions: BTreeMap<String, FunctionPolicy>,
}

/// Why a call counts as illegal though the rules would accuse the crate.
const CONFIGURED: &str = "expected by configuration";

impl Policy {
    /// Every name under which something of this API can be accused and about which a user may say something.
    pub fn names(api: &Api) -> Vec<String> {
        let functions = api.functions.iter().map(|facts| facts.path.clone());
        let subjects = api.ops.iter().filter_map(|op| Some(op.law.as_ref()?.subject.clone()));
        let drops = api.types.iter().map(|ty| format!("<{} as Drop>::drop", generic_name(&ty.name)));
        let mut names: Vec<String> = functions.chain(subjects).chain(drops).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether the tier of a finding of this oracle in this function is the user's choice.
    pub fn decides(&self, oracle: &str, function: &str) -> bool {
        let own = self.functions.get(function);
        let is_said = |rating: Option<&Rating>| rating.is_some_and(|rating| *rating != Rating::Default);
        is_said(own.and_then(|own| own.oracles.get(oracle)))
            || is_said(own.and_then(|own| own.panics.as_ref()))
            || is_said(self.oracles.get(oracle))
    }

    /// Whether an operation is not to be called at all. Asking whether a law holds for a function is calling it, and so is what
    /// goes by a name of our own.
    pub(crate) fn skips(&self, api: &Api, op: &Op) -> bool {
        !self.functions.is_empty()
            && (self.skips_function(api, op)
                || self.skips_builtin(api, op)
                || op.law.as_ref().is_some_and(|law| self.is_skipped(&law.subject) || self.skips_for(law, api, op)))
    }

    fn skips_function(&self, api: &Api, op: &Op) -> bool {
        let functions = [op.function, op.trait_function].into_iter().flatten();
        let mut paths = functions.filter_map(|function| api.functions.get(function as usize));
        paths.any(|facts| self.is_skipped(&facts.path))
    }

    /// Default values and clones are made of any type that can, by whichever function the type has for it.
    fn skips_builtin(&self, api: &Api, op: &Op) -> bool {
        let calls = [("std default_of ", "Default", "default"), ("std clone_of ", "Clone", "clone")];
        let called = calls.into_iter().find(|(prefix, ..)| op.key.starts_with(prefix));
        let Some((_, name_of_trait, method)) = called.filter(|_| op.role == OpRole::Builtin) else { return false };
        let ty = generic_name(&api.types[op.result as usize].name);
        let is_same = |other: &&Op| {
            let is_method = |function: u32| {
                let facts = &api.functions[function as usize];
                facts.path.ends_with(&format!(" as {name_of_trait}>::{method}"))
            };
            (&other.args, other.result) == (&op.args, op.result) && other.function.is_some_and(is_method)
        };
        self.is_skipped(&format!("<{ty} as {name_of_trait}>::{method}"))
            || api.ops.iter().filter(is_same).any(|other| self.skips_function(api, other))
    }

    fn is_skipped(&self, function: &str) -> bool {
        self.functions.get(function).is_some_and(|own| own.is_skipped)
    }

    /// Whether a law may call something that is skipped on the way, as one about clones compares them: other methods that it is
    /// about, or those of any trait of the type.
    fn skips_for(&self, law: &LawOf, api: &Api, op: &Op) -> bool {
        let of_trait = |ty: &str, function: &str| {
            let rest = function.strip_prefix('<').and_then(|rest| rest.strip_prefix(ty));
            rest.is_some_and(|rest| rest.starts_with(" as "))
        };
        let trials = law.oracle.law.as_ref().map_or(&[][..], |law| law.trials);
        op.args.iter().map(|&arg| generic_name(referenced_name(api, arg))).any(|ty| {
            let is_called = |method: &&str| self.is_skipped(&format!("{ty}::{method}"));
            let mut methods = trials.iter().flat_map(|trial| match trial {
                LawTrial::Methods(methods) => *methods,
                LawTrial::Impl { .. } => &[],
            });
            methods.any(is_called) || self.functions.iter().any(|(name, own)| own.is_skipped && of_trait(ty, name))
        })
    }

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
        let of_oracle = |ratings: &BTreeMap<&'static str, Rating>| ratings.get(oracle?).copied();
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
        Decision::Illegal(_) if is_of_the_crate(case) => Decision::Finding { tier, oracle: "forbidden-panic" },
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
    use crate::api::graph::Graph;
    use crate::test_support::sample;

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
            Decision::Finding { tier, oracle } => format!("{} {oracle}", tier.name()),
        }
    }

    const OVERFLOW: Decision = Decision::Finding { tier: Tier::Error, oracle: "overflow" };
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
            let crash = Decision::Finding { tier: Tier::Error, oracle: "crash" };
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

    #[test]
    fn a_skipped_function_is_neither_called_nor_a_maker() {
        let mut api = sample::api();
        let op = api.ops.iter().position(|op| op.function.is_some()).unwrap();
        assert!(Graph::new(&api).is_reachable(op as u32));
        let path = api.functions[api.ops[op].function.unwrap() as usize].path.clone();
        let skipped = FunctionPolicy { is_skipped: true, ..FunctionPolicy::default() };
        api.policy.functions.insert(path, skipped);
        let graph = Graph::new(&api);
        assert!(!graph.is_reachable(op as u32));
        assert!(!graph.makers(api.ops[op].result).contains(&(op as u32)));
    }

    #[test]
    fn a_default_value_is_not_made_where_its_function_is_skipped() {
        let mut api = sample::api();
        let make = api.ops.iter().find(|op| op.key == "make").unwrap().clone();
        let default = |ty: u32| Op {
            key: format!("std default_of {}", api.types[ty as usize].name),
            role: OpRole::Builtin,
            function: None,
            result: ty,
            ..make.clone()
        };
        let [foo, guard] = [default(make.result), default(9)];
        let skipping = |name: &str| {
            let skipped = FunctionPolicy { is_skipped: true, ..FunctionPolicy::default() };
            Policy { functions: [(name.to_string(), skipped)].into(), ..Policy::default() }
        };
        let by_name = skipping("<Foo as Default>::default");
        assert!(by_name.skips(&api, &foo) && !by_name.skips(&api, &guard));
        // Where the crate gives the type another path than the one at which it is defined.
        api.functions[make.function.unwrap() as usize].path = "<sample::Foo as Default>::default".into();
        let by_path = skipping("<sample::Foo as Default>::default");
        assert!(by_path.skips(&api, &foo) && !by_path.skips(&api, &guard));
        assert!(!skipping("<sample::Foo as Clone>::clone").skips(&api, &foo));
    }

    #[test]
    fn a_law_that_calls_what_is_skipped_on_the_way_is_not_asked() {
        let mut api = sample::api();
        sample::add_twins(&mut api);
        let law = api.ops.iter().find(|op| op.role == OpRole::Law).unwrap().clone();
        let skips = |name: &str, oracle: &'static str| {
            let skipped = FunctionPolicy { is_skipped: true, ..FunctionPolicy::default() };
            let policy = Policy { functions: [(name.to_string(), skipped)].into(), ..Policy::default() };
            let law_of = LawOf { oracle: provoke_oracles::oracle(oracle).unwrap(), ..law.law.clone().unwrap() };
            policy.skips(&api, &Op { law: Some(law_of), ..law.clone() })
        };
        let clones = "clone-independent";
        assert!(skips("<Foo as Clone>::clone", clones));
        assert!(skips("<Foo as Debug>::fmt", clones), "what clones show is asked for");
        assert!(!skips("<Other as Debug>::fmt", clones) && !skips("Foo::len", clones));
        assert!(skips("Foo::len", "is-empty-agrees") && !skips("Foo::clear", "is-empty-agrees"));
    }
}
