//! Clauses that change what they are about: whether they hold is then the doing of whoever asks.
//!
//! Seen are assignments, `&mut` and methods on `self` that the same file declares with `&mut self`. What is changed behind a shared
//! reference nobody sees here.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, File};

use crate::contracts::Clause;

/// Marks those of a file.
pub(crate) fn mark_writing(file: &File, clauses: &mut [Clause]) {
    if clauses.is_empty() {
        return;
    }
    let mut receivers = Receivers::default();
    receivers.visit_file(file);
    let is_exclusive = |method: &str| receivers.exclusive.contains(method) && !receivers.shared.contains(method);
    for clause in clauses {
        // What has `self` to read only cannot call them, so the name is another function's.
        let may_write = clause.function_lines.is_some_and(|(_, line)| receivers.exclusive_lines.contains(&line));
        clause.writes = writes(&clause.condition, &|method| may_write && is_exclusive(method));
    }
}

/// The names of methods, by how they take `self`.
#[derive(Default)]
struct Receivers {
    exclusive: BTreeSet<String>,
    shared: BTreeSet<String>,
    /// Where the names stand of those that do not only read it.
    exclusive_lines: BTreeSet<u32>,
}

impl<'ast> Visit<'ast> for Receivers {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let Some(receiver) = signature.receiver() {
            let is_exclusive = receiver.reference.is_some() && receiver.mutability.is_some();
            let names = if is_exclusive { &mut self.exclusive } else { &mut self.shared };
            names.insert(signature.ident.to_string());
            if receiver.reference.is_none() || is_exclusive {
                self.exclusive_lines.insert(signature.ident.span().start().line as u32);
            }
        }
        visit::visit_signature(self, signature);
    }
}

fn writes(condition: &str, is_exclusive: &dyn Fn(&str) -> bool) -> bool {
    let Ok(tokens) = condition.parse::<TokenStream>() else { return false };
    implication_sides(tokens).into_iter().any(|side| {
        let Ok(side) = syn::parse2::<Expr>(side) else { return false };
        let mut own = OwnNames::default();
        own.visit_expr(&side);
        let mut finder = Finder { own: own.0, is_exclusive, writes: false };
        finder.visit_expr(&side);
        finder.writes
    })
}

/// `a` and `b` of `a -> b`, which the crate `contracts` takes and which is no expression.
fn implication_sides(tokens: TokenStream) -> Vec<TokenStream> {
    let mut sides = vec![Vec::new()];
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_punct = |token: &TokenTree, c: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == c);
        if is_punct(&token, '-') && tokens.next_if(|next| is_punct(next, '>')).is_some() {
            sides.push(Vec::new());
        } else if let Some(side) = sides.last_mut() {
            side.push(token);
        }
    }
    sides.into_iter().map(|side| side.into_iter().collect()).collect()
}

/// What a clause gives names to itself, it may change.
#[derive(Default)]
struct OwnNames(BTreeSet<String>);

impl<'ast> Visit<'ast> for OwnNames {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

struct Finder<'a> {
    own: BTreeSet<String>,
    is_exclusive: &'a dyn Fn(&str) -> bool,
    writes: bool,
}

impl Finder<'_> {
    /// Whether it is a place that was there before the clause was asked.
    fn is_elsewhere(&self, place: &Expr) -> bool {
        match place {
            Expr::Path(path) => path.path.get_ident().is_none_or(|name| !self.own.contains(&name.to_string())),
            Expr::Field(field) => self.is_elsewhere(&field.base),
            Expr::Index(index) => self.is_elsewhere(&index.expr),
            Expr::Paren(paren) => self.is_elsewhere(&paren.expr),
            Expr::Unary(unary) => self.is_elsewhere(&unary.expr),
            // The value of a call is a new one.
            _ => false,
        }
    }

    fn write_to(&mut self, place: &Expr) {
        self.writes |= self.is_elsewhere(place);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_assign(&mut self, assignment: &'ast syn::ExprAssign) {
        self.write_to(&assignment.left);
        visit::visit_expr_assign(self, assignment);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if is_assignment(&binary.op) {
            self.write_to(&binary.left);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        if reference.mutability.is_some() {
            self.write_to(&reference.expr);
        }
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_on_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        self.writes |= is_on_self && (self.is_exclusive)(&call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }
}

/// `+=` and its like.
pub(crate) fn is_assignment(op: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

#[cfg(test)]
mod tests {
    use crate::contracts::clauses;

    #[test]
    fn what_was_there_before_must_not_change() {
        for (condition, expected) in [
            ("self.n > 1", false),
            ("self.n == 1 && self.len() == 2", false),
            ("{ self.n += 1; ret == 0 }", true),
            ("{ *out = 3; true }", true),
            ("{ self.items[0].n = 3; true }", true),
            ("ret > 0 -> { self.n = 1; true }", true),
            ("a -> b", false),
            ("self.pop() == None", true),
            ("other.pop() == None", false),
            ("self.items.pop() == None", false),
            ("self.peek() == None", false),
            ("check(&mut self.items)", true),
            ("check(&mut self.items.clone())", false),
            ("{ let mut sum = 0; for x in &self.items { sum += x; } sum == ret }", false),
            ("{ let mut items = self.items.clone(); check(&mut items) }", false),
            ("self.items.iter().all(|mut x| { x = 2; x > 1 })", false),
            ("ret <= 3", false),
            ("not an expression", false),
        ] {
            let methods = "fn pop(&mut self) {} fn peek(&self) {} fn len(&self) {}";
            let source = format!("impl S {{ #[ensures({condition})]\nfn f(&mut self) {{}}\n {methods} }}");
            let found = clauses(&source);
            assert_eq!(found.iter().map(|clause| clause.writes).collect::<Vec<_>>(), [expected], "{condition}");
        }
    }

    #[test]
    fn a_name_that_two_types_use_differently_says_nothing() {
        let source = "impl S { #[ensures(self.pop())] fn f(&mut self) {}\n fn pop(&mut self) {} }\n";
        assert!(clauses(source)[0].writes);
        assert!(!clauses(&format!("{source} impl T {{ fn pop(&self) {{}} }}"))[0].writes);
        assert!(!clauses(&source.replace("f(&mut self)", "f(&self)"))[0].writes);
    }
}
