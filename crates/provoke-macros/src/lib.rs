//! The attributes of the crate `provoke`, which documents them and re-exports them; nobody depends on this one directly.
//!
//! Whether they do anything is decided by how *this* crate is compiled: with `--cfg provoke` an annotated function stays
//! and gets a public trampoline that Provoke finds by its name, without it the function is gone. So nothing with a `cfg`
//! ever reaches the user's code, and nobody has to declare one.
//!
//! Decision: `docs/decisions/067-attributes-vanish-by-how-macros-are-compiled.md`

mod arguments;
mod clause;
mod expand;
mod function;
mod kind;
mod mention;
mod parameters;
mod shape;
mod trampoline;

use proc_macro::TokenStream;

use crate::kind::Kind;

/// What always holds of a value between two calls.
#[proc_macro_attribute]
pub fn invariant(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Invariant, arguments, item)
}

/// What a function asks of its callers and promises to them.
#[proc_macro_attribute]
pub fn spec(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Spec, arguments, item)
}

/// What holds over the life of one object.
#[proc_macro_attribute]
pub fn temporal(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Temporal, arguments, item)
}

/// Which histories of an object an application would make.
#[proc_macro_attribute]
pub fn model(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Model, arguments, item)
}

/// An operation for testing only.
#[proc_macro_attribute]
pub fn probe(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Probe, arguments, item)
}

/// What is true of any values.
#[proc_macro_attribute]
pub fn law(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(Kind::Law, arguments, item)
}

fn expand(kind: Kind, arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(kind, arguments.into(), item.into(), cfg!(provoke)).into()
}
