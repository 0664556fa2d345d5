//! What a crate's API mentions of a dependency, taken into the crate's own model: names, impls, and ways to make values.
//!
//! Nothing of it counts as API. It is there so that bounds on a dependency's traits can be met and values of its types
//! be made.

mod helpers;
mod names;
mod wanted;

use std::collections::BTreeMap;

use crate::api::{Constant, Export, Fields, Function, FunctionHome, Impl, Item, ItemId, Model, TypeKind};
use crate::rustdoc::std_paths::is_std_crate;
use crate::rustdoc::walk::{Visitor, Walk};

use names::Names;
use wanted::Wanted;

/// Takes in a dependency that is `model.foreign_crates[crate_idx]` to the model.
///
/// `extern_name` is what the crate calls it in its own code, `None` if it is not a dependency of the crate itself. The items
/// of such a one have names only as far as the crate or a dependency taken in before re-exports them.
pub fn adopt(model: &mut Model, crate_idx: usize, dependency: &Model, extern_name: Option<&str>) {
    let crates = dependency
        .foreign_crates
        .iter()
        // Without its file it could be another version.
        .map(|foreign| foreign.file.as_deref().map(|file| model.foreign_crate(&foreign.name, Some(file))))
        .collect();
    let names = Names::new(model, crate_idx, dependency, extern_name);
    let mut adopter = Adopter { model, crate_idx, dependency, crates, names, places: BTreeMap::new() };
    adopter.name_known_items();
    adopter.pass_on_exports();
    let wanted = Wanted::new(&adopter);
    adopter.take_in(&wanted);
}

struct Adopter<'a> {
    model: &'a mut Model,
    crate_idx: usize,
    dependency: &'a Model,
    /// From places in the dependency's `foreign_crates` to places in the model's.
    crates: Vec<Option<usize>>,
    names: Names,
    /// From items of the dependency's model to those of the model, as far as they were asked for.
    places: BTreeMap<ItemId, ItemId>,
}

/// Where an item comes from, as the model sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Std,
    Foreign(usize),
    /// A crate that cannot be told from others of its name.
    Unknown,
}

