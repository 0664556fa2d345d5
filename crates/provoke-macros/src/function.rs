//! The annotated function, as it was written.

use proc_macro2::TokenStream;
use syn::{Error, ImplItemFn, Item, Result};

use crate::kind::Kind;

/// A free function parses as one of an impl does, so both are read alike.
pub fn parse(kind: Kind, item: TokenStream) -> Result<ImplItemFn> {
    let name = kind.name();
    let other = match syn::parse2(item.clone()) {
        Ok(function) => return Ok(function),
        Err(error) => match syn::parse2::<Item>(item.clone()) {
            Ok(other) => other,
            // Not even an item of any other kind: what is wrong is inside of the function.
            Err(_) => return Err(error),
        },
    };
    let found = match other {
        Item::Struct(_) => "a struct",
        Item::Enum(_) => "an enum",
        Item::Union(_) => "a union",
        Item::Trait(_) | Item::TraitAlias(_) => "a trait",
        Item::Impl(_) => "an impl",
        Item::Mod(_) => "a module",
        Item::Const(_) => "a constant",
        Item::Static(_) => "a static",
        Item::Type(_) => "a type",
        Item::Use(_) => "an import",
        _ => return Err(Error::new_spanned(item, format!("`#[provoke::{name}]` goes on a function with a body"))),
    };
    Err(Error::new_spanned(item, format!("`#[provoke::{name}]` goes on a function, not on {found}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_function_is_called_by_its_name() {
        let cases = [
            ("struct List;", "goes on a function, not on a struct"),
            ("pub enum List { Empty }", "goes on a function, not on an enum"),
            ("union List { a: u8 }", "goes on a function, not on a union"),
            ("trait List {}", "goes on a function, not on a trait"),
            ("impl List {}", "goes on a function, not on an impl"),
            ("mod list {}", "goes on a function, not on a module"),
            ("const A: u8 = 1;", "goes on a function, not on a constant"),
            ("static A: u8 = 1;", "goes on a function, not on a static"),
            ("type A = u8;", "goes on a function, not on a type"),
            ("use a::b;", "goes on a function, not on an import"),
            ("a! {}", "goes on a function with a body"),
            ("fn ok(&self) -> bool;", "goes on a function with a body"),
            ("fn ok(&self) -> bool { 1 + }", "expected an expression"),
        ];
        for (item, expected) in cases {
            let error = parse(Kind::Law, item.parse().unwrap()).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(expected)), "{item}: {error:?}");
        }
    }
}
