//! Which parts of a dependency are of use to the crate that mentions some of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::ty::{Bound, GenericArg, GenericParamKind, Generics, Ty, WherePredicate};
use crate::api::{FunctionHome, Impl, ItemId, ItemKind, Model};
use crate::rustdoc::adopt::{Adopter, Source};

/// How many types of the dependency are taken in because they implement a trait that nothing of std implements.
const MAX_IMPLEMENTORS: usize = 4;

/// How far bounds on the implementors of a trait are followed to further traits.
const N_TRAIT_ROUNDS: usize = 3;

/// Sources of chance: what a test makes of them is another thing in each run.
const CHANCE_TYPES: &[&str] = &["ThreadRng", "OsRng", "EntropyRng", "JitterRng"];

/// Places in the dependency's model.
pub(super) struct Wanted {
    pub types: BTreeSet<usize>,
    pub traits: BTreeSet<usize>,
    pub impls: BTreeSet<usize>,
    /// Of the types.
    type_items: BTreeSet<ItemId>,
}

impl Wanted {
    pub(super) fn new(adopter: &Adopter<'_>) -> Wanted {
        let dependency = adopter.dependency;
        let mut wanted = Wanted {
            types: BTreeSet::new(),
            traits: BTreeSet::new(),
            impls: BTreeSet::new(),
            type_items: BTreeSet::new(),
        };
        for (type_idx, def) in dependency.types.iter().enumerate() {
            if is_mentioned(adopter, def.item) {
                wanted.add_type(dependency, type_idx);
            }
        }
        let mut implemented: BTreeMap<ItemId, Vec<usize>> = BTreeMap::new();
        for (impl_idx, block) in dependency.impls.iter().enumerate() {
            if let Some(trait_ref) = block.trait_ref.as_ref().filter(|_| !block.is_negative) {
                implemented.entry(trait_ref.item).or_default().push(impl_idx);
            }
        }
        // Traits that the model mentions, of this dependency or of others; then those that are needed to implement them.
        let own = dependency.traits.iter().map(|def| def.item).filter(|item| is_mentioned(adopter, *item));
        let foreign = implemented.keys().copied().filter(|item| {
            !dependency.item(*item).is_local && adopter.source(*item) != Source::Std && adopter.find(*item).is_some()
        });
        let mut round: BTreeSet<ItemId> = own.chain(foreign).collect();
        let mut seen = BTreeSet::new();
        for _ in 0..N_TRAIT_ROUNDS {
            let mut next = Traits { adopter, found: BTreeSet::new() };
            for item in round {
                seen.insert(item);
                wanted.add_trait(&mut next, item);
                let impls = implemented.get(&item).map(Vec::as_slice).unwrap_or_default();
                for impl_idx in wanted.add_implementors(adopter, impls) {
                    next.add_generics(&dependency.impls[impl_idx].generics);
                }
            }
            round = next.found.difference(&seen).copied().collect();
        }
        let makers = impls_with_plain_constructors(dependency);
        for (impl_idx, block) in dependency.impls.iter().enumerate() {
            let is_of_std = block.trait_ref.as_ref().is_none_or(|t| adopter.source(t.item) == Source::Std);
            let is_useful = is_of_std || makers.contains(&impl_idx);
            if is_useful && own_type(&block.for_ty).is_some_and(|item| wanted.type_items.contains(&item)) {
                wanted.impls.insert(impl_idx);
            }
        }
        wanted
    }

    fn add_type(&mut self, dependency: &Model, type_idx: usize) {
        self.types.insert(type_idx);
        self.type_items.insert(dependency.types[type_idx].item);
    }

    /// A trait of the dependency brings its contents, and supertraits that are of interest as well.
    fn add_trait(&mut self, next: &mut Traits<'_>, item: ItemId) {
        let described = next.adopter.dependency.item(item);
        if let (true, Some(trait_idx)) = (described.is_local, described.local_index) {
            self.traits.insert(trait_idx);
            next.add_bounds(&next.adopter.dependency.traits[trait_idx].supertraits);
        }
    }

