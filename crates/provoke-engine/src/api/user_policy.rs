//! What the user says of functions and oracles, where that differs from the rules.
//!
//! Plain data: names are exact, patterns were resolved by whoever read the configuration. What is said of a function goes
//! before what is said in general, and what is said of one oracle before what is said of all panics.
//!
//! Decision: `docs/decisions/061-the-users-policy-is-data.md`

use std::collections::BTreeMap;

use provoke_api::{OpKind, generic_name};
use provoke_oracles::LawTrial;

use crate::api::scope::referenced_name;
use crate::api::{Api, LawOf, Op};

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
        let (name_of_trait, method) = match op.kind {
            OpKind::DefaultValue => ("Default", "default"),
            OpKind::Clone => ("Clone", "clone"),
            _ => return false,
        };
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::graph::Graph;
    use crate::test_support::sample;
    use provoke_api::OpRole;

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
            kind: OpKind::DefaultValue,
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
