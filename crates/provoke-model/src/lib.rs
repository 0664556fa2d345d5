//! The public API of a crate: rustdoc JSON and sources in, a [`Model`] out. No I/O here.

mod api;
mod ty;

pub use api::{
    Constant, Docs, Field, Fields, Function, FunctionHome, Impl, Item, ItemId, ItemKind, Model,
    Skip, Span, TraitDef, TypeDef, TypeKind, VariantDef,
};
pub use ty::{
    Bound, GenericArg, GenericParam, GenericParamKind, Generics, Signature, TraitRef, Ty,
    WherePredicate,
};
