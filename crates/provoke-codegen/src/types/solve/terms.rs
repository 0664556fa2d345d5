//! Types with variables in them: followed, read and unified.

use std::rc::Rc;

use provoke_model::{GenericArg, Ty};

use crate::types::abilities::{AbilityAnswer, implements_std};
use crate::types::catalog::type_args;
use crate::types::facts::Fact;
use crate::types::solve::impls::may_match;
use crate::types::solve::{Goal, MAX_LEVEL, Solver, State, first_variable, goals_of};
use crate::types::subst::{Choice, Substitution};

/// How deep types are looked into.
const MAX_NESTING: u32 = 16;

impl Solver<'_> {
    /// The type behind a variable, as far as it is bound.
    fn walk<'s>(&self, ty: &'s Ty, state: &'s State) -> &'s Ty {
        let mut ty = ty;
        while let Ty::Param(name) = ty {
            match state.types.get(name.as_str()) {
                Some(bound) if **bound != *ty => ty = bound,
                _ => break,
            }
        }
        ty
    }

    /// Variables followed and projections read, at the head of the type.
    pub(super) fn normal(&mut self, ty: &Ty, state: &State) -> Ty {
        let ty = self.walk(ty, state).clone();
        if !matches!(ty, Ty::Projection { .. }) || self.level >= MAX_LEVEL || !self.step() {
            return ty;
        }
        self.level += 1;
        let read = self.read_projection(&ty, state);
        self.level -= 1;
        read.unwrap_or(ty)
    }

    fn read_projection(&mut self, ty: &Ty, state: &State) -> Option<Ty> {
        let Ty::Projection { self_ty, trait_ref, name, args } = ty else { return None };
        let owner = self.normal(self_ty, state);
        if matches!(owner, Ty::Param(_) | Ty::Projection { .. }) {
            return Some(Ty::Projection {
                self_ty: Box::new(owner),
                trait_ref: trait_ref.clone(),
                name: name.clone(),
                args: args.clone(),
            });
        }
        let catalog = self.catalog;
        let facts: Vec<&Fact> = match trait_ref {
            Some(trait_ref) => catalog.trait_facts(trait_ref.item).impls.iter().collect(),
            None => catalog.facts().with_assoc(name).collect(),
        };
        for fact in facts {
            if self.is_spent() {
                return None;
            }
            if !fact.assoc_types.iter().any(|(found, _)| found == name) || !may_match(&fact.for_ty, &owner) {
                continue;
            }
            let fresh = self.rename(fact);
            let mut next = state.clone();
            if !self.unify(&fresh.for_ty, &owner, &mut next) {
                continue;
            }
            // It would fit if something in the owner were known: a guess that may lead on to itself for ever.
            if next.goals.len() > state.goals.len() {
                continue;
            }
            if let Some(trait_ref) = trait_ref {
                let fits = type_args(&fresh.trait_args)
                    .zip(type_args(&trait_ref.args))
                    .all(|(pattern, wanted)| self.unify(pattern, wanted, &mut next));
                if !fits {
                    continue;
                }
            }
            // `impl<I: Iterator> IntoIterator for I` covers iterators only.
            if matches!(fact.for_ty, Ty::Param(_)) && !self.bounds_hold(&fresh, &next) {
                continue;
            }
            if let Some((_, assoc)) = fresh.assoc_types.iter().find(|(found, _)| found == name) {
                let read = self.deep(assoc, &next);
                return Some(self.normal(&read, &next));
            }
        }
        None
    }

    /// Whether the direct bounds of a fact hold for what its variables are bound to.
    fn bounds_hold(&mut self, fact: &Fact, state: &State) -> bool {
        goals_of(&fact.generics, 0).iter().all(|goal| match goal {
            Goal::Implements { ty, trait_ref, .. } => {
                let ty = self.normal(ty, state);
                let catalog = self.catalog;
                let facts = catalog.trait_facts(trait_ref.item);
                if let Some(name) = facts.std_name
                    && implements_std(catalog, &ty, name) == AbilityAnswer::Yes
                {
                    return true;
                }
                facts.impls.iter().any(|fact| {
                    !matches!(fact.for_ty, Ty::Param(_)) && may_match(&fact.for_ty, &ty) && {
                        let fresh = self.rename(fact);
                        self.unify(&fresh.for_ty, &ty, &mut state.clone())
                    }
                })
            }
            Goal::Equal { .. } => true,
        })
    }

    /// Makes two types the same, binding variables of either. What cannot be read yet is left as a goal.
    pub(super) fn unify(&mut self, left: &Ty, right: &Ty, state: &mut State) -> bool {
        let (left, right) = (self.normal(left, state), self.normal(right, state));
        match (&left, &right) {
            (Ty::Param(a), Ty::Param(b)) if a == b => true,
            (Ty::Other(_), _) | (_, Ty::Other(_)) => true,
            (Ty::Param(name), other) | (other, Ty::Param(name)) => {
                // Nobody could write the choice down.
                if matches!(other, Ty::Path { item, .. } if self.catalog.model.item(*item).path.is_none()) {
                    return false;
                }
                if crate::types::subst::mentions(&self.deep(other, state), name) {
                    return false;
                }
                state.bind(name, other.clone());
                true
            }
            (Ty::Projection { .. }, _) | (_, Ty::Projection { .. }) => {
                if left != right {
                    state.goals.push(Rc::new(Goal::Equal { left, right }));
                }
                true
            }
            (Ty::Path { item, args }, Ty::Path { item: other, args: other_args }) => {
                item == other && self.unify_args(args, other_args, state)
            }
            (Ty::Primitive(a), Ty::Primitive(b)) => a == b,
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(a, b, state)),
            (Ty::Slice(a), Ty::Slice(b)) => self.unify(a, b, state),
            (Ty::Array(a, len), Ty::Array(b, other)) => self.unify(a, b, state) && unify_consts(len, other, state),
            (Ty::Ref { mutable, ty: a, .. }, Ty::Ref { mutable: other, ty: b, .. }) => {
                mutable == other && self.unify(a, b, state)
            }
            (
                Ty::FnPointer { params, result, .. },
                Ty::FnPointer { params: other_params, result: other_result, .. },
            ) => {
                let unit = Ty::Tuple(Vec::new());
                params.len() == other_params.len()
                    && params.iter().zip(other_params).all(|(a, b)| self.unify(a, b, state))
                    && self.unify(result.as_deref().unwrap_or(&unit), other_result.as_deref().unwrap_or(&unit), state)
            }
            (a, b) => a == b,
        }
    }

    fn unify_args(&mut self, left: &[GenericArg], right: &[GenericArg], state: &mut State) -> bool {
        let is_no_lifetime = |arg: &&GenericArg| !matches!(arg, GenericArg::Lifetime(_));
        // A missing trailing argument is a default.
        left.iter().filter(is_no_lifetime).zip(right.iter().filter(is_no_lifetime)).all(|pair| match pair {
            (GenericArg::Type(a), GenericArg::Type(b)) => self.unify(a, b, state),
            (GenericArg::Const(a), GenericArg::Const(b)) => unify_consts(a, b, state),
            // A const parameter used as an argument may be written as a type.
            (GenericArg::Type(Ty::Param(a)), GenericArg::Const(b))
            | (GenericArg::Const(b), GenericArg::Type(Ty::Param(a))) => unify_consts(a, b, state),
            _ => false,
        })
    }

    /// Variables replaced everywhere in the type.
    pub(super) fn deep(&self, ty: &Ty, state: &State) -> Ty {
        let mut ty = ty.clone();
        for _ in 0..12 {
            let next = state.apply(&ty);
            if next == ty {
                break;
            }
            ty = next;
        }
        ty
    }

    /// Whatever is still open in a solution gets a plain type; projections that can be read by now are.
    pub(super) fn fill(&mut self, ty: &Ty) -> Ty {
        let mut choice = Choice { consts: self.samples.clone(), ..Choice::default() };
        let mut rest = choice.apply(ty);
        while let Some(name) = first_variable(&rest) {
            choice.types.insert(name, self.base_types().swap_remove(0));
            rest = choice.apply(ty);
        }
        self.normal_everywhere(&rest)
    }

    pub(super) fn normal_everywhere(&mut self, ty: &Ty) -> Ty {
        self.normal_down_to(ty, MAX_NESTING)
    }

    /// What a projection stands for may hold others, and those again; further down nobody asks.
    fn normal_down_to(&mut self, ty: &Ty, levels: u32) -> Ty {
        let Some(levels) = levels.checked_sub(1) else { return ty.clone() };
        let ty = self.normal(ty, &State::default());
        match &ty {
            Ty::Path { item, args } => Ty::Path {
                item: *item,
                args: args
                    .iter()
                    .map(|arg| match arg {
                        GenericArg::Type(ty) => GenericArg::Type(self.normal_down_to(ty, levels)),
                        other => other.clone(),
                    })
                    .collect(),
            },
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|ty| self.normal_down_to(ty, levels)).collect()),
            Ty::Slice(inner) => Ty::Slice(Box::new(self.normal_down_to(inner, levels))),
            Ty::Array(inner, len) => Ty::Array(Box::new(self.normal_down_to(inner, levels)), len.clone()),
            Ty::Ref { lifetime, mutable, ty } => {
                Ty::Ref { lifetime: lifetime.clone(), mutable: *mutable, ty: Box::new(self.normal_down_to(ty, levels)) }
            }
            Ty::FnPointer { params, result, is_unsafe } => Ty::FnPointer {
                params: params.iter().map(|ty| self.normal_down_to(ty, levels)).collect(),
                result: result.as_ref().map(|ty| Box::new(self.normal_down_to(ty, levels))),
                is_unsafe: *is_unsafe,
            },
            _ => ty,
        }
    }
}

impl Substitution for State {
    fn type_of(&self, param: &str) -> Option<&Ty> {
        self.types.get(param).map(|ty| &**ty)
    }

    fn const_of(&self, param: &str) -> Option<String> {
        self.consts.contains_key(param).then(|| resolve_const(param, self))
    }
}

fn unify_consts(left: &str, right: &str, state: &mut State) -> bool {
    let (left, right) = (resolve_const(left, state), resolve_const(right, state));
    if left == right {
        return true;
    }
    let is_variable = |text: &str| !text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains([' ', '{', ':']);
    if is_variable(&left) {
        state.consts.insert(left, right);
        true
    } else if is_variable(&right) {
        state.consts.insert(right, left);
        true
    } else {
        false
    }
}

pub(super) fn resolve_const(text: &str, state: &State) -> String {
    let mut text = text.to_string();
    while let Some(bound) = state.consts.get(&text) {
        text.clone_from(bound);
    }
    text
}
