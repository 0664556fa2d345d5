//! Types, traits and impls.

use crate::api::{Docs, Field, Fields, Impl, ItemId, Model, ModuleDef, TraitDef, TypeDef, TypeKind, VariantDef};
use crate::rustdoc::build::reach::Reach;
use crate::rustdoc::importable::Paths;
use crate::rustdoc::raw::{RawCrate, RawFields, RawImpl, RawInner, RawItem};

/// An impl that became `Model::impls[idx]`.
pub(super) struct PlacedImpl<'a> {
    pub raw: &'a RawImpl,
    pub is_derived: bool,
}

pub(super) fn collect_types(model: &mut Model, krate: &RawCrate, paths: &Paths, reach: &Reach) {
    let mut types = Vec::new();
    for (&id, item) in &krate.items {
        if !reach.is_known(id) {
            continue;
        }
        let (generics, kind) = match &item.inner {
            RawInner::Struct { generics, fields } => (generics, TypeKind::Struct(public_fields(krate, fields))),
            RawInner::Enum { generics, variants, .. } => (generics, TypeKind::Enum(public_variants(krate, variants))),
            RawInner::Union { generics } => (generics, TypeKind::Union),
            _ => continue,
        };
        // A variant that is not there for users calls for the same care as one that may come.
        let has_stripped_variants = matches!(item.inner, RawInner::Enum { has_stripped_variants: true, .. });
        types.push(TypeDef {
            item: id,
            generics: generics.clone(),
            kind,
            is_non_exhaustive: item.is_non_exhaustive || has_stripped_variants,
            docs: docs(item),
        });
    }
    types.sort_by_cached_key(|ty| place(krate, paths, ty.item));
    model.types = types;
}

pub(super) fn collect_traits(model: &mut Model, krate: &RawCrate, paths: &Paths, reach: &Reach) {
    let mut traits = Vec::new();
    for (&id, item) in &krate.items {
        if let RawInner::Trait { generics, supertraits, items, is_unsafe, is_dyn_compatible } = &item.inner
            && reach.is_known(id)
        {
            let assoc_types = items
                .iter()
                .filter_map(|part| krate.items.get(part))
                .filter(|part| matches!(part.inner, RawInner::AssocType(_)))
                .filter_map(|part| part.name.clone())
                .collect();
            traits.push(TraitDef {
                item: id,
                generics: generics.clone(),
                supertraits: supertraits.clone(),
                is_unsafe: *is_unsafe,
                is_dyn_compatible: *is_dyn_compatible,
                assoc_types,
                docs: docs(item),
            });
        }
    }
    traits.sort_by_cached_key(|item| place(krate, paths, item.item));
    model.traits = traits;
}

/// Nameable things by their path first, then the others by their definition.
fn place(krate: &RawCrate, paths: &Paths, id: ItemId) -> (bool, Vec<String>, ItemId) {
    let path = paths.get(&id).or_else(|| krate.summaries.get(&id).map(|summary| &summary.path));
    (!paths.contains_key(&id), path.cloned().unwrap_or_default(), id)
}

pub(super) fn collect_modules(model: &mut Model, krate: &RawCrate) {
    let documented = krate
        .items
        .iter()
        .filter(|(_, item)| item.is_local && matches!(item.inner, RawInner::Module { .. }) && !item.docs.is_empty());
    let module = |(id, item): (&ItemId, &RawItem)| {
        let path = krate.summaries.get(id)?.path.clone();
        Some(ModuleDef { path, docs: docs(item) })
    };
    model.modules = documented.filter_map(module).collect();
    model.modules.sort_by(|a, b| a.path.cmp(&b.path));
}

pub(super) fn collect_impls<'a>(model: &mut Model, krate: &'a RawCrate, reach: &Reach) -> Vec<PlacedImpl<'a>> {
    let mut found: Vec<(ItemId, &RawItem, &RawImpl)> = krate
        .items
        .iter()
        .filter_map(|(&id, item)| match &item.inner {
            RawInner::Impl(raw) if item.is_local && reach.is_relevant(id, raw) => Some((id, item, &**raw)),
            _ => None,
        })
        .collect();
    found.sort_by_key(|(id, item, _)| {
        let span = item.span.as_ref();
        (span.map(|span| (&span.file, span.line, span.column)), *id)
    });
    for (_, item, raw) in &found {
        model.impls.push(Impl {
            generics: raw.generics.clone(),
            trait_ref: raw.trait_ref.clone(),
            for_ty: raw.for_ty.clone(),
            is_derived: item.is_derived,
            is_negative: raw.is_negative,
            assoc_types: assoc_types(krate, raw),
            docs: docs(item),
        });
    }
    found.into_iter().map(|(_, item, raw)| PlacedImpl { raw, is_derived: item.is_derived }).collect()
}

fn assoc_types(krate: &RawCrate, raw: &RawImpl) -> Vec<(String, crate::api::ty::Ty)> {
    let mut assoc_types = Vec::new();
    for part in raw.items.iter().filter_map(|id| krate.items.get(id)) {
        if let (Some(name), RawInner::AssocType(Some(ty))) = (&part.name, &part.inner) {
            assoc_types.push((name.clone(), ty.clone()));
        }
    }
    assoc_types
}

fn public_variants(krate: &RawCrate, variants: &[ItemId]) -> Vec<VariantDef> {
    let mut public = Vec::new();
    for item in variants.iter().filter_map(|id| krate.items.get(id)) {
        if let (Some(name), RawInner::Variant { fields }) = (&item.name, &item.inner)
            && !item.is_hidden
        {
            public.push(VariantDef {
                name: name.clone(),
                fields: public_fields(krate, fields),
                is_non_exhaustive: item.is_non_exhaustive,
            });
        }
    }
    public
}

fn public_fields(krate: &RawCrate, fields: &RawFields) -> Fields {
    match fields {
        RawFields::Unit => Fields::Unit,
        RawFields::Tuple(ids) => {
            let fields: Vec<Field> = ids.iter().flatten().filter_map(|id| public_field(krate, *id)).collect();
            Fields::Tuple { has_private: fields.len() < ids.len(), fields }
        }
        RawFields::Named { fields: ids, has_stripped_fields } => {
            let fields: Vec<Field> = ids.iter().filter_map(|id| public_field(krate, *id)).collect();
            Fields::Named { has_private: *has_stripped_fields || fields.len() < ids.len(), fields }
        }
    }
}

fn public_field(krate: &RawCrate, id: ItemId) -> Option<Field> {
    let item = krate.items.get(&id)?;
    match (&item.name, &item.inner) {
        (Some(name), RawInner::Field(ty)) if item.is_public && !item.is_hidden => {
            Some(Field { name: name.clone(), ty: ty.clone() })
        }
        _ => None,
    }
}

pub(super) fn docs(item: &RawItem) -> Docs {
    Docs { text: item.docs.clone() }
}
