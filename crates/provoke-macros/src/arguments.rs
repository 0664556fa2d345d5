//! What stands in the brackets of an attribute.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Expr, Ident, Result, Token};

use crate::kind::Kind;

/// The function that a spec is about: `of = get`.
pub fn of(arguments: TokenStream) -> Result<Ident> {
    if arguments.is_empty() {
        let text = "a spec says of which function it is one: `#[provoke::spec(of = get)]`";
        return Err(Error::new(Span::call_site(), text));
    }
    parse_of.parse2(arguments)
}

/// All other attributes take no arguments.
pub fn none(kind: Kind, arguments: TokenStream) -> Result<()> {
    if arguments.is_empty() {
        return Ok(());
    }
    let name = kind.name();
    Err(Error::new_spanned(arguments, format!("`#[provoke::{name}]` takes no arguments")))
}

fn parse_of(input: ParseStream) -> Result<Ident> {
    let key: Ident = input.parse()?;
    if key != "of" {
        let text = format!("a spec has no argument `{key}`, only `of`: `#[provoke::spec(of = get)]`");
        return Err(Error::new_spanned(key, text));
    }
    input.parse::<Token![=]>()?;
    let value: Expr = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    if !input.is_empty() {
        return Err(input.error("a spec has one argument only: `#[provoke::spec(of = get)]`"));
    }
    match syn::parse2(value.to_token_stream()) {
        Ok(name) => Ok(name),
        Err(_) => Err(Error::new_spanned(value, "`of` takes the plain name of a function, as in `of = get`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_names_its_function_in_one_way_only() {
        let cases = [
            ("of = get", Ok("get")),
            ("of = r#try,", Ok("r#try")),
            ("", Err("a spec says of which function")),
            ("get", Err("a spec has no argument `get`")),
            ("off = get", Err("a spec has no argument `off`")),
            ("of = Self::get", Err("plain name of a function")),
            ("of = \"get\"", Err("plain name of a function")),
            ("of = get, of = put", Err("one argument only")),
        ];
        for (text, expected) in cases {
            match (of(text.parse().unwrap()), expected) {
                (Ok(name), Ok(expected)) => assert_eq!(name.to_string(), expected),
                (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{text}: {error}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }
}
