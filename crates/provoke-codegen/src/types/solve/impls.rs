//! Which impls meet a bound: the facts of a trait, tried one after the other.

use std::rc::Rc;

use provoke_model::{Bound, GenericArg, GenericParamKind, TraitRef, Ty};

use crate::types::abilities::{AbilityAnswer, implements_std, is_everyday};
use crate::types::catalog::{Catalog, type_args};
use crate::types::facts::{Fact, TraitFacts};
use crate::types::solve::taste::{Taste, sort_numbers};
use crate::types::solve::{Goal, MAX_ALTERNATIVES, MAX_DEPTH, Solver, State, Trust, goals_of, sample_const};
use crate::types::subst::{Choice, Substitution, is_concrete};

impl Solver<'_> {
    /// The states in which a type implements a trait, as far as the facts tell.
    pub(super) fn alternatives_by_facts(
        &mut self,
        ty: &Ty,
        trait_ref: &TraitRef,
        higher_ranked: &[String],
        depth: u32,
        state: &State,
    ) -> Vec<State> {
        if !self.step() {
            return Vec::new();
        }
        let ty = self.normal(ty, state);
        let facts = self.catalog.trait_facts(trait_ref.item);
        if matches!(ty, Ty::Other(_)) || self.catalog.model.types_by_hand.is_stranger(&ty) {
            return vec![state.clone()];
        }
        if matches!(facts.std_name, Some("Fn" | "FnMut" | "FnOnce")) {
            return self.callable(&ty, trait_ref, higher_ranked, state).into_iter().collect();
        }
        if let Some(settled) = self.settled_without_impls(&ty, trait_ref, depth, state) {
            return settled;
        }
        let is_variable = matches!(ty, Ty::Param(_));
        if depth > MAX_DEPTH || (is_variable && depth + 1 > MAX_DEPTH) {
            return Vec::new();
        }
        let Some(mut found) = self.by_impls(&ty, trait_ref, depth, state) else { return Vec::new() };
        if is_variable {
            found.sort_by_key(|(_, taste)| taste.rank());
            if depth == 0 && prefers_variety(facts) && found.len() > 1 {
                let n = self.profile % found.len();
                found.rotate_left(n);
            }
            sort_numbers(&mut found);
        }
        let mut found: Vec<State> = found.into_iter().map(|(state, _)| state).collect();
        if depth <= 1 && facts.std_name == Some("From") && found.len() > 1 && self.is_from_anything(trait_ref, state) {
            // The type itself, which is the last one, has the most values.
            let n_found = found.len();
            match self.profile {
                0 => {}
                1 => found.rotate_right(1),
                profile => found.rotate_left((profile - 1) % n_found),
            }
        }
        if found.is_empty() { self.without_known_impl(&ty, facts, state) } else { found }
    }

    /// What std, or the shape of the type, says by itself, if that is all there is to say.
    pub(super) fn settled_without_impls(
        &mut self,
        ty: &Ty,
        trait_ref: &TraitRef,
        depth: u32,
        state: &State,
    ) -> Option<Vec<State>> {
        let name = self.catalog.trait_facts(trait_ref.item).std_name?;
        let whole = self.deep(ty, state);
        if is_concrete(&whole) {
            match implements_std(self.catalog, &whole, name) {
                AbilityAnswer::No => return Some(Vec::new()),
                // With arguments, there may still be something to bind.
                AbilityAnswer::Yes if trait_ref.args.is_empty() => return Some(vec![state.clone()]),
                _ => {}
            }
        }
        // What all of its parts can do, it can do.
        let parts = parts_of(ty).filter(|_| is_everyday(name) && name != "Display")?;
        let mut next = state.clone();
        next.goals.extend(parts.iter().map(|part| {
            let (trait_ref, higher_ranked) = (TraitRef { item: trait_ref.item, args: Vec::new() }, Vec::new());
            Rc::new(Goal::Implements { ty: part.clone(), trait_ref, higher_ranked, depth })
        }));
        Some(vec![next])
    }

    /// `None` if the question has had all of its steps.
    pub(super) fn by_impls(
        &mut self,
        ty: &Ty,
        trait_ref: &TraitRef,
        depth: u32,
        state: &State,
    ) -> Option<Vec<(State, Taste)>> {
        let facts = self.catalog.trait_facts(trait_ref.item);
        let mut found: Vec<(State, Taste)> = Vec::new();
        if matches!(facts.std_name, Some("PartialEq" | "PartialOrd"))
            && let Some(other) = type_args(&trait_ref.args).next()
        {
            // Most types compare with themselves.
            let mut next = state.clone();
            if self.unify(other, ty, &mut next) {
                found.push((next, Taste::Plain));
            }
        }
        for fact in facts.impls {
            if found.len() >= MAX_ALTERNATIVES {
                break;
            }
            if !may_match(&fact.for_ty, ty) || !self.args_may_match(fact, trait_ref, state) {
                continue;
            }
            if !self.step() {
                return None;
            }
            if let Some(next) = self.apply_fact(fact, ty, trait_ref, depth, state) {
                found.push((next, Taste::of(fact, trait_ref.item, self.profile)));
            }
        }
        Some(found)
    }

    /// What may still implement the trait if no impl that is known fits.
    pub(super) fn without_known_impl(&self, ty: &Ty, facts: TraitFacts<'_>, state: &State) -> Vec<State> {
        let has_facts = !facts.impls.is_empty();
        if let Ty::Param(name) = ty {
            if has_facts || facts.is_local {
                return Vec::new();
            }
            // Nothing is known of the trait: any plain type may do.
            let bound_to = |base: Ty| {
                let mut next = state.clone();
                next.bind(name, base);
                next
            };
            return self.base_types().into_iter().map(bound_to).collect();
        }
        let is_closed = match facts.std_name {
            // All that a tracked element can do is known.
            _ if self.catalog.is_tracked(ty) => true,
            // All impls of the target's own traits are known.
            None => facts.is_local || has_facts,
            Some(_) => is_known_to_lack(self.catalog, ty, has_facts, self.trust),
        };
        if is_closed { Vec::new() } else { vec![state.clone()] }
    }

    /// Whether what is converted is open.
    pub(super) fn is_from_anything(&mut self, trait_ref: &TraitRef, state: &State) -> bool {
        type_args(&trait_ref.args).next().is_some_and(|ty| matches!(self.normal(ty, state), Ty::Param(_)))
    }

    /// Whether the arguments of a trait can be those of the impl, by their heads.
    pub(super) fn args_may_match(&mut self, fact: &Fact, trait_ref: &TraitRef, state: &State) -> bool {
        type_args(&fact.trait_args).zip(type_args(&trait_ref.args)).all(|(pattern, wanted)| {
            let wanted = self.normal(wanted, state);
            may_match(pattern, &wanted)
        })
    }

    pub(super) fn apply_fact(
        &mut self,
        fact: &Fact,
        ty: &Ty,
        trait_ref: &TraitRef,
        depth: u32,
        state: &State,
    ) -> Option<State> {
        let fresh = self.rename(fact);
        let mut next = state.clone();
        if !self.unify(&fresh.for_ty, ty, &mut next) {
            return None;
        }
        for (pattern, wanted) in type_args(&fresh.trait_args).zip(type_args(&trait_ref.args)) {
            if !self.unify(pattern, wanted, &mut next) {
                return None;
            }
        }
        for arg in &trait_ref.args {
            let GenericArg::Equality { name, ty: wanted } = arg else { continue };
            if matches!(wanted, Ty::ImplTrait(_)) {
                continue;
            }
            let own = fresh.assoc_types.iter().find(|(found, _)| found == name);
            // Otherwise it is that of a supertrait.
            let inherited = || Ty::Projection {
                self_ty: Box::new(ty.clone()),
                trait_ref: None,
                name: name.clone(),
                args: Vec::new(),
            };
            let left = own.map_or_else(inherited, |(_, assoc)| assoc.clone());
            next.goals.push(Rc::new(Goal::Equal { left, right: wanted.clone() }));
        }
        for arg in &trait_ref.args {
            let GenericArg::Equality { name, ty: Ty::ImplTrait(bounds) } = arg else { continue };
            let Some((_, assoc)) = fresh.assoc_types.iter().find(|(found, _)| found == name) else { continue };
            for bound in bounds {
                if let Bound::Trait { trait_ref, maybe: false, higher_ranked } = bound {
                    next.goals.push(Rc::new(Goal::Implements {
                        ty: assoc.clone(),
                        trait_ref: trait_ref.clone(),
                        higher_ranked: higher_ranked.clone(),
                        depth: depth + 1,
                    }));
                }
            }
        }
        next.goals.extend(goals_of(&fresh.generics, depth + 1).into_iter().map(Rc::new));
        Some(next)
    }

    /// The fact with variables of its own.
    pub(super) fn rename(&mut self, fact: &Fact) -> Fact {
        self.n_fresh += 1;
        let mut choice = Choice { self_ty: None, ..Choice::default() };
        let mut generics = fact.generics.clone();
        for param in &mut generics.params {
            let name = format!("{}#{}", param.name, self.n_fresh);
            match &param.kind {
                GenericParamKind::Lifetime { .. } => continue,
                GenericParamKind::Type { .. } => {
                    choice.types.insert(param.name.clone(), Ty::Param(name.clone()));
                }
                GenericParamKind::Const { ty, .. } => {
                    self.samples.insert(name.clone(), sample_const(ty, self.profile));
                    choice.consts.insert(param.name.clone(), name.clone());
                }
            }
            param.name = name;
        }
        let for_ty = choice.apply(&fact.for_ty);
        choice.self_ty = Some(for_ty.clone());
        let generics = choice.apply_generics(&generics);
        Fact {
            generics,
            trait_args: choice.apply_args(&fact.trait_args),
            for_ty,
            assoc_types: fact.assoc_types.iter().map(|(name, ty)| (name.clone(), choice.apply(ty))).collect(),
        }
    }
}

