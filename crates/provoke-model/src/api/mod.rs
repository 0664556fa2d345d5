//! The model: what a crate offers to somebody who can only import its public paths.

pub mod outline;
pub mod precondition;
pub mod specification;
pub mod text;
pub mod ty;
pub mod types_by_hand;

use std::ops::RangeInclusive;

use crate::api::precondition::Precondition;
use crate::api::specification::{LostSpecification, Specification};
use crate::api::ty::{Generics, Signature, TraitRef, Ty};
use crate::api::types_by_hand::TypesByHand;

/// A place in [`Model::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ItemKind {
    Struct,
    Enum,
    Union,
    Trait,
    TypeAlias,
    Other,
}

/// A type or trait that some signature names, local or foreign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The last segment.
    pub name: String,
    pub kind: ItemKind,
    /// The name of the crate that defines it, as rustc calls it (`core`, `alloc`, `slab`).
    pub crate_name: String,
    /// Defined in the crate under test.
    pub is_local: bool,
    /// Where it is defined, with the crate: `core::slice::iter::Iter`. May be private.
    pub definition: Vec<String>,
    /// An importable path, with the crate: `["slab", "Slab"]`. For local items found through re-exports and globs; the
    /// shortest one. For std items a public path where known. For others a re-export by this crate, or else a path that
    /// starts with the name under which the crate knows its dependency. `None` where nobody outside can name it.
    pub path: Option<Vec<String>>,
    /// Place in [`Model::types`] or [`Model::traits`], for local ones and for those taken in from a dependency.
    pub local_index: Option<usize>,
}

/// A place in the target's sources. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Docs {
    pub text: String,
}

/// Where a function lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FunctionHome {
    /// With its importable path, crate first.
    Free { path: Vec<String> },
    /// In the inherent impl `Model::impls[impl_idx]`.
    Inherent { impl_idx: usize },
    /// Written in the trait impl `Model::impls[impl_idx]`.
    TraitImpl { impl_idx: usize },
    /// Declared in the public local trait `Model::traits[trait_idx]`.
    TraitDef { trait_idx: usize, has_body: bool },
}

/// One function of the API, counted once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    /// As people write it: `slab::Slab::insert`, `<slab::Slab as Index>::index`, `slab::free`.
    /// Unique: where two functions would print alike, trait and type arguments are added.
    pub display: String,
    pub home: FunctionHome,
    pub generics: Generics,
    pub signature: Signature,
    pub docs: Docs,
    pub is_deprecated: bool,
    pub span: Option<Span>,
    /// Of a free one: the module that defines it, crate first, which may be another one than that of its path.
    pub defined_in: Option<Vec<String>>,
}

/// An impl block: inherent, or of a trait. Blanket, auto and synthetic impls are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impl {
    pub generics: Generics,
    pub trait_ref: Option<TraitRef>,
    pub for_ty: Ty,
    pub is_derived: bool,
    pub is_negative: bool,
    /// `type Item = u8;` and the like.
    pub assoc_types: Vec<(String, Ty)>,
    pub docs: Docs,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `0`, `1`… in tuples.
    pub name: String,
    pub ty: Ty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fields {
    Unit,
    /// All public ones; `has_private` when others exist (then there is no literal).
    Tuple {
        fields: Vec<Field>,
        has_private: bool,
    },
    Named {
        fields: Vec<Field>,
        has_private: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantDef {
    pub name: String,
    pub fields: Fields,
    pub is_non_exhaustive: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Struct(Fields),
    Enum(Vec<VariantDef>),
    Union,
}

/// A local type, nameable or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDef {
    pub item: ItemId,
    pub generics: Generics,
    pub kind: TypeKind,
    pub is_non_exhaustive: bool,
    pub docs: Docs,
}

/// A local trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraitDef {
    pub item: ItemId,
    pub generics: Generics,
    pub supertraits: Vec<crate::api::ty::Bound>,
    pub is_unsafe: bool,
    pub is_dyn_compatible: bool,
    /// Names of the associated types.
    pub assoc_types: Vec<String>,
    pub docs: Docs,
}

