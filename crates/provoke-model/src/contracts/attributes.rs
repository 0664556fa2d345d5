//! Attributes at an item as they take effect: those that `cfg_attr` holds are among them.

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

/// An attribute that is a path, with or without arguments.
pub(crate) struct Written {
    /// Without the path before it.
    pub name: String,
    pub arguments: TokenStream,
    pub start: LineColumn,
    /// It stands at the item itself and is a single word.
    pub is_bare: bool,
}

/// Whether the condition of a `cfg_attr` holds is for the compiler to know.
pub(crate) fn written(attributes: &[Attribute]) -> Vec<Written> {
    let mut found = Vec::new();
    for attribute in attributes {
        let (path, arguments) = match &attribute.meta {
            Meta::Path(path) => (path, TokenStream::new()),
            Meta::List(list) => (&list.path, list.tokens.clone()),
            Meta::NameValue(_) => continue,
        };
        let Some(last) = path.segments.last() else { continue };
        let is_bare = path.get_ident().is_some();
        add(&mut found, last.ident.to_string(), arguments, attribute.span(), is_bare);
    }
    found
}

fn add(found: &mut Vec<Written>, name: String, arguments: TokenStream, span: Span, is_bare: bool) {
    if name != "cfg_attr" {
        found.push(Written { name, arguments, start: span.start(), is_bare });
        return;
    }
    for held in split(arguments).iter().skip(1) {
        let (path, arguments) = match &held[..] {
            [path @ .., TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
                (path, group.stream())
            }
            path => (path, TokenStream::new()),
        };
        if let (Some(first), Some(TokenTree::Ident(name))) = (path.first(), path.last()) {
            add(found, name.to_string(), arguments, first.span(), false);
        }
    }
}

/// At the commas that are in no brackets.
pub(crate) fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(Vec::new()),
            (_, Some(part)) => part.push(token),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Source text on one line. Spaces inside of a line stay: they may be part of a text.
pub(crate) fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
