//! A small trait solver: concrete types for type parameters, such that their bounds hold as far as the facts tell.
//!
//! Whole trait references are unified with the impls of the model and of std, associated types are read off the impls, and
//! what no fact constrains gets a plain type. It is optimistic where facts are missing, since rustc has the last word.
//!
//! Decisions:
//! - `docs/decisions/002-a-trait-solver-chooses-types.md`
//! - `docs/decisions/005-the-target-of-a-conversion-is-passed-too.md`

mod by_hand;
mod callable;
mod failures;
mod impls;
mod taste;
mod terms;

pub use failures::Failures;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use provoke_model::{Bound, GenericArg, GenericParamKind, Generics, ItemId, TraitRef, Ty, WherePredicate};

use crate::types::abilities::is_everyday;
use crate::types::catalog::{Catalog, primitive, type_args};
use crate::types::choose::candidates;
use crate::types::facts::TraitFacts;
use crate::types::solve::failures::{MAX_STEPS, Question};
use crate::types::solve::terms::resolve_const;
use crate::types::subst::{Choice, Substitution, is_concrete};

/// How many impls may be stacked on each other (`Reversed<&Graph<..>>` takes three).
const MAX_DEPTH: u32 = 4;
/// Projections that reading a projection may lead to.
const MAX_LEVEL: u32 = 6;
/// Alternatives that are followed at one place.
const MAX_ALTERNATIVES: usize = 24;

/// Sizes and flags for const parameters, by profile.
const LENGTHS: [&str; 3] = ["4", "8", "2"];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Implements {
        ty: Ty,
        trait_ref: TraitRef,
        higher_ranked: Vec<String>,
        depth: u32,
    },
    /// Both sides are the same type, once projections in them can be read.
    Equal {
        left: Ty,
        right: Ty,
    },
}

/// Copied for every impl that is tried, so that what it holds is shared.
#[derive(Clone, Debug, Default)]
struct State {
    types: BTreeMap<Rc<str>, Rc<Ty>>,
    consts: BTreeMap<String, String>,
    goals: Vec<Rc<Goal>>,
    /// As [`Choice`] has it.
    by_hand: BTreeSet<(ItemId, usize)>,
}

impl State {
    fn bind(&mut self, variable: &str, ty: Ty) {
        self.types.insert(variable.into(), Rc::new(ty));
    }
}

/// What to make of traits of std where the facts say nothing about a type of std.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The type lacks the trait.
    Facts,
    /// It may have it: rustc will tell.
    Hope,
}

/// Answers one question.
struct Solver<'a> {
    catalog: &'a Catalog,
    profile: usize,
    n_steps: u32,
    max_steps: u32,
    n_fresh: u32,
    /// Values for the const parameters of impls that nothing else decides.
    samples: BTreeMap<String, String>,
    /// How deep reading a projection has led to reading others.
    level: u32,
    trust: Trust,
}

impl Solver<'_> {
    fn new(catalog: &Catalog, profile: usize, trust: Trust) -> Solver<'_> {
        Solver {
            catalog,
            profile,
            n_steps: 0,
            max_steps: MAX_STEPS,
            n_fresh: 0,
            samples: BTreeMap::new(),
            level: 0,
            trust,
        }
    }
}

/// A choice for all open parameters of the scopes that meets their bounds; different profiles prefer different types.
pub fn solve(catalog: &Catalog, scopes: &[&Generics], given: &Choice, profile: usize) -> Option<Choice> {
    let trusts = [Trust::Facts, Trust::Hope];
    trusts.into_iter().find_map(|trust| solve_trusting(catalog, scopes, given, profile, trust))
}

pub fn solve_trusting(
    catalog: &Catalog,
    scopes: &[&Generics],
    given: &Choice,
    profile: usize,
    trust: Trust,
) -> Option<Choice> {
    attempt(&mut Solver::new(catalog, profile, trust), scopes, given, None)
}

