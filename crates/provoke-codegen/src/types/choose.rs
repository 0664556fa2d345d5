//! Choices for the parameters of a function and its impl, and why there may be none.

use provoke_model::{Bound, GenericParam, GenericParamKind, Generics, Ty, WherePredicate};

use crate::types::catalog::Catalog;
use crate::types::skip_reason::SkipReason;
use crate::types::solve::{Trust, solve_trusting};
use crate::types::subst::{Choice, Substitution};

/// How many different choices a set of parameters gets.
const MAX_CHOICES: usize = 3;
/// And where a function takes any of a family of types, such as all kinds of ranges.
pub const MAX_OF_FAMILY: usize = 5;

/// All choices to try for the parameters of `scopes` that `given` leaves open, best first.
///
/// The scopes (an impl's generics, then the function's own) are taken together, since bounds may tie them.
pub fn choices(
    catalog: &Catalog,
    scopes: &[&Generics],
    given: &Choice,
    trust: Trust,
) -> Result<Vec<Choice>, SkipReason> {
    let found = solutions(catalog, scopes, given, trust);
    if found.is_empty() { Err(skip_reason(catalog, scopes, given)) } else { Ok(found) }
}

fn solutions(catalog: &Catalog, scopes: &[&Generics], given: &Choice, trust: Trust) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    let has_family = open_bounds(scopes, given).any(|bounds| is_family(catalog, &bounds));
    for profile in 0..if has_family { MAX_OF_FAMILY } else { MAX_CHOICES } {
        if let Some(choice) = solve_trusting(catalog, scopes, given, profile, trust)
            && !found.contains(&choice)
        {
            found.push(choice);
        }
    }
    found
}

/// The bounds of each type parameter that is still to be chosen.
fn open_bounds(scopes: &[&Generics], given: &Choice) -> impl Iterator<Item = Vec<Bound>> {
    scopes.iter().flat_map(|generics| &generics.params).filter_map(move |param| match &param.kind {
        GenericParamKind::Type { .. } if !given.types.contains_key(&param.name) => {
            Some(bounds_of(scopes, &Ty::Param(param.name.clone())))
        }
        _ => None,
    })
}

/// Whether users list types for one of the parameters that are still to be chosen.
pub fn has_types_by_hand(catalog: &Catalog, scopes: &[&Generics], given: &Choice) -> bool {
    open_bounds(scopes, given).flatten().any(|bound| is_by_hand(catalog, &bound))
}

/// Whether users list types for what a bound asks for.
pub fn is_by_hand(catalog: &Catalog, bound: &Bound) -> bool {
    matches!(bound, Bound::Trait { trait_ref, .. } if !catalog.model.types_by_hand.of(trait_ref.item).is_empty())
}

/// Whether a bound asks for any of a handful of types from elsewhere, each of which is treated in its own way: ranges of
/// all kinds, what a trait of the crate is implemented for, or what users list for a trait.
pub fn is_family(catalog: &Catalog, bounds: &[Bound]) -> bool {
    const SIZES: std::ops::RangeInclusive<usize> = 3..=8;
    if bounds.iter().any(|bound| is_by_hand(catalog, bound)) {
        return true;
    }
    bounds.iter().any(|bound| {
        let Bound::Trait { trait_ref, .. } = bound else { return false };
        let facts = catalog.trait_facts(trait_ref.item);
        let is_from_elsewhere = |ty: &Ty| match ty {
            Ty::Path { item, .. } => !catalog.model.item(*item).is_local,
            Ty::Primitive(_) => true,
            _ => false,
        };
        match facts.std_name {
            Some(name) => matches!(name, "RangeBounds" | "SliceIndex"),
            None => {
                facts.is_local
                    && SIZES.contains(&facts.impls.len())
                    && facts.impls.iter().all(|fact| is_from_elsewhere(&fact.for_ty))
            }
        }
    })
}

/// Types for an `impl Trait` argument, best first.
pub fn candidates(catalog: &Catalog, bounds: &[Bound]) -> Vec<Ty> {
    let name = "impl Trait";
    let generics = Generics {
        params: vec![GenericParam {
            name: name.to_string(),
            kind: GenericParamKind::Type { bounds: bounds.to_vec(), default: None, is_synthetic: true },
        }],
        predicates: Vec::new(),
    };
    let found = [Trust::Facts, Trust::Hope]
        .into_iter()
        .map(|trust| solutions(catalog, &[&generics], &Choice::default(), trust))
        .find(|found| !found.is_empty())
        .unwrap_or_default();
    found.into_iter().filter_map(|mut choice| choice.types.remove(name)).collect()
}

/// Every bound that the scopes put on a type, inline or in `where` clauses.
pub fn bounds_of(scopes: &[&Generics], ty: &Ty) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for generics in scopes {
        for param in &generics.params {
            if let (GenericParamKind::Type { bounds: inline, .. }, Ty::Param(name)) = (&param.kind, ty)
                && *name == param.name
            {
                bounds.extend(inline.iter().cloned());
            }
        }
        for predicate in &generics.predicates {
            if let WherePredicate::Type { ty: bounded, bounds: more } = predicate
                && bounded == ty
            {
                bounds.extend(more.iter().cloned());
            }
        }
    }
    bounds
}

/// The first parameter that cannot be had by itself is to blame, or else their combination.
fn skip_reason(catalog: &Catalog, scopes: &[&Generics], given: &Choice) -> SkipReason {
    for param in scopes.iter().flat_map(|generics| &generics.params) {
        if !matches!(param.kind, GenericParamKind::Type { .. }) || given.types.contains_key(&param.name) {
            continue;
        }
        let bounds = given.apply_bounds(&bounds_of(scopes, &Ty::Param(param.name.clone())));
        for bound in &bounds {
            if candidates(catalog, std::slice::from_ref(bound)).is_empty() {
                return bound_hindrance(catalog, bound);
            }
        }
        if candidates(catalog, &bounds).is_empty() {
            return SkipReason::Parameter(param.name.clone());
        }
    }
    SkipReason::Combination
}

/// What a bound lacks.
pub fn bound_hindrance(catalog: &Catalog, bound: &Bound) -> SkipReason {
    let Bound::Trait { trait_ref, .. } = bound else {
        return SkipReason::ShortLived;
    };
    let name = &catalog.model.item(trait_ref.item).name;
    match catalog.std_name(trait_ref.item) {
        Some("Fn" | "FnMut" | "FnOnce") => SkipReason::Closure,
        _ => SkipReason::NothingImplements(name.clone()),
    }
}
