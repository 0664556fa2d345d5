//! Clauses of the crate `anodized`: `#[spec(requires: …, maintains: …, captures: …, ensures: |output| …)]`.
//!
//! A panic of its checks tells where the attribute starts that was expanded, and whether something failed before or after the body:
//! nothing else. So clauses have that place and that moment. The attribute of an impl or a trait is expanded for all functions in
//! it, and gives all of them its place.
//!
//! What stands in the attribute are fields as in a struct literal, which `syn` reads. The crate's own parser, `anodized-core`, adds
//! little to that but refusals: one odd field makes the whole attribute an error, by the grammar of a single version.
//!
//! Decision: `docs/decisions/071-a-panic-of-anodized-names-its-attribute.md`

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, FieldValue, FnArg, Member, ReturnType, Signature, Token, Type};

use crate::contracts::attributes::{Written, on_one_line, written};
use crate::contracts::in_code::specified;
use crate::contracts::{Clause, Moment, place_of};
use provoke_oracles::ClauseKind;

/// Where the attribute of an impl or a trait starts that is expanded for all functions in it.
pub(crate) fn start_of_spec(attributes: &[Attribute]) -> Option<LineColumn> {
    spec_of(attributes).map(|spec| spec.start)
}

fn spec_of(attributes: &[Attribute]) -> Option<Written> {
    // The crate `provoke` has an attribute of the same name.
    let is_other = specified(attributes).is_some();
    written(attributes).into_iter().find(|attribute| attribute.name == "spec" && !is_other)
}

/// The clauses of a function. `around` is where the attribute of its impl or trait starts.
pub(crate) fn spec_clauses(
    attributes: &[Attribute],
    signature: &Signature,
    around: Option<LineColumn>,
    clauses: &mut Vec<Clause>,
) {
    let own = spec_of(attributes);
    // An attribute around takes along those that it knows by their name.
    let start = match &own {
        Some(own) if !own.is_bare => own.start,
        Some(own) => around.unwrap_or(own.start),
        None => match around {
            Some(around) => around,
            None => return,
        },
    };
    let first_line = attributes.first().map_or(start.line, |attribute| attribute.span().start().line) as u32;
    let mut stated = stated_types(signature);
    let mut captures = None;
    if let Some(own) = own {
        let fields = Fields::parse_terminated.parse2(own.arguments).unwrap_or_default();
        captures = captured(&fields);
        stated.extend(stated_conditions(&fields, signature));
    }
    clauses.extend(stated.into_iter().map(|Stated { kind, moment, text }| Clause {
        kind,
        condition: text.text.clone(),
        text: text.text,
        description: None,
        function: Some(signature.ident.to_string()),
        function_lines: Some((first_line, signature.ident.span().start().line as u32)),
        lines_around: None,
        moment: Some(moment),
        spec: None,
        is_asked_first: true,
        line: start.line as u32,
        column: start.column as u32 + 1,
        start: text.start,
        end: text.end,
        captures: captures.clone().filter(|_| kind == ClauseKind::Postcondition),
        writes: false,
    }));
}

struct Stated {
    kind: ClauseKind,
    moment: Moment,
    text: Source,
}

/// What stands somewhere.
#[derive(Clone)]
struct Source {
    text: String,
    start: (u32, u32),
    end: (u32, u32),
}

impl Stated {
    /// What has to hold at two moments is said for each.
    fn at_both(before: ClauseKind, after: ClauseKind, text: Source) -> [Stated; 2] {
        [
            Stated { kind: before, moment: Moment::Entry, text: text.clone() },
            Stated { kind: after, moment: Moment::Exit, text },
        ]
    }
}

/// Where `captures` stands: what postconditions look back at.
fn captured(fields: &Fields) -> Option<Range<(u32, u32)>> {
    let field = fields.iter().find(|field| matches!(&field.member, Member::Named(name) if name == "captures"))?;
    let span = field.expr.span();
    Some(place_of(span.start())..place_of(span.end()))
}

type Fields = Punctuated<FieldValue, Token![,]>;

