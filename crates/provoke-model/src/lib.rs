//! The public API of a crate: rustdoc JSON and sources in, a [`Model`] out. No I/O here.

mod adopt;
mod announcement;
mod anodized;
mod api;
mod attributes;
mod build;
mod contracts;
mod docs;
mod entry_check;
mod error;
mod formats;
mod function_spans;
mod importable;
mod in_code;
mod loose_loan;
mod mentioned;
mod mine;
mod outline;
mod precondition;
mod raw;
mod side_effects;
mod site;
mod specification;
mod std_paths;
mod text;
mod ty;
mod types_by_hand;
mod walk;

pub use adopt::adopt;
pub use announcement::{docs_about, documents_panics, documents_range_panics, documents_zero_panics};
pub use api::{
    Constant, Docs, Export, Field, Fields, ForeignCrate, Function, FunctionHome, Impl, Item, ItemId, ItemKind, Model,
    ModuleDef, NewerFormat, Skip, Span, TraitDef, TypeDef, TypeKind, VariantDef,
};
pub use build::read;
pub use contracts::{Clause, ClauseKind, Moment, clauses, meant_by};
pub use error::ReadError;
pub use function_spans::{FunctionSpan, function_spans};
pub use mentioned::mentioned;
pub use mine::{Mined, mine};
pub use outline::outline;
pub use precondition::{Precondition, compiled_elsewhere};
pub use site::{Site, describe_site};
pub use specification::{LostSpecification, Specification, SpecificationKind};
pub use ty::{Bound, GenericArg, GenericParam, GenericParamKind, Generics, Signature, TraitRef, Ty, WherePredicate};
pub use types_by_hand::{TypeByHand, TypesByHand};