/// Of a tuple or an array.
pub(super) fn parts_of(ty: &Ty) -> Option<&[Ty]> {
    match ty {
        Ty::Tuple(parts) => Some(parts),
        Ty::Array(inner, _) => Some(std::slice::from_ref(&**inner)),
        _ => None,
    }
}

/// Where more than one kind of type is worth having.
pub(super) fn prefers_variety(facts: TraitFacts<'_>) -> bool {
    facts.std_name.is_none_or(|name| {
        matches!(name, "AsRef" | "Into" | "From" | "RangeBounds" | "Read" | "BufRead" | "SliceIndex")
    })
}

/// Whether two types can be unified, by their heads alone: most facts are about something else.
pub(super) fn may_match(pattern: &Ty, ty: &Ty) -> bool {
    match (pattern, ty) {
        (Ty::Path { item, .. }, Ty::Path { item: other, .. }) => item == other,
        (Ty::Primitive(a), Ty::Primitive(b)) => a == b,
        (Ty::Ref { mutable, ty: a, .. }, Ty::Ref { mutable: other, ty: b, .. }) => mutable == other && may_match(a, b),
        (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len(),
        (Ty::Param(_) | Ty::Projection { .. } | Ty::Other(_) | Ty::SelfTy, _)
        | (_, Ty::Param(_) | Ty::Projection { .. } | Ty::Other(_)) => true,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Whether the absence of a fact says that a type has not got a trait of std.
pub(super) fn is_known_to_lack(catalog: &Catalog, ty: &Ty, has_facts: bool, trust: Trust) -> bool {
    match ty {
        Ty::Path { item, .. } => {
            // Of a type that nobody can name, not every impl is known.
            let item = catalog.model.item(*item);
            let is_known = item.local_index.is_some() && item.path.is_some();
            is_known || (trust == Trust::Facts && has_facts)
        }
        Ty::Primitive(_) | Ty::Tuple(_) | Ty::FnPointer { .. } | Ty::Array(..) | Ty::Slice(_) => has_facts,
        Ty::Ref { .. } => has_facts,
        _ => false,
    }
}
