//! What signature each attribute asks for, as far as syntax tells.

use quote::ToTokens;
use syn::{Error, FnArg, GenericParam, ImplItemFn, PatType, Result, ReturnType, Signature, Type};

use crate::kind::Kind;

/// Tells those who put an attribute on the wrong function what the right one looks like.
pub fn check(kind: Kind, function: &ImplItemFn) -> Result<()> {
    let sig = &function.sig;
    check_qualifiers(kind, function)?;
    let (receiver, values) = split(sig);
    let is_shared = receiver.is_some_and(is_shared_receiver);
    match kind {
        Kind::Invariant => {
            require(is_shared && values.is_empty(), kind, &sig.inputs, "an invariant takes `&self` and nothing else")?;
            check_bool(kind, sig, "an invariant returns `bool`")?;
            check_not_generic(kind, sig, "an invariant")
        }
        Kind::Temporal => {
            let is_right = is_shared && values.len() == 1 && is_exclusive_of(&values[0].ty, "Watch");
            require(is_right, kind, &sig.inputs, "a temporal property takes `&self` and a `&mut provoke::Watch`")?;
            let is_nothing = matches!(sig.output, ReturnType::Default);
            require(
                is_nothing,
                kind,
                &sig.output,
                "a temporal property tells its watch what it found and returns nothing",
            )?;
            check_not_generic(kind, sig, "a temporal property")
        }
        Kind::Model => {
            let is_right = is_shared
                && match values[..] {
                    [step] => is_called(&step.ty, "Step"),
                    [step, state] => is_called(&step.ty, "Step") && exclusive(&state.ty).is_some(),
                    _ => false,
                };
            let claim = "a model takes `&self`, a `provoke::Step` and, if it has a state, a `&mut` of it";
            require(is_right, kind, &sig.inputs, claim)?;
            check_bool(kind, sig, "a model returns `bool`")?;
            check_not_generic(kind, sig, "a model")
        }
        Kind::Law => {
            require(receiver.is_none(), kind, &sig.inputs, "a law has no `self`, only the values that it is about")?;
            check_bool(kind, sig, "a law returns `bool`")
        }
        Kind::Spec | Kind::Probe => Ok(()),
    }
}

fn check_qualifiers(kind: Kind, function: &ImplItemFn) -> Result<()> {
    let sig = &function.sig;
    let qualifiers = [
        ("const", sig.constness.map(|token| token.span)),
        ("async", sig.asyncness.map(|token| token.span)),
        ("unsafe", sig.unsafety.map(|token| token.span)),
        ("extern", sig.abi.as_ref().map(|abi| abi.extern_token.span)),
        ("default", function.defaultness.map(|token| token.span)),
    ];
    for (qualifier, span) in qualifiers {
        if let Some(span) = span {
            let name = kind.name();
            return Err(Error::new(
                span,
                format!("`#[provoke::{name}]` does not go on functions that are `{qualifier}`"),
            ));
        }
    }
    Ok(())
}

/// The receiver's type, and the other parameters.
fn split(sig: &Signature) -> (Option<&Type>, Vec<&PatType>) {
    let mut receiver = None;
    let mut values = Vec::new();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(found) => receiver = Some(&*found.ty),
            FnArg::Typed(value) => values.push(value),
        }
    }
    (receiver, values)
}

fn is_shared_receiver(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_none())
}

/// What an exclusive reference refers to.
fn exclusive(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_some() => Some(&reference.elem),
        _ => None,
    }
}

fn is_exclusive_of(ty: &Type, name: &str) -> bool {
    exclusive(ty).is_some_and(|referent| is_called(referent, name))
}

/// Whether a type goes by this name, wherever it is imported from.
fn is_called(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}

fn check_bool(kind: Kind, sig: &Signature, claim: &str) -> Result<()> {
    match &sig.output {
        ReturnType::Type(_, ty) => require(is_called(ty, "bool"), kind, ty, claim),
        ReturnType::Default => require(false, kind, &sig.ident, claim),
    }
}

/// Provoke calls such a function on its own account, and would not know for which types.
fn check_not_generic(kind: Kind, sig: &Signature, what: &str) -> Result<()> {
    let param = sig.generics.params.iter().find(|param| !matches!(param, GenericParam::Lifetime(_)));
    require(param.is_none(), kind, param, &format!("{what} has no type parameters of its own"))
}