/// A module of the crate, public or not, that has documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleDef {
    /// With the crate, which alone is the path of the outermost one.
    pub path: Vec<String>,
    pub docs: Docs,
}

/// A public constant or static, or an associated constant of an impl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub name: String,
    pub display: String,
    /// Importable path of a free one.
    pub path: Option<Vec<String>>,
    /// The impl of an associated one (inherent or of a trait).
    pub impl_idx: Option<usize>,
    pub ty: Ty,
}

/// Something public that cannot be used, and why, in a user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skip {
    pub function: String,
    pub reason: String,
    /// What would help.
    pub help: Option<String>,
}

/// A crate other than the one under test and those of std.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignCrate {
    /// As rustc calls it, which may be another name than the one it is imported by.
    pub name: String,
    /// The file that rustc loaded it from, where rustdoc tells: two versions of one crate differ in it.
    pub file: Option<String>,
    /// What the model mentions of it.
    pub items: Vec<ItemId>,
}

/// Something that can be imported, and where it is defined: a type, a trait, or a module of another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Place in [`Model::foreign_crates`] of the crate that defines it; `None` is the crate itself.
    pub crate_idx: Option<usize>,
    pub is_module: bool,
    pub definition: Vec<String>,
    /// Of a module: what stands for it in the paths of what is in it.
    pub path: Vec<String>,
}

/// The public API of one crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// As it is imported: `rust_decimal`.
    pub crate_name: String,
    pub crate_version: Option<String>,
    pub items: Vec<Item>,
    pub types: Vec<TypeDef>,
    pub traits: Vec<TraitDef>,
    pub modules: Vec<ModuleDef>,
    pub impls: Vec<Impl>,
    /// Sorted by `display`.
    pub functions: Vec<Function>,
    pub constants: Vec<Constant>,
    /// Public functions that count but that nobody can call safely from outside for a reason the model already knows;
    /// `unsafe` ones are not counted and not listed here. Each is in `functions` too, under the same display.
    pub skips: Vec<Skip>,
    pub foreign_crates: Vec<ForeignCrate>,
    pub exports: Vec<Export>,
    /// Functions of dependencies that make or change values of types that the API mentions. They are no part of the API.
    pub helpers: Vec<Function>,
    /// What contracts demand of callers of the API, in the order of the sources.
    pub preconditions: Vec<Precondition>,
    /// What attributes of the crate `provoke` state. No part of the API.
    pub specifications: Vec<Specification>,
    /// Those that nobody outside of the crate can call, in the order of the sources.
    pub lost_specifications: Vec<LostSpecification>,
    /// Which types stand for traits because users say so.
    pub types_by_hand: TypesByHand,
    /// Set if rustdoc wrote a format that was not known when this was written.
    pub newer_format: Option<NewerFormat>,
}

/// A format of rustdoc's JSON that was read with as much as was understood of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewerFormat {
    pub format: u32,
    pub known: RangeInclusive<u32>,
    /// How many items of the crate are left out because they were not understood.
    pub n_unreadable: usize,
}

impl Model {
    /// The place of a crate in [`Model::foreign_crates`], where it is added if it is not known yet.
    pub fn foreign_crate(&mut self, name: &str, file: Option<&str>) -> usize {
        let known = self.foreign_crates.iter().position(|k| k.name == name && k.file.as_deref() == file);
        known.unwrap_or_else(|| {
            let file = file.map(str::to_owned);
            self.foreign_crates.push(ForeignCrate { name: name.to_owned(), file, items: Vec::new() });
            self.foreign_crates.len() - 1
        })
    }

    pub fn item(&self, id: ItemId) -> &Item {
        &self.items[id.0 as usize]
    }
}
