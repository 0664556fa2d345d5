//! What contracts demand of callers of the API's functions, in a form that can be compiled outside of the crate.

use std::path::Path;

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};

use crate::api::specification::{Specification, SpecificationKind};
use crate::api::{Function, Model};
use crate::contracts::Clause;
use provoke_oracles::ClauseKind;

/// One clause of a precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// Place in [`Model::functions`].
    pub function: usize,
    /// As it is written, on one line.
    pub text: String,
    /// The same as tokens, if it is about nothing but the parameters as they were passed.
    pub condition: Option<String>,
    /// Where it starts, as panics report it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// It is checked in builds that ask for it, and shares its place with other clauses.
    pub is_optional: bool,
}

impl Model {
    /// Takes up those clauses of a source file that are preconditions of the API's functions.
    pub fn add_preconditions(&mut self, file: &str, clauses: &[Clause]) {
        for clause in clauses.iter().filter(|clause| clause.kind == ClauseKind::Precondition) {
            let Some(function) = self.function_of(file, clause) else { continue };
            self.preconditions.push(Precondition {
                function,
                text: clause.text.clone(),
                condition: self.is_about_parameters(function, clause).then(|| clause.condition.clone()),
                file: file.to_owned(),
                line: clause.line,
                column: clause.column,
                is_optional: clause.moment.is_some(),
            });
        }
    }

    /// A spec may call parameters by other names than the function, and look at other things before it states a condition.
    fn is_about_parameters(&self, function: usize, clause: &Clause) -> bool {
        let Some(name) = &clause.spec else { return true };
        let names =
            |function: &Function| function.signature.params.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let specs = self.specifications.iter().filter(|it| it.of == Some(function) && it.name == *name);
        let mut specs = specs.map(|it| names(&it.trampoline));
        clause.is_asked_first && specs.any(|of_spec| of_spec == names(&self.functions[function]))
    }

    /// The function of the API that a clause stands at, or that its spec is called in place of.
    pub fn function_of(&self, file: &str, clause: &Clause) -> Option<usize> {
        let (name, (first, last)) = (clause.function.as_ref()?, clause.function_lines?);
        if let Some(spec) = &clause.spec {
            let is_there = |it: &&Specification| {
                let span = it.trampoline.span.as_ref();
                it.kind == SpecificationKind::Spec
                    && it.name == *spec
                    && span.is_some_and(|span| Path::new(file).ends_with(&span.file))
            };
            // What a macro wrote has the span of its attribute, or of what it was given.
            let line_of = |it: &Specification| it.trampoline.span.as_ref().map_or(0, |span| span.line);
            let nearest = |it: &&Specification| line_of(it).abs_diff(first);
            return self.specifications.iter().filter(is_there).min_by_key(nearest)?.of;
        }
        self.functions.iter().position(|function| {
            function.name == *name
                && function.span.as_ref().is_some_and(|span| {
                    // What attributes rewrote has the span of the first of them that did.
                    let is_rewritten_around =
                        clause.lines_around.is_some_and(|(from, to)| (from..=to).contains(&span.line));
                    let is_there = (first..=last).contains(&span.line)
                        || (span.line..=span.end_line).contains(&last)
                        || is_rewritten_around;
                    is_there && Path::new(file).ends_with(&span.file)
                })
        })
    }
}

/// A condition as it can be compiled outside of the function that it is about: implications are spelled out, and `name_of` says
/// what a name that belongs to the function (`self`, a parameter, a type parameter) is to be called. `None` where it does not parse.
pub fn compiled_elsewhere(condition: &str, name_of: impl Fn(&str) -> Option<String>) -> Option<String> {
    let tokens: TokenStream = condition.parse().ok()?;
    let renamed = renamed(tokens, &name_of)?;
    Some(implications(renamed.into_iter().collect()).to_string())
}

fn renamed(tokens: TokenStream, name_of: &impl Fn(&str) -> Option<String>) -> Option<TokenStream> {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let is_inside_path =
            ends_with(&out, ':', ':') || matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '.');
        match &token {
            TokenTree::Ident(name) if !is_inside_path => match name_of(&name.to_string()) {
                Some(new) => out.extend(new.parse::<TokenStream>().ok()?),
                None => out.push(token),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed(group.stream(), name_of)?);
                inner.set_span(group.span());
                out.push(inner.into());
            }
            _ => out.push(token),
        }
    }
    Some(out.into_iter().collect())
}

/// `a -> b` is `!(a) || (b)`, and binds weaker than anything else.
fn implications(tokens: Vec<TokenTree>) -> TokenStream {
    let arrow = (1..tokens.len()).find(|&at| ends_with(&tokens[..=at], '-', '>'));
    let Some(arrow) = arrow else { return tokens.into_iter().collect() };
    let premise = parenthesized(tokens[..arrow - 1].iter().cloned().collect());
    let conclusion = parenthesized(implications(tokens[arrow + 1..].to_vec()));
    let mut spelled: TokenStream = "!".parse().unwrap_or_default();
    spelled.extend([premise]);
    spelled.extend("||".parse::<TokenStream>().unwrap_or_default());
    spelled.extend([conclusion]);
    spelled
}