fn require(is_right: bool, kind: Kind, place: impl ToTokens, claim: &str) -> Result<()> {
    if is_right {
        return Ok(());
    }
    Err(Error::new_spanned(place, format!("{claim}, as in `{}`", kind.example())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(kind: Kind, function: &str) -> Option<String> {
        check(kind, &syn::parse_str(function).unwrap()).err().map(|error| error.to_string())
    }

    #[test]
    fn the_examples_shown_to_users_are_right() {
        for kind in [Kind::Invariant, Kind::Spec, Kind::Temporal, Kind::Model, Kind::Probe, Kind::Law] {
            assert_eq!(complaint(kind, &format!("{} {{}}", kind.example())), None);
        }
    }

    #[test]
    fn other_right_forms_are_taken_too() {
        for (kind, function) in [
            (Kind::Invariant, "pub(crate) fn ok<'a>(self: &'a Self) -> core::primitive::bool {}"),
            (Kind::Temporal, "fn t(&self, w: &mut Watch) where T: Copy {}"),
            (Kind::Model, "fn m(&self, Step { name, .. }: Step) -> bool {}"),
            (Kind::Law, "fn f() -> bool {}"),
            (Kind::Law, "fn f<T: Eq>(a: T, (b, c): (u8, u8)) -> bool {}"),
            (Kind::Probe, "fn p(self: Box<Self>, n: impl Fn()) -> impl Iterator {}"),
            (Kind::Spec, "fn p() {}"),
        ] {
            assert_eq!(complaint(kind, function), None, "{function}");
        }
    }

    #[test]
    fn a_wrong_signature_is_answered_by_what_is_wrong() {
        for (kind, function, expected) in [
            (Kind::Invariant, "fn ok(&self, n: u8) -> bool {}", "takes `&self` and nothing else"),
            (Kind::Invariant, "fn ok(&mut self) -> bool {}", "takes `&self` and nothing else"),
            (Kind::Invariant, "fn ok(self) -> bool {}", "takes `&self` and nothing else"),
            (Kind::Invariant, "fn ok() -> bool {}", "takes `&self` and nothing else"),
            (Kind::Invariant, "fn ok(&self) {}", "an invariant returns `bool`"),
            (Kind::Invariant, "fn ok(&self) -> Option<bool> {}", "an invariant returns `bool`"),
            (Kind::Invariant, "fn ok<T>(&self) -> bool {}", "no type parameters of its own"),
            (Kind::Temporal, "fn t(&self) {}", "a `&mut provoke::Watch`"),
            (Kind::Temporal, "fn t(&self, w: &provoke::Watch) {}", "a `&mut provoke::Watch`"),
            (Kind::Temporal, "fn t(&mut self, w: &mut provoke::Watch) {}", "a `&mut provoke::Watch`"),
            (Kind::Temporal, "fn t(w: &mut provoke::Watch) {}", "a `&mut provoke::Watch`"),
            (Kind::Temporal, "fn t(&self, w: &mut provoke::Watch) -> bool {}", "returns nothing"),
            (Kind::Model, "fn m(&self) -> bool {}", "a `provoke::Step`"),
            (Kind::Model, "fn m(&self, step: &str) -> bool {}", "a `provoke::Step`"),
            (Kind::Model, "fn m(&self, step: Step, s: &S) -> bool {}", "a `&mut` of it"),
            (Kind::Model, "fn m(&self, step: Step, s: &mut S, t: &mut T) -> bool {}", "a `&mut` of it"),
            (Kind::Model, "fn m(&self, step: Step) {}", "a model returns `bool`"),
            (Kind::Law, "fn f(&self, a: u8) -> bool {}", "a law has no `self`"),
            (Kind::Law, "fn f(a: u8) -> u8 {}", "a law returns `bool`"),
            (Kind::Law, "fn f(a: u8) {}", "a law returns `bool`"),
            (Kind::Probe, "async fn p(&self) {}", "functions that are `async`"),
            (Kind::Probe, "unsafe fn p(&self) {}", "functions that are `unsafe`"),
            (Kind::Spec, "const fn p(&self) {}", "functions that are `const`"),
            (Kind::Law, "extern \"C\" fn p() -> bool {}", "functions that are `extern`"),
        ] {
            let complaint = complaint(kind, function).unwrap_or_default();
            assert!(complaint.contains(expected), "{function}: {complaint}");
        }
    }
}