fn stated_conditions(fields: &Fields, signature: &Signature) -> Vec<Stated> {
    let parameters = parameters(signature);
    let mut stated = Vec::new();
    for field in fields {
        let (Member::Named(name), Some(_)) = (&field.member, field.colon_token) else { continue };
        let texts = conditions(&field.expr).into_iter();
        match name.to_string().as_str() {
            "requires" => {
                stated.extend(texts.map(|text| Stated { kind: ClauseKind::Precondition, moment: Moment::Entry, text }))
            }
            "ensures" => {
                stated.extend(texts.map(|text| Stated { kind: ClauseKind::Postcondition, moment: Moment::Exit, text }))
            }
            // What callers pass is theirs before the call. What the crate keeps in `self` is its own at any time.
            "maintains" => stated.extend(texts.flat_map(|text| {
                if mentions(text.text.parse().unwrap_or_default(), &parameters) {
                    Stated::at_both(ClauseKind::Precondition, ClauseKind::Postcondition, text)
                } else {
                    Stated::at_both(ClauseKind::Invariant, ClauseKind::Invariant, text)
                }
            })),
            _ => {}
        }
    }
    stated
}

/// One, or those of a list; each with the name that it has for the result.
fn conditions(expr: &Expr) -> Vec<Source> {
    match expr {
        Expr::Array(array) => array.elems.iter().filter_map(source).collect(),
        Expr::Closure(closure) => match (&*closure.body, closure.inputs.first().and_then(source)) {
            (Expr::Array(array), Some(output)) => {
                let named = |it: Source| Source { text: format!("|{}| {}", output.text, it.text), ..it };
                array.elems.iter().filter_map(source).map(named).collect()
            }
            _ => source(expr).into_iter().collect(),
        },
        _ => source(expr).into_iter().collect(),
    }
}

fn source(node: &impl Spanned) -> Option<Source> {
    let span = node.span();
    let text = on_one_line(&span.source_text()?);
    Some(Source { text, start: place_of(span.start()), end: place_of(span.end()) })
}

/// `Spec!(T)` in a signature: the value keeps what its type states.
fn stated_types(signature: &Signature) -> Vec<Stated> {
    let mut stated = Vec::new();
    for input in &signature.inputs {
        let (ty, before, after) = match input {
            FnArg::Receiver(receiver) => (&*receiver.ty, ClauseKind::Invariant, ClauseKind::Invariant),
            FnArg::Typed(typed) => (&*typed.ty, ClauseKind::Precondition, ClauseKind::Postcondition),
        };
        let (Some(marker), Some(text)) = (marker(ty), source(input)) else { continue };
        let moments = match mode(marker).as_deref() {
            Some("out") => Moment::Exit..=Moment::Exit,
            Some("inout") => Moment::Entry..=Moment::Exit,
            _ => Moment::Entry..=Moment::Entry,
        };
        stated.extend(Stated::at_both(before, after, text).into_iter().filter(|one| moments.contains(&one.moment)));
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && marker(ty).is_some()
        && let Some(text) = source(&signature.output)
    {
        stated.push(Stated { kind: ClauseKind::Postcondition, moment: Moment::Exit, text });
    }
    stated
}

/// The arguments of `Spec!(…)`.
fn marker(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Macro(ty) if ty.mac.path.is_ident("Spec") => Some(ty.mac.tokens.clone()),
        _ => None,
    }
}

/// `out` of `Spec!(T, out)`.
fn mode(marker: TokenStream) -> Option<String> {
    let tokens: Vec<TokenTree> = marker.into_iter().collect();
    match &tokens[..] {
        [.., TokenTree::Punct(comma), TokenTree::Ident(mode)] if comma.as_char() == ',' => Some(mode.to_string()),
        _ => None,
    }
}

/// The names that callers give values to.
fn parameters(signature: &Signature) -> BTreeSet<String> {
    #[derive(Default)]
    struct Names(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            self.0.insert(pattern.ident.to_string());
            visit::visit_pat_ident(self, pattern);
        }
    }
    let mut names = Names::default();
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input {
            names.visit_pat(&typed.pat);
        }
    }
    names.0
}

/// Whether one of the names is there, and not as a field of something.
fn mentions(tokens: TokenStream, names: &BTreeSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot = |at: Option<usize>| {
        let token = at.and_then(|at| tokens.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '.')
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => {
            let is_field = is_dot(at.checked_sub(1)) && !is_dot(at.checked_sub(2));
            !is_field && names.contains(&ident.to_string())
        }
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}
