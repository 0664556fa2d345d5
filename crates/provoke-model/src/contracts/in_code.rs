//! Clauses in the body of a function with `#[provoke::spec(of = …)]`: `pre!` and `post!`, which are checked where they stand.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, ExprMacro, Signature, Stmt, StmtMacro};

use crate::contracts::attributes::{on_one_line, written};
use crate::contracts::{Clause, place_behind, place_of, text_literal};
use provoke_oracles::ClauseKind;

/// Adds those of one function, if it is a spec.
pub(crate) fn spec_clauses(attributes: &[Attribute], signature: &Signature, block: &Block, clauses: &mut Vec<Clause>) {
    let Some(of) = specified(attributes) else { return };
    let first_line = attributes.first().map_or(0, |attribute| attribute.span().start().line as u32);
    let lines = (first_line, block.span().end().line as u32);
    let spec = Spec { name: signature.ident.to_string(), of, lines };
    let n_before = clauses.len();
    for statement in &block.stmts {
        spec.read(statement.to_token_stream(), clauses);
    }
    // What stands behind anything else may be about other things than the parameters.
    let n_first = block.stmts.iter().take_while(|statement| is_precondition(statement)).count();
    clauses[n_before..].iter_mut().take(n_first).for_each(|clause| clause.is_asked_first = true);
}

fn is_precondition(statement: &Stmt) -> bool {
    let called = match statement {
        Stmt::Macro(StmtMacro { mac, .. }) => mac,
        Stmt::Expr(Expr::Macro(ExprMacro { mac, .. }), _) => mac,
        _ => return false,
    };
    called.path.is_ident("pre")
}

/// The function that a spec is called in place of.
pub(crate) fn specified(attributes: &[Attribute]) -> Option<String> {
    let arguments = written(attributes).into_iter().find(|it| it.name == "spec")?.arguments;
    let tokens: Vec<TokenTree> = arguments.into_iter().collect();
    match &tokens[..] {
        [TokenTree::Ident(key), TokenTree::Punct(is), TokenTree::Ident(of), ..]
            if key == "of" && is.as_char() == '=' =>
        {
            let name = of.to_string();
            Some(name.strip_prefix("r#").unwrap_or(&name).to_owned())
        }
        _ => None,
    }
}

struct Spec {
    name: String,
    of: String,
    /// From its first attribute to its end.
    lines: (u32, u32),
}

impl Spec {
    /// Clauses stand anywhere, inside of other macros, too.
    fn read(&self, tokens: TokenStream, clauses: &mut Vec<Clause>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else { continue };
            match kind_before(&tokens[..place]) {
                Some(kind) => clauses.extend(self.clause(kind, group.stream())),
                None => self.read(group.stream(), clauses),
            }
        }
    }

    fn clause(&self, kind: ClauseKind, arguments: TokenStream) -> Option<Clause> {
        let mut condition: Vec<TokenTree> = arguments.into_iter().collect();
        condition.pop_if(|last| is_comma(last));
        let message = match &condition[..] {
            [_, .., comma, text] if is_comma(comma) => text_literal(std::slice::from_ref(text)),
            _ => None,
        };
        if message.is_some() {
            condition.truncate(condition.len() - 2);
        }
        let (first, last) = (condition.first()?, condition.last()?);
        let start = first.span().start();
        let tokens: TokenStream = condition.iter().cloned().collect();
        let whole = first.span().join(last.span()).and_then(|span| span.source_text());
        Some(Clause {
            kind,
            text: on_one_line(&whole.unwrap_or_else(|| tokens.to_string())),
            condition: tokens.to_string(),
            description: message,
            function: Some(self.of.clone()),
            function_lines: Some(self.lines),
            lines_around: None,
            moment: None,
            spec: Some(self.name.clone()),
            is_asked_first: false,
            line: start.line as u32,
            column: start.column as u32 + 1,
            start: place_of(start),
            end: place_behind(last),
            captures: None,
            writes: false,
        })
    }
}

/// `pre !` or `post !`; a macro that is called by a path is somebody else's.
fn kind_before(tokens: &[TokenTree]) -> Option<ClauseKind> {
    let [before @ .., TokenTree::Ident(name), TokenTree::Punct(bang)] = tokens else { return None };
    let has_path = matches!(before.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let kind = match name.to_string().as_str() {
        "pre" => ClauseKind::Precondition,
        "post" => ClauseKind::Postcondition,
        _ => return None,
    };
    (bang.as_char() == '!' && !has_path).then_some(kind)
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

#[cfg(test)]
mod tests {
    use crate::contracts::clauses;

    #[test]
    fn clauses_of_a_spec_belong_to_the_function_that_it_is_of() {
        let source = "impl List {\n    #[provoke::spec(of = get)]\n    fn get_spec(&mut self) -> i32 {\n        pre!(!self.is_empty());\n        let it = self.get();\n        if it > 0 { post!(it  <\n 9, \"small\"); }\n        other::pre!(a); vec![post!(b)]\n    }\n    fn get(&self) { pre!(c) }\n}\n";
        let shown: Vec<String> = clauses(source)
            .iter()
            .map(|it| {
                let (function, spec) = (it.function.as_deref().unwrap_or("-"), it.spec.as_deref().unwrap_or("-"));
                let message = it.description.as_deref().unwrap_or("-");
                let first = if it.is_asked_first { " first" } else { "" };
                let place = format!("{}:{}{first}", it.line, it.column);
                format!("{place} {:?} of {function} in {spec}: {} ({message})", it.kind, it.text)
            })
            .collect();
        assert_eq!(
            shown,
            [
                "4:14 first Precondition of get in get_spec: !self.is_empty() (-)",
                "6:27 Postcondition of get in get_spec: it  < 9 (small)",
                "8:36 Postcondition of get in get_spec: b (-)",
            ]
        );
    }

    #[test]
    fn a_spec_of_another_crate_is_left_to_it() {
        assert_eq!(clauses("#[spec(requires: a)]\nfn f(a: bool) { pre!(a) }").len(), 1);
    }
}