/// The same for an impl whose `for` type is to be this very instance.
pub fn solve_for(
    catalog: &Catalog,
    generics: &Generics,
    for_ty: &Ty,
    instance: &Ty,
    profile: usize,
    trust: Trust,
) -> Option<Choice> {
    let mut solver = Solver::new(catalog, profile, trust);
    attempt(&mut solver, &[generics], &Choice::default(), Some((for_ty, instance)))
}

fn attempt(solver: &mut Solver<'_>, scopes: &[&Generics], given: &Choice, equal: Option<(&Ty, &Ty)>) -> Option<Choice> {
    let profile = solver.profile;
    let mut state = State {
        types: given.types.iter().map(|(name, ty)| (name.as_str().into(), Rc::new(ty.clone()))).collect(),
        consts: given.consts.clone(),
        goals: Vec::new(),
        by_hand: given.by_hand.clone(),
    };
    for name in &given.left_open {
        state.types.entry(name.as_str().into()).or_insert_with(|| Rc::new(Ty::Other("_".to_string())));
    }
    if let Some((left, right)) = equal
        && !solver.unify(left, right, &mut state)
    {
        return None;
    }
    let self_ty = given.self_ty.clone().or_else(|| equal.map(|(_, instance)| instance.clone()));
    let with_self = Choice { self_ty, ..Choice::default() };
    let with_self = |ty: &Ty| with_self.apply(ty);
    for generics in scopes {
        for goal in goals_of(generics, 0) {
            state.goals.push(Rc::new(goal.map(&with_self)));
        }
    }
    let question = Question::of(&state);
    solver.max_steps = solver.catalog.failures().budget(&question, solver)?;
    let Some(solved) = solver.search(state) else {
        solver.catalog.failures().add(question, solver);
        return None;
    };
    let mut choice = Choice { by_hand: solved.by_hand.clone(), ..given.clone() };
    for param in scopes.iter().flat_map(|generics| &generics.params) {
        match &param.kind {
            GenericParamKind::Lifetime { .. } => {}
            GenericParamKind::Const { ty, .. } => {
                let bound = resolve_const(&param.name, &solved);
                let chosen = solver.samples.get(&bound).cloned().unwrap_or(bound);
                let chosen = if chosen == param.name { sample_const(ty, profile) } else { chosen };
                choice.consts.entry(param.name.clone()).or_insert(chosen);
            }
            GenericParamKind::Type { default, .. } => {
                if given.types.contains_key(&param.name) || given.left_open.contains(&param.name) {
                    continue;
                }
                let bound = solved.type_of(&param.name).map(|ty| solver.deep(ty, &solved));
                match bound {
                    Some(ty) => {
                        choice.types.insert(param.name.clone(), solver.fill(&ty));
                    }
                    // A defaulted parameter is left out where the type is written.
                    None if default.is_some() => {}
                    None => {
                        choice.types.insert(param.name.clone(), solver.base_types().swap_remove(0));
                    }
                }
            }
        }
    }
    Some(choice)
}

/// The type with every projection read that can be read.
pub fn normalize(catalog: &Catalog, ty: &Ty) -> Ty {
    Solver::new(catalog, 0, Trust::Facts).normal_everywhere(ty)
}

fn sample_const(ty: &Ty, profile: usize) -> String {
    match ty {
        Ty::Primitive(p) if p == "bool" => ["true", "false", "true"][profile % 3].to_string(),
        Ty::Primitive(p) if p == "char" => "'a'".to_string(),
        _ => LENGTHS[profile % 3].to_string(),
    }
}

/// What the bounds of a scope ask for.
fn goals_of(generics: &Generics, depth: u32) -> Vec<Goal> {
    let mut goals = Vec::new();
    let mut add = |ty: &Ty, bounds: &[Bound]| {
        for bound in bounds {
            if let Bound::Trait { trait_ref, maybe: false, higher_ranked } = bound {
                goals.push(Goal::Implements {
                    ty: ty.clone(),
                    trait_ref: trait_ref.clone(),
                    higher_ranked: higher_ranked.clone(),
                    depth,
                });
            }
        }
    };
    for param in &generics.params {
        if let GenericParamKind::Type { bounds, .. } = &param.kind {
            add(&Ty::Param(param.name.clone()), bounds);
        }
    }
    for predicate in &generics.predicates {
        if let WherePredicate::Type { ty, bounds } = predicate {
            add(ty, bounds);
        }
    }
    for predicate in &generics.predicates {
        if let WherePredicate::Equality { left, right } = predicate {
            goals.push(Goal::Equal { left: left.clone(), right: right.clone() });
        }
    }
    goals
}

