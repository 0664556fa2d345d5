//! The model together with the std types that the plan itself brings in.

use provoke_model::{GenericArg, Item, ItemId, ItemKind, Model, Ty};

use crate::types::facts::{Facts, TraitFacts};
use crate::types::solve::Failures;
use crate::types::tracked;

/// Owns the model and makes std types on request.
pub struct Catalog {
    pub model: Model,
    facts: Facts,
    string: ItemId,
    tracked: Option<ItemId>,
    failures: Failures,
}

impl Catalog {
    pub fn new(model: &Model) -> Catalog {
        let mut catalog = Catalog {
            model: model.clone(),
            facts: Facts::default(),
            string: ItemId(0),
            tracked: None,
            failures: Failures::default(),
        };
        catalog.string = catalog.std_item("alloc::string::String", "std::string::String");
        // A type of that name would be taken for the element in tests.
        let is_name_taken = model.items.iter().any(|item| item.name == tracked::NAME && item.path.is_some());
        if !is_name_taken {
            catalog.tracked = Some(catalog.std_item(tracked::DEFINITION, tracked::PATH));
        }
        catalog.facts = Facts::collect(&mut catalog);
        catalog
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Which bounds nothing meets.
    pub fn failures(&self) -> &Failures {
        &self.failures
    }

    pub fn trait_facts(&self, item: ItemId) -> TraitFacts<'_> {
        self.facts.of(&self.model, item)
    }

    /// The std item with this definition and public path, added if no signature of the target names it.
    pub fn std_item(&mut self, definition: &str, public: &str) -> ItemId {
        let segments = |path: &str| path.split("::").map(str::to_string).collect::<Vec<_>>();
        self.find_or_add(segments(definition), Some(segments(public)), ItemKind::Struct)
    }

    /// A trait of std by its name alone.
    pub fn std_trait(&mut self, name: &str) -> ItemId {
        let is_it = |item: &Item| item.kind == ItemKind::Trait && item.name == name && is_std_crate(&item.crate_name);
        match self.model.items.iter().position(is_it) {
            Some(index) => ItemId(index as u32),
            None => self.find_or_add(vec!["core".to_string(), name.to_string()], None, ItemKind::Trait),
        }
    }

    fn find_or_add(&mut self, definition: Vec<String>, path: Option<Vec<String>>, kind: ItemKind) -> ItemId {
        let found = self.model.items.iter().position(|item| item.definition == definition);
        let index = found.unwrap_or_else(|| {
            self.model.items.push(Item {
                name: definition.last().cloned().unwrap_or_default(),
                kind,
                crate_name: definition[0].clone(),
                is_local: false,
                definition,
                path,
                local_index: None,
            });
            self.model.items.len() - 1
        });
        ItemId(index as u32)
    }

    /// What a parameter gets that is to own memory.
    pub fn string(&self) -> Ty {
        Ty::Path { item: self.string, args: Vec::new() }
    }

    /// An element that counts its own births, drops and uses.
    pub fn tracked(&self) -> Option<Ty> {
        Some(Ty::Path { item: self.tracked?, args: Vec::new() })
    }

    pub fn is_tracked(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Path { item, .. } if Some(*item) == self.tracked)
    }

    /// The name of a trait or type of std, `None` for others.
    pub fn std_name(&self, item: ItemId) -> Option<&str> {
        let item = self.model.item(item);
        is_std_crate(&item.crate_name).then_some(item.name.as_str())
    }

    /// Whether `ty` is the std type of that name.
    pub fn is_std(&self, ty: &Ty, name: &str) -> bool {
        matches!(ty, Ty::Path { item, .. } if self.std_name(*item) == Some(name))
    }
}

fn is_std_crate(name: &str) -> bool {
    matches!(name, "core" | "alloc" | "std")
}

pub fn primitive(name: &str) -> Ty {
    Ty::Primitive(name.to_string())
}

/// The type arguments of a path, lifetimes and equalities passed over.
pub fn type_args(args: &[GenericArg]) -> impl Iterator<Item = &Ty> {
    args.iter().filter_map(|arg| match arg {
        GenericArg::Type(ty) => Some(ty),
        _ => None,
    })
}
