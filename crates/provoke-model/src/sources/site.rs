//! A place in the sources where a panic started: what stands there.

use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::contracts::anodized::start_of_spec;
use crate::contracts::{Clause, clauses_of};
use crate::sources::entry_check::entry_check;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The macro that is called there, without path: `debug_assert`, `panic`, `unreachable`.
    pub macro_name: Option<String>,
    /// The innermost function around it; closures belong to theirs. Clauses say themselves whose they are.
    pub function: Option<String>,
    /// That line, trimmed.
    pub line_text: String,
    /// An `assert!`, `debug_assert!` or `panic!` that refuses a call: it stands among the first statements of the
    /// function, nothing was changed before, and its condition looks at nothing but parameters and constants.
    pub is_entry_check: bool,
    /// Parameters that the condition of an entry check looks at, in order of appearance; `self` is one.
    pub checked_params: Vec<String>,
    /// The clauses of contracts that panics from there can be about.
    pub clauses: Vec<Clause>,
    /// The clauses in whose conditions the place lies.
    pub around: Vec<Clause>,
    /// The clauses of the file that change what they are about: what the others of their functions say is then their doing.
    pub writing: Vec<Clause>,
    /// Inside an attribute of the crate `anodized`, whose conditions are looked at only where contracts are checked.
    pub is_in_spec: bool,
}

/// Describes a place as panics report it: line and column count from 1, columns in characters.
///
/// Sources that do not parse give a site without function.
pub fn describe_site(source: &str, line: u32, column: u32) -> Site {
    let line_text = (line as usize).checked_sub(1).and_then(|skipped| source.lines().nth(skipped)).unwrap_or_default();
    let mut site = Site { line_text: line_text.trim().to_owned(), ..Site::default() };
    let place = Place(LineColumn { line: line as usize, column: (column as usize).saturating_sub(1) });
    if let Ok(tokens) = source.parse::<TokenStream>() {
        site.macro_name = macro_at(tokens, place);
    }
    let Ok(file) = syn::parse_file(source) else {
        return site;
    };
    site.clauses = clauses_of(&file);
    site.around = site.clauses.clone();
    site.around.retain(|clause| clause.panics_itself((line, column), ""));
    site.writing = site.clauses.iter().filter(|clause| clause.writes).cloned().collect();
    site.clauses.retain(|clause| (clause.line, clause.column) == (line, column));
    if !site.clauses.is_empty() {
        return site;
    }
    let mut finder = FunctionFinder { place, found: None, is_in_spec: false };
    finder.visit_file(&file);
    site.is_in_spec = finder.is_in_spec;
    if let Some((signature, body)) = finder.found {
        site.function = Some(signature.ident.to_string());
        if let Some(check) = entry_check(signature, body, place) {
            site.is_entry_check = true;
            site.checked_params = check.params;
        }
    }
    site
}

#[derive(Clone, Copy)]
pub(crate) struct Place(LineColumn);

impl Place {
    pub fn is_inside(self, span: Span) -> bool {
        span.start() <= self.0 && self.0 < span.end()
    }

    pub fn is_start_of(self, span: Span) -> bool {
        span.start() == self.0
    }
}

struct FunctionFinder<'ast> {
    place: Place,
    found: Option<(&'ast syn::Signature, &'ast syn::Block)>,
    is_in_spec: bool,
}

impl<'ast> FunctionFinder<'ast> {
    /// Functions are visited from the outside in: the last one that fits is the innermost.
    fn offer(&mut self, signature: &'ast syn::Signature, body: &'ast syn::Block) {
        if self.place.is_inside(body.span()) {
            self.found = Some((signature, body));
        }
    }
}

