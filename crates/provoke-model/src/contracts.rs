//! Contracts: what functions demand of their callers and promise in return, as attributes state it.
//!
//! Read are the attributes of the crate `contracts`: `requires`, `ensures` and `invariant`, with `debug_` and `test_` before them.
//! What a clause checks is compiled by that crate; here it is only known what stands where.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Meta};

/// Who has to keep a clause, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClauseKind {
    /// Callers, before the call.
    Precondition,
    /// The function, when it returns.
    Postcondition,
    /// The crate, before and after.
    Invariant,
}

/// One condition of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub kind: ClauseKind,
    /// As it is written, on one line.
    pub text: String,
    /// The same as tokens, for whoever compiles it: no space inside of a text is lost.
    pub condition: String,
    /// In the author's own words.
    pub description: Option<String>,
    /// The name of the function that it stands at; nothing for an invariant of a whole impl.
    pub function: Option<String>,
    /// Its lines from the first attribute to the name.
    pub function_lines: Option<(u32, u32)>,
    /// Where it starts, as panics report it: both count from 1, columns in characters.
    pub line: u32,
    pub column: u32,
}

/// All clauses in a source file, in order. Nothing where the source does not parse.
pub fn clauses(source: &str) -> Vec<Clause> {
    // Most crates have none, and parsing takes time.
    if !WORDS.iter().any(|(word, _)| source.contains(word)) {
        return Vec::new();
    }
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    clauses_of(&file)
}

pub(crate) fn clauses_of(file: &syn::File) -> Vec<Clause> {
    let mut finder = Finder::default();
    finder.visit_file(file);
    finder.found.sort_by_key(|clause| (clause.line, clause.column));
    finder.found
}

const WORDS: [(&str, ClauseKind); 3] = [
    ("requires", ClauseKind::Precondition),
    ("ensures", ClauseKind::Postcondition),
    ("invariant", ClauseKind::Invariant),
];

#[derive(Default)]
struct Finder {
    found: Vec<Clause>,
    /// Of the attributes that are read.
    first_line: u32,
}

impl Finder {
    fn read(&mut self, attributes: &[Attribute], function: Option<&syn::Signature>) {
        self.first_line = attributes.first().map_or(0, |attribute| attribute.span().start().line as u32);
        for attribute in attributes {
            if let Meta::List(list) = &attribute.meta {
                let name = list.path.segments.last().map(|segment| segment.ident.to_string());
                self.read_list(&name.unwrap_or_default(), list.tokens.clone(), function);
            }
        }
    }

    fn read_list(&mut self, name: &str, tokens: TokenStream, function: Option<&syn::Signature>) {
        let arguments = split(tokens);
        if name == "cfg_attr" {
            // Whether the condition holds is for the compiler to know: where it does not, no panic comes from there.
            for argument in arguments.iter().skip(1) {
                if let [path @ .., TokenTree::Group(group)] = &argument[..]
                    && group.delimiter() == Delimiter::Parenthesis
                    && let Some(TokenTree::Ident(name)) = path.last()
                {
                    self.read_list(&name.to_string(), group.stream(), function);
                }
            }
            return;
        }
        let word = name.strip_prefix("debug_").or_else(|| name.strip_prefix("test_")).unwrap_or(name);
        let Some((_, kind)) = WORDS.into_iter().find(|(known, _)| *known == word) else { return };
        let description = arguments.last().and_then(|last| text_literal(last));
        let n_conditions = arguments.len() - usize::from(description.is_some());
        for condition in &arguments[..n_conditions] {
            let (Some(first), Some(last)) = (condition.first(), condition.last()) else { continue };
            let whole = first.span().join(last.span()).and_then(|span| span.source_text());
            let text = whole.unwrap_or_else(|| condition.iter().cloned().collect::<TokenStream>().to_string());
            let start = first.span().start();
            self.found.push(Clause {
                kind,
                text: text.lines().map(str::trim).collect::<Vec<_>>().join(" "),
                condition: condition.iter().cloned().collect::<TokenStream>().to_string(),
                description: description.clone(),
                function: function.map(|signature| signature.ident.to_string()),
                function_lines: function.map(|signature| (self.first_line, signature.ident.span().start().line as u32)),
                line: start.line as u32,
                column: start.column as u32 + 1,
            });
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.read(&item.attrs, Some(&item.sig));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.read(&item.attrs, None);
        visit::visit_item_impl(self, item);
    }
}

/// At the commas that are in no brackets.
fn split(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
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

fn text_literal(tokens: &[TokenTree]) -> Option<String> {
    let [TokenTree::Literal(literal)] = tokens else { return None };
    syn::parse2::<syn::LitStr>(TokenTree::Literal(literal.clone()).into()).ok().map(|text| text.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn shown(source: &str) -> String {
        let line = |clause: &Clause| {
            let Clause { kind, text, description, function, line, column, .. } = clause;
            let (function, description) = (function.as_deref().unwrap_or("-"), description.as_deref().unwrap_or("-"));
            format!("{line}:{column} {kind:?} of {function}: {text} ({description})\n")
        };
        clauses(source).iter().map(line).collect()
    }

    #[test]
    fn clauses_are_read_wherever_they_may_stand() {
        let source = r#"
            #[invariant(self.len <= self.items.len(), "it fits")]
            impl Stack {
                #[requires(n > 0, n < 100, "a few")]
                #[debug_ensures(ret.is_some() -> self.len == old(self.len) - f(1, 2))]
                pub fn pop(&mut self, n: u8) -> Option<u8> {
                    #[contracts::requires(true)]
                    fn inner() {}
                    None
                }
            }

            #[contract_trait]
            trait Sized2 {
                #[ensures(ret
                    >= 1)]
                fn size(&self) -> u8;
            }

            #[cfg_attr(debug_assertions, inline, contracts::test_requires(x.is_finite()))]
            #[must_use = "requires a reader"]
            #[doc(alias = "ensures")]
            fn free(x: f64) {}
        "#;
        expect![[r#"
            2:25 Invariant of -: self.len <= self.items.len() (it fits)
            4:28 Precondition of pop: n > 0 (a few)
            4:35 Precondition of pop: n < 100 (a few)
            5:33 Postcondition of pop: ret.is_some() -> self.len == old(self.len) - f(1, 2) (-)
            7:43 Precondition of inner: true (-)
            15:27 Postcondition of size: ret >= 1 (-)
            20:75 Precondition of free: x.is_finite() (-)
        "#]]
        .assert_eq(&shown(source));
    }

    #[test]
    fn what_does_not_parse_has_no_clauses() {
        assert_eq!(shown("#[requires(x)] fn f( {"), "");
        assert_eq!(shown("#[requires] fn f() {} #[ensures()] fn g() {}"), "");
    }
}