impl Goal {
    fn map(&self, change: &dyn Fn(&Ty) -> Ty) -> Goal {
        match self {
            Goal::Implements { ty, trait_ref, higher_ranked, depth } => Goal::Implements {
                ty: change(ty),
                trait_ref: TraitRef { item: trait_ref.item, args: map_args(&trait_ref.args, change) },
                higher_ranked: higher_ranked.clone(),
                depth: *depth,
            },
            Goal::Equal { left, right } => Goal::Equal { left: change(left), right: change(right) },
        }
    }
}

fn map_args(args: &[GenericArg], change: &dyn Fn(&Ty) -> Ty) -> Vec<GenericArg> {
    args.iter()
        .map(|arg| match arg {
            GenericArg::Type(ty) => GenericArg::Type(change(ty)),
            GenericArg::Equality { name, ty } => GenericArg::Equality { name: name.clone(), ty: change(ty) },
            other => other.clone(),
        })
        .collect()
}

/// Traits whose facts single out types for a variable. Others only filter.
fn is_selective(facts: TraitFacts<'_>) -> bool {
    match facts.std_name {
        None => true,
        Some(name) => {
            !is_everyday(name)
                && !matches!(
                    name,
                    "Sized"
                        | "Any"
                        | "ToOwned"
                        | "UnwindSafe"
                        | "RefUnwindSafe"
                        | "LowerHex"
                        | "UpperHex"
                        | "Binary"
                        | "Octal"
                        | "LowerExp"
                        | "UpperExp"
                )
        }
    }
}

/// The solver's own way to wait: a projection whose owner is not known yet.
fn is_stuck(ty: &Ty) -> bool {
    matches!(ty, Ty::Projection { .. })
}