impl<'ast> Visit<'ast> for FunctionFinder<'ast> {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.is_in_spec |=
            self.place.is_inside(attribute.span()) && start_of_spec(std::slice::from_ref(attribute)).is_some();
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.offer(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.offer(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.offer(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The macro whose call starts there, also inside the arguments of another.
fn macro_at(tokens: TokenStream, place: Place) -> Option<String> {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // Only one group can hold the place, so this goes down, not wide.
    loop {
        let at = tokens.iter().position(|token| match token {
            TokenTree::Ident(ident) => place.is_start_of(ident.span()),
            TokenTree::Group(group) => place.is_inside(group.span()),
            _ => false,
        })?;
        match &tokens[at] {
            TokenTree::Group(group) => tokens = group.stream().into_iter().collect(),
            _ => return macro_path(&tokens[at..]),
        }
    }
}

/// `std::panic!` gives `panic`.
fn macro_path(tokens: &[TokenTree]) -> Option<String> {
    let is_punct =
        |token: &TokenTree, wanted: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted);
    let mut rest = tokens;
    loop {
        match rest {
            [TokenTree::Ident(name), bang, TokenTree::Group(_), ..] if is_punct(bang, '!') => {
                return Some(name.to_string());
            }
            [TokenTree::Ident(_), first, second, after @ ..] if is_punct(first, ':') && is_punct(second, ':') => {
                rest = after;
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The site at the mark `§`, which is taken out.
    fn site_at_mark(marked: &str) -> Site {
        let (before, after) = marked.split_once('§').expect("a mark");
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() + 1;
        describe_site(&format!("{before}{after}"), line as u32, column as u32)
    }

    #[test]
    fn the_macro_and_the_innermost_function_are_named() {
        let site =
            site_at_mark("impl A { fn outer(&self) { fn inner() { let s = \"ä\"; §unreachable!(\"no\") } inner() } }");
        assert_eq!(site.macro_name.as_deref(), Some("unreachable"));
        assert_eq!(site.function.as_deref(), Some("inner"));
        assert!(!site.is_entry_check);
    }

    #[test]
    fn macros_are_found_by_path_and_inside_others() {
        let by_path = site_at_mark("fn f() { §core::panic!() }");
        assert_eq!(by_path.macro_name.as_deref(), Some("panic"));
        let nested = site_at_mark("trait T { fn f(&self) { wrap!(if x { §todo!() }) } }");
        assert_eq!(nested.macro_name.as_deref(), Some("todo"));
        assert_eq!(nested.function.as_deref(), Some("f"));
    }

    #[test]
    fn a_place_without_macro_gives_the_line() {
        let site = site_at_mark("fn f(x: &[u8]) -> u8 {\n    let y = 1;\n    §x[9] + y // here\n}");
        assert_eq!(site.macro_name, None);
        assert_eq!(site.line_text, "x[9] + y // here");
        assert_eq!(site.function.as_deref(), Some("f"));
    }

    #[test]
    fn conditions_of_specs_are_told_from_code() {
        let is_in_spec = |marked: &str| site_at_mark(marked).is_in_spec;
        assert!(is_in_spec("impl A { #[spec(requires: self.v[§n] > 0)] fn f(&self, n: usize) {} }"));
        assert!(is_in_spec("#[cfg_attr(test, spec(requires: §a / b > 0))] fn f(a: u8, b: u8) {}"));
        assert!(!is_in_spec("#[spec(requires: n > 0)] fn f(n: u8) { §n - 2; }"));
        assert!(!is_in_spec("#[requires(§n / 2 > 0)] fn f(n: u8) {}"));
    }

    #[test]
    fn sources_that_do_not_parse_and_places_that_do_not_exist_give_little() {
        assert_eq!(describe_site("fn f( {\n panic!()", 2, 2).line_text, "panic!()");
        assert_eq!(describe_site("fn f() {}", 70, 1), Site::default());
        assert_eq!(describe_site("fn f() {}", 0, 0), Site::default());
    }

    #[test]
    fn refused_arguments_are_entry_checks() {
        for marked in [
            "fn f(n: usize) { §assert!(n > 0, \"n must be positive\"); work(n) }",
            "fn f(&self, n: usize) -> u8 { §debug_assert!(n < self.items.len()); self.items[n] }",
            "fn f(a: u8, b: u8) { §assert_ne!(a, b); }",
            "fn f(n: usize) { if n == 0 { §panic!(\"zero\"); } work(n) }",
            "fn f(n: usize) { if n > MAX && !cfg!(test) { return; } §assert!(n != usize::MIN); }",
            "fn f(&mut self, n: usize) { let len = self.len(); §assert!(n <= len, \"{n}\"); self.n = n; }",
            "fn f(x: Option<u8>) -> u8 { match x { Some(n) => n, None => §panic!(\"none\") } }",
            "fn f(x: Option<u8>) { let Some(n) = x else { §panic!(\"none\") }; work(n) }",
            "fn f(s: &str) { §assert!(s.chars().all(|c| c.is_ascii())); }",
            "fn f(s: &str) { §assert!(matches!(s.len(), 1..=4)); }",
            "fn f((a, b): (u8, u8)) { assert!(a > 0); §assert!(a < b); }",
            "fn f(n: u8) { if n > 3 { work() } else { §panic!(\"too small\") } }",
            "fn f<T>(n: usize) { §assert!(n < core::mem::size_of::<T>()); }",
            "fn f(&mut self, n: usize) -> &mut u8 { match self.v.get_mut(n) { Some(x) => x, _ => §panic!() } }",
            "fn f(n: u8) { §assert_eq!(n, n.next_power_of_two()); }",
            "fn f(n: usize) -> Self { let mut m = Self { v: vec![], n: 0 }; §debug_assert!(n <= <T as Max>::max()); m }",
            "fn f(n: u8) { if n == 1 { return; } else if n == 2 { §panic!() } }",
            "fn f(&mut self, n: usize, items: I) { let i = items.into_iter(); if n == self.len() { return self.extend(i); } \
             self.reserve(1); unsafe { let len = self.len(); §assert!(n <= len); self.set_len(n); } }",
        ] {
            let site = site_at_mark(marked);
            assert!(site.is_entry_check, "{marked}");
        }
    }

    #[test]
    fn other_panics_are_no_entry_checks() {
        for marked in [
            // After a change.
            "fn f(&mut self, n: usize) { self.n += 1; §assert!(self.n < n); }",
            "fn f(&mut self, n: usize) { self.items.push(n); §assert!(n > 0); }",
            "fn f(&mut self) { let x = self.items.pop(); §assert!(x.is_some()); }",
            "fn f(v: &mut Vec<u8>) { let x = change(&mut *v); §assert!(x); }",
            // About something computed or global.
            "fn f(n: usize) { let x = unknown; §assert!(x > n); }",
            "fn f(&mut self) { §assert!(self.items.pop().is_some()); }",
            "fn f(&mut self) { §assert!(self.iter.next().is_some()); }",
            "fn f(n: usize) -> Self { let m = Self { v: vec![], n }; §debug_assert!(m.v.len() == n); m }",
            // Not at the start.
            "fn f(n: usize) { for i in 0..n { §assert!(i < 3); } }",
            "fn f(n: usize) { work(n); §assert!(n < 3); }",
            "fn f(n: usize) { if n > 3 { work(n); §panic!() } }",
            "fn f(n: usize) { unsafe { work(n); §assert!(n < 3); } }",
            // Not a refusal.
            "fn f(n: usize) { if n > 3 { §unreachable!() } }",
            "fn f(n: usize) { §todo!() }",
            // Inside the condition.
            "fn f(v: &[u8]) { assert!(§v[3] > 0); }",
        ] {
            let site = site_at_mark(marked);
            assert!(!site.is_entry_check, "{marked}");
        }
    }

    #[test]
    fn the_parameters_that_a_check_looks_at_are_listed() {
        let site = site_at_mark("fn f(&self, n: u8, other: u8) { let len = self.len(); §assert!(n < 3 && len > n); }");
        assert_eq!(site.checked_params, ["n", "self"]);
        let site = site_at_mark("fn f(&self, n: u8) { if n > 1 { §panic!() } }");
        assert_eq!(site.checked_params, ["n"]);
    }
}
