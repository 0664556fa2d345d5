//! The model together with the std types that the plan itself brings in.

use std::collections::HashMap;

use provoke_model::{GenericArg, Item, ItemId, ItemKind, Model, TraitRef, Ty};

/// Owns the model and makes std types on request.
pub struct Catalog {
    pub model: Model,
    /// What is known to implement a trait, by trait and depth of nesting: asked for again and again.
    pub implementors: HashMap<(TraitRef, u32), Vec<Ty>>,
}

impl Catalog {
    pub fn new(model: &Model) -> Catalog {
        Catalog { model: model.clone(), implementors: HashMap::new() }
    }

    /// The std item with this definition and public path, added if no signature of the target names it.
    fn std_item(&mut self, definition: &str, public: &str) -> ItemId {
        let segments = |path: &str| path.split("::").map(str::to_string).collect::<Vec<_>>();
        let definition = segments(definition);
        let found = self.model.items.iter().position(|item| item.definition == definition);
        let index = found.unwrap_or_else(|| {
            self.model.items.push(Item {
                name: definition.last().cloned().unwrap_or_default(),
                kind: ItemKind::Struct,
                crate_name: definition[0].clone(),
                is_local: false,
                definition,
                path: Some(segments(public)),
                local_index: None,
            });
            self.model.items.len() - 1
        });
        ItemId(index as u32)
    }

    fn std_ty(&mut self, definition: &str, public: &str, args: Vec<Ty>) -> Ty {
        let item = self.std_item(definition, public);
        Ty::Path { item, args: args.into_iter().map(GenericArg::Type).collect() }
    }

    pub fn string(&mut self) -> Ty {
        self.std_ty("alloc::string::String", "std::string::String", vec![])
    }

    pub fn vec(&mut self, element: Ty) -> Ty {
        self.std_ty("alloc::vec::Vec", "std::vec::Vec", vec![element])
    }

    pub fn vec_into_iter(&mut self, element: Ty) -> Ty {
        self.std_ty("alloc::vec::into_iter::IntoIter", "std::vec::IntoIter", vec![element])
    }

    pub fn range(&mut self, index: Ty) -> Ty {
        self.std_ty("core::ops::range::Range", "std::ops::Range", vec![index])
    }

    pub fn range_inclusive(&mut self, index: Ty) -> Ty {
        self.std_ty("core::ops::range::RangeInclusive", "std::ops::RangeInclusive", vec![index])
    }

    pub fn range_full(&mut self) -> Ty {
        self.std_ty("core::ops::range::RangeFull", "std::ops::RangeFull", vec![])
    }

    pub fn cursor(&mut self, inner: Ty) -> Ty {
        self.std_ty("std::io::cursor::Cursor", "std::io::Cursor", vec![inner])
    }

    pub fn default_hasher(&mut self) -> Ty {
        self.std_ty("std::hash::random::DefaultHasher", "std::hash::DefaultHasher", vec![])
    }

    pub fn random_state(&mut self) -> Ty {
        self.std_ty("std::hash::random::RandomState", "std::hash::RandomState", vec![])
    }

    pub fn fmt_error(&mut self) -> Ty {
        self.std_ty("core::fmt::Error", "std::fmt::Error", vec![])
    }

    /// The name of a trait or type of std, `None` for others.
    pub fn std_name(&self, item: ItemId) -> Option<&str> {
        let item = self.model.item(item);
        matches!(item.crate_name.as_str(), "core" | "alloc" | "std").then_some(item.name.as_str())
    }

    /// Whether `ty` is the std type of that name.
    pub fn is_std(&self, ty: &Ty, name: &str) -> bool {
        matches!(ty, Ty::Path { item, .. } if self.std_name(*item) == Some(name))
    }
}

pub fn primitive(name: &str) -> Ty {
    Ty::Primitive(name.to_string())
}

pub fn shared_ref(ty: Ty) -> Ty {
    Ty::Ref { lifetime: Some("'static".to_string()), mutable: false, ty: Box::new(ty) }
}

pub fn static_str() -> Ty {
    shared_ref(primitive("str"))
}

pub fn static_bytes() -> Ty {
    shared_ref(Ty::Slice(Box::new(primitive("u8"))))
}

/// The type arguments of a path, lifetimes and equalities passed over.
pub fn type_args(args: &[GenericArg]) -> impl Iterator<Item = &Ty> {
    args.iter().filter_map(|arg| match arg {
        GenericArg::Type(ty) => Some(ty),
        _ => None,
    })
}
