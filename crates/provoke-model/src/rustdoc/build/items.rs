//! The table of items: rustdoc's numbers become places in it.

use std::collections::BTreeMap;

use crate::api::{Fields, Item, ItemId, ItemKind, Model, TypeKind};
use crate::rustdoc::importable::Paths;
use crate::rustdoc::raw::{RawCrate, RawKind};
use crate::rustdoc::std_paths::{is_std_crate, std_path};
use crate::rustdoc::walk::{Visitor, Walk};

/// Numbers are given in the order in which the model mentions items, so the table holds nothing else.
pub(super) fn number_items(model: &mut Model, krate: &RawCrate, paths: &Paths) {
    let mut numbering = Numbering::default();
    for ty in &mut model.types {
        numbering.item(&mut ty.item);
        ty.generics.walk(&mut numbering);
        match &mut ty.kind {
            TypeKind::Struct(fields) => number_fields(fields, &mut numbering),
            TypeKind::Enum(variants) => {
                for variant in variants {
                    number_fields(&mut variant.fields, &mut numbering);
                }
            }
            TypeKind::Union => {}
        }
    }
    for local in &mut model.traits {
        numbering.item(&mut local.item);
        local.generics.walk(&mut numbering);
        local.supertraits.walk(&mut numbering);
    }
    for block in &mut model.impls {
        block.generics.walk(&mut numbering);
        block.trait_ref.walk(&mut numbering);
        block.for_ty.walk(&mut numbering);
        for (_, ty) in &mut block.assoc_types {
            ty.walk(&mut numbering);
        }
    }
    for function in &mut model.functions {
        function.generics.walk(&mut numbering);
        function.signature.walk(&mut numbering);
    }
    for constant in &mut model.constants {
        constant.ty.walk(&mut numbering);
    }
    model.items = numbering.order.iter().map(|id| describe(krate, paths, &model.crate_name, *id)).collect();
    for (place, id) in numbering.order.iter().enumerate() {
        if let Some(crate_idx) = foreign_crate(model, krate, *id) {
            model.foreign_crates[crate_idx].items.push(ItemId(place as u32));
        }
    }
    for (local_index, ty) in model.types.iter().enumerate() {
        model.items[ty.item.0 as usize].local_index = Some(local_index);
    }
    for (local_index, local) in model.traits.iter().enumerate() {
        model.items[local.item.0 as usize].local_index = Some(local_index);
    }
}

fn number_fields(fields: &mut Fields, numbering: &mut Numbering) {
    match fields {
        Fields::Unit => {}
        Fields::Tuple { fields, .. } | Fields::Named { fields, .. } => {
            for field in fields {
                field.ty.walk(numbering);
            }
        }
    }
}

#[derive(Default)]
struct Numbering {
    order: Vec<ItemId>,
    places: BTreeMap<ItemId, ItemId>,
}

impl Visitor for Numbering {
    fn item(&mut self, id: &mut ItemId) {
        let rustdoc_id = *id;
        *id = *self.places.entry(rustdoc_id).or_insert_with(|| {
            let place = ItemId(self.order.len() as u32);
            self.order.push(rustdoc_id);
            place
        });
    }
}

/// The place in [`Model::foreign_crates`] of the crate that an item of rustdoc's comes from; std is not listed there.
pub(super) fn foreign_crate(model: &mut Model, krate: &RawCrate, id: ItemId) -> Option<usize> {
    let summary = krate.summaries.get(&id)?;
    if summary.is_local || is_std_crate(&summary.crate_name) {
        return None;
    }
    let file = krate.externals.get(&summary.crate_number).and_then(|external| external.file.as_deref());
    Some(model.foreign_crate(&summary.crate_name, file))
}

fn describe(krate: &RawCrate, paths: &Paths, crate_name: &str, id: ItemId) -> Item {
    let reexport = paths.get(&id).cloned();
    let Some(summary) = krate.summaries.get(&id) else {
        return describe_unlisted(krate, crate_name, id, reexport);
    };
    // What std offers under its own name is better known than any re-export.
    let path = if is_std_crate(&summary.crate_name) { std_path(&summary.path).or(reexport) } else { reexport };
    Item {
        name: summary.path.last().cloned().unwrap_or_default(),
        kind: item_kind(summary.kind),
        crate_name: summary.crate_name.clone(),
        is_local: summary.is_local,
        definition: summary.path.clone(),
        path,
        local_index: None,
    }
}

/// An item that rustdoc has no summary of: hidden in this crate.
fn describe_unlisted(krate: &RawCrate, crate_name: &str, id: ItemId, path: Option<Vec<String>>) -> Item {
    let raw = krate.items.get(&id);
    let name = raw.and_then(|item| item.name.clone()).or_else(|| krate.mentions.get(&id).cloned()).unwrap_or_default();
    Item {
        kind: raw.map_or(ItemKind::Other, |item| item_kind(item.kind)),
        crate_name: crate_name.to_owned(),
        is_local: true,
        definition: vec![crate_name.to_owned(), name.clone()],
        path,
        local_index: None,
        name,
    }
}

fn item_kind(kind: RawKind) -> ItemKind {
    match kind {
        RawKind::Struct => ItemKind::Struct,
        RawKind::Enum => ItemKind::Enum,
        RawKind::Union => ItemKind::Union,
        RawKind::Trait => ItemKind::Trait,
        RawKind::TypeAlias => ItemKind::TypeAlias,
        _ => ItemKind::Other,
    }
}
