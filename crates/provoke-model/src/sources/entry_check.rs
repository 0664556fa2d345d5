//! Checks at the start of a function that refuse a call.
//!
//! Types are not known here. Whether a method changes its receiver is guessed from its name, so this can be wrong about
//! methods with misleading names.

use std::collections::BTreeMap;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Macro, Pat, Signature, Stmt, Token};

use crate::contracts::side_effects::is_assignment;
use crate::sources::site::Place;

pub(crate) struct EntryCheck {
    /// What the condition looks at.
    pub params: Vec<String>,
}

/// The check at this place, if it is one.
pub(crate) fn entry_check(signature: &Signature, body: &Block, place: Place) -> Option<EntryCheck> {
    Scope::of_parameters(signature).check_in_body(&body.stmts, place)
}

/// Names that stand for parameters or for what was observed of them.
#[derive(Clone)]
struct Scope {
    /// Each with the parameters it comes from.
    names: BTreeMap<String, Vec<String>>,
}

impl Scope {
    fn of_parameters(signature: &Signature) -> Scope {
        let mut names = BTreeMap::new();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(_) => {
                    names.insert("self".to_owned(), vec!["self".to_owned()]);
                }
                FnArg::Typed(typed) => {
                    for name in bound_names(&typed.pat) {
                        names.insert(name.clone(), vec![name]);
                    }
                }
            }
        }
        Scope { names }
    }

    /// Gives the names of a pattern the parameters that the expression looks at.
    fn bind(&mut self, pattern: &Pat, source: &Expr) {
        let params = self.params_in([source]);
        for name in bound_names(pattern) {
            self.names.insert(name, params.clone());
        }
    }

    fn with(&self, pattern: &Pat, source: &Expr) -> Scope {
        let mut scope = self.clone();
        scope.bind(pattern, source);
        scope
    }

    fn params_in<'a>(&self, exprs: impl IntoIterator<Item = &'a Expr>) -> Vec<String> {
        let mut collector = NameCollector { names: Vec::new() };
        for expr in exprs {
            collector.visit_expr(expr);
        }
        let mut params: Vec<String> = Vec::new();
        for name in collector.names {
            for param in self.names.get(&name).into_iter().flatten() {
                if !params.contains(param) {
                    params.push(param.clone());
                }
            }
        }
        params
    }

    /// The check that one of the statements is, if those before it change nothing.
    fn check_in_body(mut self, statements: &[Stmt], place: Place) -> Option<EntryCheck> {
        for statement in statements {
            if place.is_inside(statement.span()) {
                return self.check_in_statement(statement, place);
            }
            if !self.is_harmless(statement) {
                return None;
            }
        }
        None
    }

    /// A statement that may stand before a check: it changes nothing.
    fn is_harmless(&mut self, statement: &Stmt) -> bool {
        match statement {
            Stmt::Local(local) => match &local.init {
                Some(init) if let Expr::Struct(made) = &*init.expr => {
                    // A new value disturbs nobody. A check of it later on is one of the function's own work, though.
                    for name in bound_names(&local.pat) {
                        self.names.remove(&name);
                    }
                    made.fields.iter().all(|field| self.is_observation(&field.expr))
                        && made.rest.as_ref().is_none_or(|rest| self.is_observation(rest))
                }
                Some(init) => {
                    let is_harmless = self.is_observation(&init.expr)
                        && init.diverge.as_ref().is_none_or(|(_, otherwise)| self.is_way_out(otherwise));
                    self.bind(&local.pat, &init.expr);
                    is_harmless
                }
                None => true,
            },
            Stmt::Item(_) => true,
            Stmt::Macro(statement) => self.is_check_macro(&statement.mac),
            Stmt::Expr(Expr::Macro(expr), _) => self.is_check_macro(&expr.mac),
            Stmt::Expr(Expr::If(branch), _) => self.is_guard(branch),
            // Room for what is to come; everything else stays as it is.
            Stmt::Expr(Expr::MethodCall(call), _) if call.method.to_string().starts_with("reserve") => {
                self.is_observation(&call.receiver) && call.args.iter().all(|arg| self.is_observation(arg))
            }
            Stmt::Expr(..) => false,
        }
    }

    /// `if condition { return / panic }`, with any number of `else`.
    fn is_guard(&self, branch: &syn::ExprIf) -> bool {
        let scope = self.inside_condition(&branch.cond);
        self.is_observation(&branch.cond)
            && scope.is_block_way_out(&branch.then_branch)
            && match &branch.else_branch {
                None => true,
                Some((_, otherwise)) => match &**otherwise {
                    Expr::If(next) => self.is_guard(next),
                    other => self.is_way_out(other),
                },
            }
    }

    fn is_block_way_out(&self, block: &Block) -> bool {
        match block.stmts.as_slice() {
            [Stmt::Expr(expr, _)] => self.is_way_out(expr),
            [Stmt::Macro(statement)] => is_refusal(&statement.mac),
            _ => false,
        }
    }

    fn is_way_out(&self, expr: &Expr) -> bool {
        match expr {
            // Whatever it does, nobody comes to a later check this way.
            Expr::Return(_) => true,
            Expr::Macro(expr) => is_refusal(&expr.mac),
            Expr::Block(block) => self.is_block_way_out(&block.block),
            _ => false,
        }
    }

    fn is_check_macro(&self, mac: &Macro) -> bool {
        self.checked_exprs(mac).is_some_and(|exprs| exprs.iter().all(|expr| self.is_observation(expr)))
    }

    /// What an assertion compares; nothing for `panic!`.
    fn checked_exprs(&self, mac: &Macro) -> Option<Vec<Expr>> {
        let n_checked = match macro_name(mac).as_str() {
            "assert" | "debug_assert" => 1,
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => 2,
            "panic" => 0,
            _ => return None,
        };
        if n_checked == 0 {
            return Some(Vec::new());
        }
        let mut exprs = macro_arguments(mac)?;
        exprs.truncate(n_checked);
        Some(exprs)
    }

    fn check_in_statement(&self, statement: &Stmt, place: Place) -> Option<EntryCheck> {
        match statement {
            Stmt::Macro(statement) => self.check_in_macro(&statement.mac, place, &[]),
            Stmt::Expr(Expr::Unsafe(inner), _) => self.clone().check_in_body(&inner.block.stmts, place),
            Stmt::Expr(expr, _) => self.check_in_expr(expr, place, &[]),
            Stmt::Local(local) => {
                let init = local.init.as_ref()?;
                let (_, otherwise) = init.diverge.as_ref()?;
                if !self.is_observation(&init.expr) {
                    return None;
                }
                self.check_in_expr(otherwise, place, &[&init.expr])
            }
            Stmt::Item(_) => None,
        }
    }

    /// `conditions` led to this expression.
    fn check_in_expr(&self, expr: &Expr, place: Place, conditions: &[&Expr]) -> Option<EntryCheck> {
        if !place.is_inside(expr.span()) {
            return None;
        }
        match expr {
            Expr::Macro(expr) => self.check_in_macro(&expr.mac, place, conditions),
            Expr::Block(block) => self.check_in_block(&block.block, place, conditions),
            Expr::If(branch) => {
                if !self.is_observation(&branch.cond) {
                    return None;
                }
                let conditions = [conditions, &[&*branch.cond]].concat();
                self.inside_condition(&branch.cond).check_in_block(&branch.then_branch, place, &conditions).or_else(
                    || {
                        let (_, otherwise) = branch.else_branch.as_ref()?;
                        self.check_in_expr(otherwise, place, &conditions)
                    },
                )
            }
            Expr::Match(choice) => {
                if !self.is_observation(&choice.expr) {
                    return None;
                }
                let conditions = [conditions, &[&*choice.expr]].concat();
                choice.arms.iter().find_map(|arm| {
                    let scope = self.with(&arm.pat, &choice.expr);
                    let is_guard_harmless = arm.guard.as_ref().is_none_or(|(_, guard)| scope.is_observation(guard));
                    is_guard_harmless.then(|| scope.check_in_expr(&arm.body, place, &conditions)).flatten()
                })
            }
            _ => None,
        }
    }

    /// The check must be all that the block does.
    fn check_in_block(&self, block: &Block, place: Place, conditions: &[&Expr]) -> Option<EntryCheck> {
        match block.stmts.as_slice() {
            [Stmt::Expr(expr, _)] => self.check_in_expr(expr, place, conditions),
            [Stmt::Macro(statement)] => self.check_in_macro(&statement.mac, place, conditions),
            _ => None,
        }
    }

    fn check_in_macro(&self, mac: &Macro, place: Place, conditions: &[&Expr]) -> Option<EntryCheck> {
        if !place.is_start_of(mac.path.span()) {
            return None;
        }
        let checked = self.checked_exprs(mac)?;
        if !checked.iter().all(|expr| self.is_observation(expr)) {
            return None;
        }
        let looked_at = conditions.iter().copied().chain(&checked);
        Some(EntryCheck { params: self.params_in(looked_at) })
    }

    /// The scope behind `if let Some(x) = y && ..`.
    fn inside_condition(&self, condition: &Expr) -> Scope {
        match condition {
            Expr::Let(binding) => self.with(&binding.pat, &binding.expr),
            Expr::Binary(both) => self.inside_condition(&both.left).inside_condition(&both.right),
            _ => self.clone(),
        }
    }

    /// Looks at parameters and constants, and changes nothing.
    fn is_observation(&self, expr: &Expr) -> bool {
        let all = |exprs: &Punctuated<Expr, Token![,]>| exprs.iter().all(|expr| self.is_observation(expr));
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(path) => self.is_known_value(&path.path),
            Expr::Field(field) => self.is_observation(&field.base),
            Expr::Index(index) => self.is_observation(&index.expr) && self.is_observation(&index.index),
            Expr::MethodCall(call) => {
                !changes_receiver(&call.method.to_string()) && self.is_observation(&call.receiver) && all(&call.args)
            }
            Expr::Call(call) => matches!(*call.func, Expr::Path(_)) && all(&call.args),
            Expr::Unary(unary) => self.is_observation(&unary.expr),
            Expr::Binary(binary) => {
                !is_assignment(&binary.op)
                    && self.is_observation(&binary.left)
                    && self.inside_condition(&binary.left).is_observation(&binary.right)
            }
            Expr::Paren(paren) => self.is_observation(&paren.expr),
            Expr::Group(group) => self.is_observation(&group.expr),
            Expr::Cast(cast) => self.is_observation(&cast.expr),
            Expr::Reference(reference) => reference.mutability.is_none() && self.is_observation(&reference.expr),
            Expr::Range(range) => [&range.start, &range.end].into_iter().flatten().all(|end| self.is_observation(end)),
            Expr::Tuple(tuple) => all(&tuple.elems),
            Expr::Array(array) => all(&array.elems),
            Expr::Repeat(repeat) => self.is_observation(&repeat.expr),
            Expr::Let(binding) => self.is_observation(&binding.expr),
            Expr::Closure(closure) => {
                let mut scope = self.clone();
                for name in closure.inputs.iter().flat_map(bound_names) {
                    scope.names.insert(name, Vec::new());
                }
                scope.is_observation(&closure.body)
            }
            Expr::If(branch) => {
                self.is_observation(&branch.cond)
                    && self.inside_condition(&branch.cond).is_value_block(&branch.then_branch)
                    && branch.else_branch.as_ref().is_some_and(|(_, otherwise)| self.is_observation(otherwise))
            }
            Expr::Match(choice) => {
                self.is_observation(&choice.expr)
                    && choice.arms.iter().all(|arm| {
                        let scope = self.with(&arm.pat, &choice.expr);
                        let guard = arm.guard.as_ref();
                        guard.is_none_or(|(_, guard)| scope.is_observation(guard)) && scope.is_observation(&arm.body)
                    })
            }
            Expr::Block(block) => self.is_value_block(&block.block),
            Expr::Macro(expr) => self.is_observing_macro(&expr.mac),
            _ => false,
        }
    }

    fn is_value_block(&self, block: &Block) -> bool {
        matches!(block.stmts.as_slice(), [Stmt::Expr(expr, None)] if self.is_observation(expr))
    }

    fn is_observing_macro(&self, mac: &Macro) -> bool {
        match macro_name(mac).as_str() {
            "cfg" => true,
            "vec" => macro_arguments(mac).is_some_and(|exprs| exprs.iter().all(|expr| self.is_observation(expr))),
            "matches" => matched_expr(mac).is_some_and(|expr| self.is_observation(&expr)),
            _ => false,
        }
    }

    /// A known name, or something spelled like a constant, type or variant.
    fn is_known_value(&self, path: &syn::Path) -> bool {
        match path.get_ident() {
            Some(ident) if self.names.contains_key(&ident.to_string()) => true,
            _ => path.segments.last().is_some_and(|segment| {
                segment.ident.to_string().trim_start_matches('_').starts_with(char::is_uppercase)
            }),
        }
    }
}

