//! The public API of a crate: rustdoc JSON and sources in, a [`Model`] out. No I/O here.

mod api;
mod build;
mod error;
mod formats;
mod importable;
mod outline;
mod raw;
mod std_paths;
mod text;
mod ty;
mod walk;

pub use api::{
    Constant, Docs, Field, Fields, Function, FunctionHome, Impl, Item, ItemId, ItemKind, Model,
    Skip, Span, TraitDef, TypeDef, TypeKind, VariantDef,
};
pub use build::read;
pub use error::ReadError;
pub use outline::outline;
pub use ty::{
    Bound, GenericArg, GenericParam, GenericParamKind, Generics, Signature, TraitRef, Ty,
    WherePredicate,
};
