//! A crate as rustdoc describes it, free of the version of its format.
//!
//! An [`ItemId`] in here, also inside a [`Ty`], is still rustdoc's own number. They become places in
//! [`Model::items`](crate::Model::items) when the model is finished (`build::renumber`).

use std::collections::BTreeMap;

use crate::api::ty::{Bound, Generics, Signature, TraitRef, Ty};
use crate::api::{ItemId, Span};

/// Everything is in ordered maps: what is built from them must not depend on a hasher.
#[derive(Debug)]
pub(crate) struct RawCrate {
    pub root: ItemId,
    pub version: Option<String>,
    pub items: BTreeMap<ItemId, RawItem>,
    /// Where items are defined, foreign ones too.
    pub summaries: BTreeMap<ItemId, RawSummary>,
    /// The other crates, by rustdoc's numbers for them.
    pub externals: BTreeMap<u32, RawExternal>,
    /// What paths to an item are called where they are written. All that is known of hidden items.
    pub mentions: BTreeMap<ItemId, String>,
}

#[derive(Debug)]
pub(crate) struct RawExternal {
    pub name: String,
    pub file: Option<String>,
}

#[derive(Debug)]
pub(crate) struct RawSummary {
    pub crate_name: String,
    /// Tells crates of one name apart.
    pub crate_number: u32,
    pub is_local: bool,
    pub path: Vec<String>,
    pub kind: RawKind,
}

/// What an item is, as far as names are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawKind {
    Module,
    Struct,
    Enum,
    Union,
    Trait,
    TypeAlias,
    /// Another inhabitant of the type namespace.
    OtherType,
    /// A function, constant or static.
    Value,
    Macro,
    /// Something without a name of its own in a module.
    Inner,
}

#[derive(Debug)]
pub(crate) struct RawItem {
    pub is_local: bool,
    pub name: Option<String>,
    pub span: Option<Span>,
    /// `pub`, or as visible as what it belongs to (variants, items of traits and of trait impls).
    pub is_public: bool,
    pub docs: String,
    pub is_hidden: bool,
    pub is_derived: bool,
    pub is_non_exhaustive: bool,
    pub is_deprecated: bool,
    pub kind: RawKind,
    pub inner: RawInner,
}

#[derive(Debug)]
pub(crate) enum RawInner {
    Module { items: Vec<ItemId> },
    Use { name: String, target: Option<ItemId>, is_glob: bool },
    Struct { generics: Generics, fields: RawFields },
    Enum { generics: Generics, variants: Vec<ItemId>, has_stripped_variants: bool },
    Union { generics: Generics },
    Variant { fields: RawFields },
    Field(Ty),
    Function { generics: Generics, signature: Signature, has_body: bool },
    Trait { generics: Generics, supertraits: Vec<Bound>, items: Vec<ItemId>, is_unsafe: bool, is_dyn_compatible: bool },
    Impl(Box<RawImpl>),
    TypeAlias { generics: Generics, ty: Ty },
    Constant(Ty),
    Static { ty: Ty, is_safe: bool },
    AssocConst(Ty),
    AssocType(Option<Ty>),
    Other,
}

#[derive(Debug)]
pub(crate) struct RawImpl {
    pub generics: Generics,
    pub trait_ref: Option<TraitRef>,
    pub for_ty: Ty,
    pub items: Vec<ItemId>,
    pub is_negative: bool,
    /// Written by nobody: an auto trait, or a copy of a blanket impl listed at each type it covers.
    pub is_implied: bool,
}

#[derive(Debug)]
pub(crate) enum RawFields {
    Unit,
    /// `None` where rustdoc left a field out.
    Tuple(Vec<Option<ItemId>>),
    Named {
        fields: Vec<ItemId>,
        has_stripped_fields: bool,
    },
}