    /// Impls of one trait: for types of std and generic ones, for types that are wanted anyway, and where std has none, for a
    /// few types of the dependency. Returns those that were added.
    fn add_implementors(&mut self, adopter: &Adopter<'_>, impls: &[usize]) -> Vec<usize> {
        let dependency = adopter.dependency;
        let is_std = |block: &Impl| match &block.for_ty {
            Ty::Param(_) | Ty::Ref { .. } => false,
            Ty::Path { item, .. } => adopter.source(*item) == Source::Std && !takes_any_of_a_trait(block),
            _ => true,
        };
        let has_std = impls.iter().any(|&impl_idx| is_std(&dependency.impls[impl_idx]));
        let mut n_own = 0;
        let mut added = Vec::new();
        for &impl_idx in impls {
            let block = &dependency.impls[impl_idx];
            let own = own_type(&block.for_ty).map(|item| dependency.item(item)).filter(|item| item.is_local);
            let Some(own) = own else {
                added.push(impl_idx);
                continue;
            };
            let Some(type_idx) = own.local_index else {
                continue;
            };
            let is_wanted = self.types.contains(&type_idx);
            let is_eligible = !has_std
                && n_own < MAX_IMPLEMENTORS
                && matches!(block.for_ty, Ty::Path { .. })
                && !CHANCE_TYPES.contains(&own.name.as_str())
                && adopter.names.of_item(&own.definition).is_some()
                && adopter.find(dependency.types[type_idx].item).is_none();
            if is_eligible && !is_wanted {
                n_own += 1;
                self.add_type(dependency, type_idx);
            }
            if is_wanted || is_eligible {
                added.push(impl_idx);
            }
        }
        self.impls.extend(&added);
        added
    }

    /// Whether a value of a wanted type is in a value of this one. `impl_idx` is for what `Self` means.
    pub(super) fn is_given(&self, dependency: &Model, ty: &Ty, impl_idx: Option<usize>) -> bool {
        let is_given_by_args = |args: &[GenericArg]| {
            args.iter().any(|arg| matches!(arg, GenericArg::Type(ty) if self.is_given(dependency, ty, impl_idx)))
        };
        match ty {
            Ty::SelfTy => {
                let for_ty = impl_idx.map(|impl_idx| &dependency.impls[impl_idx].for_ty);
                for_ty.is_some_and(|ty| !matches!(ty, Ty::SelfTy) && self.is_given(dependency, ty, None))
            }
            Ty::Path { item, args } => {
                let wraps = matches!(dependency.item(*item).name.as_str(), "Option" | "Result");
                self.type_items.contains(item) || (wraps && is_given_by_args(args))
            }
            _ => false,
        }
    }

    pub(super) fn is_wanted_self(&self, dependency: &Model, impl_idx: usize) -> bool {
        self.impls.contains(&impl_idx) && self.is_given(dependency, &dependency.impls[impl_idx].for_ty, None)
    }
}

/// Collects the traits in bounds that are not std's.
struct Traits<'a> {
    adopter: &'a Adopter<'a>,
    found: BTreeSet<ItemId>,
}

impl Traits<'_> {
    fn add_bounds(&mut self, bounds: &[Bound]) {
        for bound in bounds {
            if let Bound::Trait { trait_ref, maybe: false, .. } = bound
                && self.adopter.source(trait_ref.item) != Source::Std
            {
                self.found.insert(trait_ref.item);
            }
        }
    }

    fn add_generics(&mut self, generics: &Generics) {
        for param in &generics.params {
            if let GenericParamKind::Type { bounds, .. } = &param.kind {
                self.add_bounds(bounds);
            }
        }
        for predicate in &generics.predicates {
            if let WherePredicate::Type { bounds, .. } = predicate {
                self.add_bounds(bounds);
            }
        }
    }
}

/// Mentioned by the model, which does not have its contents yet.
fn is_mentioned(adopter: &Adopter<'_>, item: ItemId) -> bool {
    let known = adopter.find(item).map(|known| adopter.model.item(known));
    known.is_some_and(|known| known.local_index.is_none() && known.kind != ItemKind::TypeAlias)
}

/// Impls of traits with a function that makes a `Self` of nothing special: `SeedableRng::from_seed`.
fn impls_with_plain_constructors(dependency: &Model) -> BTreeSet<usize> {
    let is_plain = |generics: &Generics| {
        generics.params.iter().all(|param| matches!(param.kind, GenericParamKind::Lifetime { .. }))
    };
    let mut found = BTreeSet::new();
    for function in &dependency.functions {
        if let FunctionHome::TraitImpl { impl_idx } = function.home
            && !function.signature.has_self()
            && is_plain(&function.generics)
            && function.signature.result.as_ref() == Some(&Ty::SelfTy)
        {
            found.insert(impl_idx);
        }
    }
    found
}

/// The type that an impl is about, also behind references.
fn own_type(ty: &Ty) -> Option<ItemId> {
    match ty {
        Ty::Path { item, .. } => Some(*item),
        Ty::Ref { ty, .. } => own_type(ty),
        _ => None,
    }
}

/// `impl<R: Trait> Trait for Box<R>`: of no use where nothing else implements it.
fn takes_any_of_a_trait(block: &Impl) -> bool {
    match &block.for_ty {
        Ty::Path { args, .. } => args.iter().any(|arg| matches!(arg, GenericArg::Type(Ty::Param(_)))),
        _ => false,
    }
}