impl Adopter<'_> {
    fn name_known_items(&mut self) {
        for id in self.model.foreign_crates[self.crate_idx].items.clone() {
            let item = &mut self.model.items[id.0 as usize];
            if item.path.is_none() {
                item.path = self.names.of_item(&item.definition);
            }
        }
    }

    /// What the dependency re-exports of other crates has a name now, too.
    fn pass_on_exports(&mut self) {
        let Some(extern_name) = self.names.extern_name.clone() else {
            return;
        };
        for export in &self.dependency.exports {
            let Some(Some(crate_idx)) = export.crate_idx.map(|place| self.crates[place]) else {
                continue;
            };
            let mut path = export.path.clone();
            path[0] = extern_name.clone();
            for id in &self.model.foreign_crates[crate_idx].items {
                let item = &mut self.model.items[id.0 as usize];
                if item.path.is_none() && item.definition == export.definition {
                    item.path = Some(path.clone());
                }
            }
            self.model.exports.push(Export { crate_idx: Some(crate_idx), path, ..export.clone() });
        }
    }

    /// Where an item of the dependency's model comes from.
    fn source(&self, id: ItemId) -> Source {
        let item = self.dependency.item(id);
        if item.is_local {
            return Source::Foreign(self.crate_idx);
        }
        if is_std_crate(&item.crate_name) {
            return Source::Std;
        }
        let place = self.dependency.foreign_crates.iter().position(|foreign| foreign.items.contains(&id));
        match place.and_then(|place| self.crates[place]) {
            Some(crate_idx) => Source::Foreign(crate_idx),
            None => Source::Unknown,
        }
    }

    /// The same item in the model, if it is there.
    fn find(&self, id: ItemId) -> Option<ItemId> {
        if let Some(place) = self.places.get(&id) {
            return Some(*place);
        }
        let definition = &self.dependency.item(id).definition;
        match self.source(id) {
            Source::Foreign(crate_idx) => {
                let known = &self.model.foreign_crates[crate_idx].items;
                known.iter().copied().find(|known| self.model.item(*known).definition == *definition)
            }
            Source::Std => {
                let place = self.model.items.iter().position(|item| item.definition == *definition && !item.is_local);
                place.map(|place| ItemId(place as u32))
            }
            Source::Unknown => None,
        }
    }

    fn find_or_add(&mut self, id: ItemId) -> ItemId {
        let place = self.find(id).unwrap_or_else(|| self.add(id));
        self.places.insert(id, place);
        place
    }

    fn add(&mut self, id: ItemId) -> ItemId {
        let item = self.dependency.item(id);
        let source = self.source(id);
        let path = match source {
            Source::Std => item.path.clone(),
            Source::Foreign(crate_idx) if crate_idx == self.crate_idx => self.names.of_item(&item.definition),
            Source::Foreign(crate_idx) => self.exported(crate_idx, &item.definition),
            Source::Unknown => None,
        };
        let place = ItemId(self.model.items.len() as u32);
        self.model.items.push(Item { is_local: false, path, local_index: None, ..item.clone() });
        if let Source::Foreign(crate_idx) = source {
            self.model.foreign_crates[crate_idx].items.push(place);
        }
        place
    }

    fn exported(&self, crate_idx: usize, definition: &[String]) -> Option<Vec<String>> {
        let mut exports = self.model.exports.iter();
        let found = exports.find(|e| e.crate_idx == Some(crate_idx) && !e.is_module && e.definition == definition);
        found.map(|export| export.path.clone())
    }

    fn take_in(&mut self, wanted: &Wanted) {
        let dependency = self.dependency;
        for &type_idx in &wanted.types {
            let mut def = dependency.types[type_idx].clone();
            def.item = self.find_or_add(def.item);
            def.generics.walk(self);
            match &mut def.kind {
                TypeKind::Struct(fields) => self.take_fields(fields),
                TypeKind::Enum(variants) => {
                    variants.iter_mut().for_each(|variant| self.take_fields(&mut variant.fields))
                }
                TypeKind::Union => {}
            }
            self.model.items[def.item.0 as usize].local_index = Some(self.model.types.len());
            self.model.types.push(def);
        }
        for &trait_idx in &wanted.traits {
            let mut def = dependency.traits[trait_idx].clone();
            def.item = self.find_or_add(def.item);
            def.generics.walk(self);
            def.supertraits.walk(self);
            self.model.items[def.item.0 as usize].local_index = Some(self.model.traits.len());
            self.model.traits.push(def);
        }
        let mut impl_places = BTreeMap::new();
        for &impl_idx in &wanted.impls {
            let block = self.taken_impl(&dependency.impls[impl_idx]);
            impl_places.insert(impl_idx, self.model.impls.len());
            self.model.impls.push(block);
        }
        for function_idx in helpers::choose(dependency, wanted) {
            if let Some(function) = self.taken_function(&dependency.functions[function_idx], &impl_places) {
                self.model.helpers.push(function);
            }
        }
        for constant in &dependency.constants {
            if let Some(impl_idx) = constant.impl_idx
                && let Some(place) = impl_places.get(&impl_idx)
                && wanted.is_given(dependency, &constant.ty, Some(impl_idx))
            {
                let mut constant = Constant { impl_idx: Some(*place), ..constant.clone() };
                constant.ty.walk(self);
                self.model.constants.push(constant);
            }
        }
    }

    fn take_fields(&mut self, fields: &mut Fields) {
        if let Fields::Tuple { fields, .. } | Fields::Named { fields, .. } = fields {
            fields.iter_mut().for_each(|field| field.ty.walk(self));
        }
    }

    fn taken_impl(&mut self, block: &Impl) -> Impl {
        let mut block = block.clone();
        block.generics.walk(self);
        block.trait_ref.walk(self);
        block.for_ty.walk(self);
        block.assoc_types.iter_mut().for_each(|(_, ty)| ty.walk(self));
        block
    }

    /// `None` where it cannot be named.
    fn taken_function(&mut self, function: &Function, impl_places: &BTreeMap<usize, usize>) -> Option<Function> {
        let home = match &function.home {
            FunctionHome::Free { path } => FunctionHome::Free { path: self.names.of_path(path)? },
            FunctionHome::Inherent { impl_idx } => FunctionHome::Inherent { impl_idx: *impl_places.get(impl_idx)? },
            FunctionHome::TraitImpl { impl_idx } => FunctionHome::TraitImpl { impl_idx: *impl_places.get(impl_idx)? },
            FunctionHome::TraitDef { .. } => return None,
        };
        let mut function = Function { home, ..function.clone() };
        function.generics.walk(self);
        function.signature.walk(self);
        Some(function)
    }
}

/// Items of the dependency's model become items of the model.
impl Visitor for Adopter<'_> {
    fn item(&mut self, id: &mut ItemId) {
        *id = self.find_or_add(*id);
    }
}
