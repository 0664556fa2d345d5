//! The public API of a crate: rustdoc JSON and sources in, a [`Model`] out. No I/O here.

mod api;
mod contracts;
mod rustdoc;
mod sources;

pub use api::outline::outline;
pub use api::precondition::{Precondition, compiled_elsewhere};
pub use api::specification::{LostSpecification, Specification, SpecificationKind};
pub use api::ty::{
    Bound, GenericArg, GenericParam, GenericParamKind, Generics, Signature, TraitRef, Ty, WherePredicate,
};
pub use api::types_by_hand::{TypeByHand, TypesByHand};
pub use api::{
    Constant, Docs, Export, Field, Fields, ForeignCrate, Function, FunctionHome, Impl, Item, ItemId, ItemKind, Model,
    ModuleDef, NewerFormat, Skip, Span, TraitDef, TypeDef, TypeKind, VariantDef,
};
pub use contracts::mentioned::mentioned;
pub use contracts::{Clause, Moment, clauses, meant_by};
pub use provoke_oracles::ClauseKind;
pub use rustdoc::adopt::adopt;
pub use rustdoc::build::read;
pub use rustdoc::error::ReadError;
pub use sources::announcement::{docs_about, documents_panics, documents_range_panics, documents_zero_panics};
pub use sources::function_spans::{FunctionSpan, function_spans};
pub use sources::mine::{Mined, mine};
pub use sources::site::{Site, describe_site};