impl Solver<'_> {
    /// What decides between answers.
    fn taste(&self) -> (usize, Trust) {
        (self.profile, self.trust)
    }

    /// Takes one more step; `false` if the question has had all of its own. Then it has no answer, and every loop ends.
    fn step(&mut self) -> bool {
        let may_go_on = !self.is_spent();
        self.n_steps += u32::from(may_go_on);
        may_go_on
    }

    fn is_spent(&self) -> bool {
        self.n_steps >= self.max_steps
    }

    /// What a variable without further constraints gets: a small integer, something that owns memory, then unusual ones.
    fn base_types(&self) -> Vec<Ty> {
        let mut types = vec![primitive("i32"), self.catalog.string()];
        types.extend(["u8", "usize", "u64", "f64", "char", "bool"].map(primitive));
        types.swap(0, self.profile.min(2));
        types
    }

    /// Runs through goals until all are met; the first solution counts.
    fn search(&mut self, mut state: State) -> Option<State> {
        loop {
            if !self.step() {
                return None;
            }
            let Some(next) = self.next_goal(&state) else {
                return self.bind_rest(state);
            };
            let goal = state.goals.remove(next);
            let mut alternatives = match &*goal {
                Goal::Equal { left, right } => {
                    if !self.unify(left, right, &mut state) {
                        return None;
                    }
                    continue;
                }
                Goal::Implements { ty, trait_ref, higher_ranked, depth } => {
                    self.alternatives(ty, trait_ref, higher_ranked, *depth, &state)
                }
            };
            match alternatives.len() {
                0 => return None,
                1 => state = alternatives.swap_remove(0),
                _ => return alternatives.into_iter().take(MAX_ALTERNATIVES).find_map(|state| self.search(state)),
            }
        }
    }

    /// The goal to work on: first what is settled by now, then what users or facts single out types for. `None` where all others wait.
    fn next_goal(&mut self, state: &State) -> Option<usize> {
        let (mut by_hand, mut selective) = (None, None);
        for (index, goal) in state.goals.iter().enumerate() {
            match &**goal {
                Goal::Equal { left, right } => {
                    let (left, right) = (self.normal(left, state), self.normal(right, state));
                    if !is_stuck(&left) && !is_stuck(&right) {
                        return Some(index);
                    }
                }
                Goal::Implements { ty, trait_ref, .. } => {
                    let ty = self.normal(ty, state);
                    match ty {
                        Ty::Param(_) => {
                            if by_hand.is_none() && !self.catalog.model.types_by_hand.of(trait_ref.item).is_empty() {
                                by_hand = Some(index);
                            }
                            if selective.is_none() && is_selective(self.catalog.trait_facts(trait_ref.item)) {
                                selective = Some(index);
                            }
                        }
                        Ty::Projection { .. } => {}
                        _ => return Some(index),
                    }
                }
            }
        }
        by_hand.or(selective)
    }

    /// Variables that nothing singled out get plain types, one after the other.
    fn bind_rest(&mut self, state: State) -> Option<State> {
        let open = state.goals.iter().find_map(|goal| match &**goal {
            Goal::Implements { ty, .. } => self.open_variable(ty, &state),
            Goal::Equal { left, right } => {
                self.open_variable(left, &state).or_else(|| self.open_variable(right, &state))
            }
        });
        let Some(open) = open else {
            // Projections of foreign traits that no fact can read: rustc will see.
            return Some(state);
        };
        for ty in self.base_types() {
            if self.is_spent() {
                return None;
            }
            let mut next = state.clone();
            next.bind(&open, ty);
            if let Some(solved) = self.search(next) {
                return Some(solved);
            }
        }
        None
    }

    /// A variable inside the type that is not bound.
    fn open_variable(&mut self, ty: &Ty, state: &State) -> Option<String> {
        let ty = self.normal(ty, state);
        first_variable(&self.deep(&ty, state))
    }
}

fn first_variable(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Param(name) => Some(name.clone()),
        Ty::Path { args, .. } => type_args(args).find_map(first_variable),
        Ty::Tuple(parts) => parts.iter().find_map(first_variable),
        Ty::Slice(ty) | Ty::Array(ty, _) | Ty::Ref { ty, .. } | Ty::RawPointer { ty, .. } => first_variable(ty),
        Ty::FnPointer { params, result, .. } => {
            params.iter().find_map(first_variable).or_else(|| result.as_deref().and_then(first_variable))
        }
        Ty::Projection { self_ty, trait_ref, args, .. } => first_variable(self_ty)
            .or_else(|| type_args(args).find_map(first_variable))
            .or_else(|| trait_ref.as_ref().and_then(|t| type_args(&t.args).find_map(first_variable))),
        _ => None,
    }
}

/// Concrete types that implement a trait, best first.
pub fn implementors(catalog: &Catalog, trait_ref: &TraitRef, max: usize) -> Vec<Ty> {
    if !catalog.model.types_by_hand.of(trait_ref.item).is_empty() {
        let bound = Bound::Trait { trait_ref: trait_ref.clone(), maybe: false, higher_ranked: Vec::new() };
        return candidates(catalog, &[bound]);
    }
    let mut found: Vec<Ty> = Vec::new();
    for fact in catalog.trait_facts(trait_ref.item).impls {
        let mut given = Choice::default();
        let fits = type_args(&fact.trait_args)
            .zip(type_args(&trait_ref.args))
            .all(|(pattern, wanted)| !is_concrete(wanted) || crate::types::subst::unify(pattern, wanted, &mut given));
        if !fits {
            continue;
        }
        for profile in 0..2 {
            let Some(choice) = solve(catalog, &[&fact.generics], &given, profile) else { continue };
            let ty = choice.apply(&fact.for_ty);
            if is_concrete(&ty) && !found.contains(&ty) {
                found.push(ty);
            }
            if found.len() >= max {
                return found;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
