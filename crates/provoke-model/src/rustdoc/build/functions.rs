//! Functions and constants: what counts as one, once each.

use std::collections::BTreeMap;

use crate::api::ty::Ty;
use crate::api::{Constant, Function, FunctionHome, ItemId, Model, Skip};
use crate::rustdoc::build::contents::{PlacedImpl, docs};
use crate::rustdoc::build::reach::Reach;
use crate::rustdoc::importable::Paths;
use crate::rustdoc::raw::{RawCrate, RawInner, RawItem};
use crate::rustdoc::walk::{Visitor, Walk};

/// The names are given later, when types can be printed.
pub(super) fn collect_functions(
    model: &mut Model,
    krate: &RawCrate,
    paths: &Paths,
    reach: &Reach,
    impls: &[PlacedImpl<'_>],
) {
    let mut functions = Vec::new();
    for (id, path) in paths {
        if let Some(item) = krate.items.get(id)
            && item.is_local
        {
            let mut found = function(item, |_| FunctionHome::Free { path: path.clone() });
            if let (Some(function), Some(summary)) = (&mut found, krate.summaries.get(id)) {
                function.defined_in = summary.path.split_last().map(|(_, module)| module.to_vec());
            }
            functions.extend(found);
        }
    }
    for (impl_idx, placed) in impls.iter().enumerate() {
        if placed.is_derived || is_blanket(placed) || is_drop(krate, placed) {
            continue;
        }
        if !reach.is_usable(placed.raw) {
            continue;
        }
        let mut projections = OwnProjections {
            trait_id: placed.raw.trait_ref.as_ref().map(|trait_ref| trait_ref.item),
            assoc_types: &model.impls[impl_idx].assoc_types,
        };
        for item in parts(krate, &placed.raw.items) {
            let mut found = function(item, |_| match placed.raw.trait_ref {
                None => FunctionHome::Inherent { impl_idx },
                Some(_) => FunctionHome::TraitImpl { impl_idx },
            });
            if let Some(function) = &mut found {
                function.signature.walk(&mut projections);
            }
            // Without a value to call it on, a function of a type that nobody can name is out of reach.
            let is_reachable =
                |function: &Function| function.signature.has_self() || is_nameable(krate, paths, &placed.raw.for_ty);
            functions.extend(found.filter(is_reachable));
        }
    }
    for (trait_idx, local) in model.traits.iter().enumerate() {
        if let Some(RawItem { inner: RawInner::Trait { items, .. }, .. }) = krate.items.get(&local.item)
            && paths.contains_key(&local.item)
        {
            for item in parts(krate, items) {
                functions.extend(function(item, |has_body| FunctionHome::TraitDef { trait_idx, has_body }));
            }
        }
    }
    model.functions = functions;
}

fn parts<'a>(krate: &'a RawCrate, ids: &'a [ItemId]) -> impl Iterator<Item = &'a RawItem> {
    ids.iter().filter_map(|id| krate.items.get(id))
}

fn is_nameable(krate: &RawCrate, paths: &Paths, ty: &Ty) -> bool {
    match ty {
        Ty::Path { item, .. } => paths.contains_key(item) || krate.items.get(item).is_none_or(|found| !found.is_local),
        Ty::Ref { ty, .. } => is_nameable(krate, paths, ty),
        _ => true,
    }
}

/// `impl<T> Trait for T`: its methods are those of the trait, on whatever type one likes.
fn is_blanket(placed: &PlacedImpl<'_>) -> bool {
    matches!(placed.raw.for_ty, Ty::Param(_))
}

/// Replaces `Self::Item` by what the same impl says it is: shorter, and its lifetimes show.
struct OwnProjections<'a> {
    trait_id: Option<ItemId>,
    assoc_types: &'a [(String, Ty)],
}

impl Visitor for OwnProjections<'_> {
    fn ty(&mut self, ty: &mut Ty) {
        let Ty::Projection { self_ty, trait_ref: Some(trait_ref), name, args } = ty else {
            return;
        };
        if **self_ty == Ty::SelfTy
            && args.is_empty()
            && Some(trait_ref.item) == self.trait_id
            && let Some((_, known)) = self.assoc_types.iter().find(|(known, _)| known == name)
        {
            *ty = known.clone();
        }
    }
}

/// `drop` cannot be called.
fn is_drop(krate: &RawCrate, placed: &PlacedImpl<'_>) -> bool {
    placed.raw.trait_ref.as_ref().is_some_and(|trait_ref| {
        krate.summaries.get(&trait_ref.item).is_some_and(|summary| summary.path == ["core", "ops", "drop", "Drop"])
    })
}

/// The function, if it is one that counts.
fn function(item: &RawItem, home: impl FnOnce(bool) -> FunctionHome) -> Option<Function> {
    let RawInner::Function { generics, signature, has_body } = &item.inner else {
        return None;
    };
    if !item.is_public || item.is_hidden || signature.is_unsafe {
        return None;
    }
    Some(Function {
        name: item.name.clone()?,
        display: String::new(),
        home: home(*has_body),
        generics: generics.clone(),
        signature: signature.clone(),
        docs: docs(item),
        is_deprecated: item.is_deprecated,
        span: item.span.clone(),
        defined_in: None,
    })
}

pub(super) fn collect_constants(
    model: &mut Model,
    krate: &RawCrate,
    paths: &Paths,
    reach: &Reach,
    impls: &[PlacedImpl<'_>],
) {
    let constant = |item: &RawItem, path: Option<Vec<String>>, impl_idx: Option<usize>| {
        let ty = match &item.inner {
            RawInner::Constant(ty) | RawInner::AssocConst(ty) | RawInner::Static { ty, is_safe: true } => ty.clone(),
            _ => return None,
        };
        if !item.is_public || item.is_hidden {
            return None;
        }
        Some(Constant { name: item.name.clone()?, display: String::new(), path, impl_idx, ty })
    };
    let mut constants = Vec::new();
    for (id, path) in paths {
        if let Some(item) = krate.items.get(id)
            && item.is_local
        {
            constants.extend(constant(item, Some(path.clone()), None));
        }
    }
    for (impl_idx, placed) in impls.iter().enumerate() {
        if is_blanket(placed) || !reach.is_usable(placed.raw) {
            continue;
        }
        for item in parts(krate, &placed.raw.items) {
            constants.extend(constant(item, None, Some(impl_idx)));
        }
    }
    model.constants = constants;
}

/// A function without a receiver on a type without a name: there is no way to say which function is meant.
pub(super) fn collect_skips(model: &mut Model) {
    let mut skips = BTreeMap::new();
    for function in &model.functions {
        let (FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx }) = function.home else {
            continue;
        };
        if function.signature.has_self() {
            continue;
        }
        if let Some(name) = unnameable_type(model, &model.impls[impl_idx].for_ty) {
            skips.insert(function.display.clone(), name);
        }
    }
    let skip = |(function, name): (String, String)| Skip {
        function,
        reason: format!("no public path leads to `{name}`"),
        help: Some(format!("re-export `{name}` publicly")),
    };
    model.skips = skips.into_iter().map(skip).collect();
}

fn unnameable_type(model: &Model, ty: &Ty) -> Option<String> {
    match ty {
        Ty::Path { item, .. } => {
            let item = model.item(*item);
            (item.is_local && item.path.is_none()).then(|| item.name.clone())
        }
        Ty::Ref { ty, .. } | Ty::Slice(ty) | Ty::Array(ty, _) => unnameable_type(model, ty),
        _ => None,
    }
}