fn macro_name(mac: &Macro) -> String {
    mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

fn is_refusal(mac: &Macro) -> bool {
    macro_name(mac) == "panic"
}

fn macro_arguments(mac: &Macro) -> Option<Vec<Expr>> {
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone()).ok()?;
    Some(arguments.into_iter().collect())
}

/// The first argument of `matches!`; what follows is a pattern.
fn matched_expr(mac: &Macro) -> Option<Expr> {
    let parser = |input: syn::parse::ParseStream| {
        let expr: Expr = input.parse()?;
        let _: proc_macro2::TokenStream = input.parse()?;
        Ok(expr)
    };
    parser.parse2(mac.tokens.clone()).ok()
}

/// By its name alone: what std and its imitators call methods that take `&mut self`.
fn changes_receiver(method: &str) -> bool {
    const VERBS: &[&str] = &[
        "push",
        "pop",
        "insert",
        "remove",
        "set",
        "clear",
        "drain",
        "append",
        "extend",
        "truncate",
        "swap",
        "replace",
        "take",
        "retain",
        "resize",
        "reserve",
        "sort",
        "dedup",
        "write",
        "read",
        "fetch",
        "store",
        "advance",
        "increment",
        "decrement",
        "add",
        "update",
        "reset",
        "split_off",
        "rotate",
        "fill",
        "reverse",
    ];
    // Only lends: what is done with the loan is another expression.
    if matches!(method, "get_mut" | "as_mut" | "first_mut" | "last_mut" | "iter_mut" | "as_deref_mut") {
        return false;
    }
    method.ends_with("_mut")
        // Not `next_power_of_two`.
        || matches!(method, "next" | "next_back" | "next_if" | "next_if_eq")
        || VERBS.iter().any(|verb| {
            method
                .strip_prefix(verb)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        })
}

fn bound_names(pattern: &Pat) -> Vec<String> {
    struct Binder(Vec<String>);
    impl<'ast> Visit<'ast> for Binder {
        fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
            self.0.push(binding.ident.to_string());
            visit::visit_pat_ident(self, binding);
        }
    }
    let mut binder = Binder(Vec::new());
    binder.visit_pat(pattern);
    binder.0
}

struct NameCollector {
    names: Vec<String>,
}

impl<'ast> Visit<'ast> for NameCollector {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(ident) = path.path.get_ident() {
            self.names.push(ident.to_string());
        }
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        if let Some(expr) = matched_expr(mac) {
            self.visit_expr(&expr);
        }
    }
}