fn parenthesized(tokens: TokenStream) -> TokenTree {
    Group::new(proc_macro2::Delimiter::Parenthesis, tokens).into()
}

/// Whether the last two tokens are these two characters, written together.
fn ends_with(tokens: &[TokenTree], first: char, second: char) -> bool {
    match tokens {
        [.., TokenTree::Punct(a), TokenTree::Punct(b)] => {
            a.as_char() == first && a.spacing() == Spacing::Joint && b.as_char() == second
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ty::{Generics, Signature};
    use crate::api::{Docs, FunctionHome, Span};

    fn sample_function() -> Function {
        let signature = Signature {
            params: Vec::new(),
            result: None,
            is_async: false,
            is_unsafe: false,
            is_const: false,
            is_variadic: false,
            abi: "Rust".into(),
        };
        Function {
            name: String::new(),
            display: String::new(),
            home: FunctionHome::Free { path: Vec::new() },
            generics: Generics::default(),
            signature,
            docs: Docs::default(),
            is_deprecated: false,
            span: None,
            defined_in: None,
        }
    }

    fn elsewhere(condition: &str) -> Option<String> {
        let name_of = |name: &str| match name {
            "self" => Some("this".to_string()),
            "Self" => Some("<::bank::Account>".to_string()),
            "T" => Some("u8".to_string()),
            _ => None,
        };
        compiled_elsewhere(condition, name_of).map(|text| text.replace(' ', ""))
    }

    #[test]
    fn names_of_the_function_are_replaced_and_those_of_others_are_not() {
        let cases = [
            ("amount <= self.balance()", "amount<=this.balance()"),
            (
                "n < Self::MAX && matches!(self.state, State::T)",
                "n<<::bank::Account>::MAX&&matches!(this.state,State::T)",
            ),
            ("size_of::<T>() == x.T", "size_of::<u8>()==x.T"),
            (r#"name != "self  T""#, r#"name!="selfT""#),
        ];
        for (condition, wanted) in cases {
            assert_eq!(elsewhere(condition).as_deref(), Some(wanted));
        }
        assert_eq!(elsewhere("(a"), None);
    }

    #[test]
    fn a_clause_belongs_to_the_function_that_it_stands_at() {
        let source = "#[requires(a)]\nfn f() {}\n\n/// Docs.\n#[requires(b)]\n#[inline]\npub fn f() {\n}\n\n#[requires(c)]\nfn g() {}\n";
        let function = |name: &str, (line, end_line)| Function {
            name: name.into(),
            span: Some(Span { file: "src/lib.rs".into(), line, column: 1, end_line }),
            ..sample_function()
        };
        let places = |spans: [(u32, u32); 2]| {
            let functions = vec![function("g", spans[0]), function("f", spans[1])];
            let mut model = Model { functions, ..Model::default() };
            model.add_preconditions("/home/u/src/lib.rs", &crate::clauses(source));
            model
                .preconditions
                .iter()
                .map(|it| (it.function, it.condition.clone().unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        let wanted = [(1, "b".to_string()), (0, "c".to_string())];
        assert_eq!(places([(11, 11), (7, 8)]), wanted, "as it is written");
        assert_eq!(places([(10, 10), (5, 5)]), wanted, "as an attribute rewrote it");
    }

    #[test]
    fn what_an_attribute_of_the_impl_rewrote_has_the_place_of_that() {
        let source = "#[invariant(self.ok())]\nimpl A {\n    #[requires(a)]\n    fn f(&self) {}\n}\n\nimpl B {\n    #[requires(b)]\n    fn f(&self) {}\n}\n";
        let function = |line| Function {
            name: "f".into(),
            span: Some(Span { file: "src/lib.rs".into(), line, column: 1, end_line: line }),
            ..sample_function()
        };
        let mut model = Model { functions: vec![function(1), function(9)], ..Model::default() };
        model.add_preconditions("src/lib.rs", &crate::clauses(source));
        let found: Vec<(usize, &str)> = model.preconditions.iter().map(|it| (it.function, &*it.text)).collect();
        assert_eq!(found, [(0, "a"), (1, "b")]);
    }

    #[test]
    fn texts_keep_their_spaces() {
        assert_eq!(compiled_elsewhere(r#"s != "a  b""#, |_| None).as_deref(), Some(r#"s != "a  b""#));
    }

    #[test]
    fn implications_are_spelled_out() {
        assert_eq!(elsewhere("a -> b").as_deref(), Some("!(a)||(b)"));
        assert_eq!(elsewhere("a || b -> c -> d").as_deref(), Some("!(a||b)||(!(c)||(d))"));
        assert_eq!(elsewhere("a > -b").as_deref(), Some("a>-b"));
    }
}
