//! Loans through a signature, by the label rule: each lifetime is a label, and what carries a label
//! takes over the loans of every argument with that label.

use std::collections::BTreeSet;

use provoke_model::{Bound, GenericArg, GenericParamKind, Generics, Model, Signature, Ty, WherePredicate};

use crate::op::PlannedFlow;
use crate::subst::Choice;

/// Where the loans of a call go, and which arguments must not borrow at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flows {
    pub flows: Vec<PlannedFlow>,
    pub static_args: Vec<u8>,
    /// Arguments that the signature itself shows to be references.
    pub declared_refs: Vec<u8>,
}

/// The labels of one argument.
#[derive(Default)]
struct Labels {
    outer: Option<String>,
    is_mutable_ref: bool,
    inner: BTreeSet<String>,
    /// Implied by `Box<dyn Trait>`, or a parameter that was given a borrowing type.
    needs_static: bool,
}

struct Walk<'a> {
    model: &'a Model,
    choice: &'a Choice,
    self_ty: Option<&'a Ty>,
    n_elided: u32,
}

/// Works out the flows of a function. `self_ty` is the type as its impl declares it, with its lifetimes.
pub fn flows(
    model: &Model,
    signature: &Signature,
    scopes: &[&Generics],
    self_ty: Option<&Ty>,
    choice: &Choice,
) -> Flows {
    let mut walk = Walk { model, choice, self_ty, n_elided: 0 };
    let args: Vec<Labels> = signature.params.iter().map(|(_, ty)| walk.argument(ty)).collect();
    let mut result = BTreeSet::new();
    let mut has_elided = false;
    if let Some(ty) = &signature.result {
        walk.result_labels(ty, &mut result, &mut has_elided);
    }
    if has_elided {
        result.extend(elision_source(signature, &args));
    }
    // `impl Trait` may capture whatever the parameters stand for.
    if signature.result.as_ref().is_some_and(|ty| matches!(ty, Ty::ImplTrait(_))) || signature.is_async {
        result.extend(args.iter().flat_map(|labels| &labels.inner).filter(|label| !label.starts_with('\'')).cloned());
    }
    close_under_outlives(scopes, &mut result);
    fill_parameters(&args, &mut result);

    let statics = static_params(scopes);
    let mut found = Flows::default();
    for (index, labels) in args.iter().enumerate() {
        let arg = index as u8;
        if labels.outer.is_some() {
            found.declared_refs.push(arg);
        }
        let is_static = |label: &String| label == "'static" || statics.contains(&label.as_str());
        if labels.needs_static || labels.outer.as_ref().is_some_and(is_static) || labels.inner.iter().any(is_static) {
            found.static_args.push(arg);
        }
        if labels.outer.as_ref().is_some_and(|l| result.contains(l)) {
            found.flows.push(PlannedFlow { arg, is_outer: true, to_arg: None });
        }
        if labels.inner.iter().any(|l| result.contains(l)) {
            found.flows.push(PlannedFlow { arg, is_outer: false, to_arg: None });
        }
        for (other_index, other) in args.iter().enumerate() {
            if other_index == index || !other.is_mutable_ref {
                continue;
            }
            let to_arg = Some(other_index as u8);
            let mut targets = other.inner.clone();
            close_under_outlives(scopes, &mut targets);
            fill_parameters(&args, &mut targets);
            if labels.outer.as_ref().is_some_and(|l| targets.contains(l)) {
                found.flows.push(PlannedFlow { arg, is_outer: true, to_arg });
            }
            if labels.inner.iter().any(|l| targets.contains(l)) {
                found.flows.push(PlannedFlow { arg, is_outer: false, to_arg });
            }
        }
    }
    found
}

/// Parameters with a `'static` bound.
fn static_params<'a>(scopes: &[&'a Generics]) -> Vec<&'a str> {
    let is_static = |bounds: &[Bound]| bounds.iter().any(|b| matches!(b, Bound::Lifetime(name) if name == "'static"));
    let mut found = Vec::new();
    for generics in scopes {
        for param in &generics.params {
            if matches!(&param.kind, GenericParamKind::Type { bounds, .. } if is_static(bounds)) {
                found.push(param.name.as_str());
            }
        }
        for predicate in &generics.predicates {
            if let WherePredicate::Type { ty: Ty::Param(name), bounds } = predicate
                && is_static(bounds)
            {
                found.push(name.as_str());
            }
        }
    }
    found
}

/// An elided lifetime of the result is the receiver's, or else the only one among the arguments.
fn elision_source(signature: &Signature, args: &[Labels]) -> BTreeSet<String> {
    if signature.has_self()
        && let Some(receiver) = args.first()
    {
        if let Some(outer) = &receiver.outer {
            return BTreeSet::from([outer.clone()]);
        }
        if !receiver.inner.is_empty() {
            return receiver.inner.clone();
        }
    }
    args.iter().flat_map(|labels| labels.outer.iter().chain(&labels.inner)).cloned().collect()
}

/// `'a: 'b` lets data of `'a` end up behind `'b`.
fn close_under_outlives(scopes: &[&Generics], labels: &mut BTreeSet<String>) {
    let mut pairs: Vec<(&String, &String)> = Vec::new();
    for generics in scopes {
        for param in &generics.params {
            if let GenericParamKind::Lifetime { outlives } = &param.kind {
                pairs.extend(outlives.iter().map(|shorter| (&param.name, shorter)));
            }
        }
        for predicate in &generics.predicates {
            if let WherePredicate::Lifetime { lifetime, outlives } = predicate {
                pairs.extend(outlives.iter().map(|shorter| (lifetime, shorter)));
            }
        }
    }
    loop {
        let before = labels.len();
        for (longer, shorter) in &pairs {
            if labels.contains(*shorter) && *longer != "'static" {
                labels.insert((*longer).clone());
            }
        }
        if labels.len() == before {
            return;
        }
    }
}

/// What a parameter was given may be made from anything that the arguments hold: `B: FromIterator<Self::Item>` from the items,
/// `T` from those of an `I: IntoIterator<Item = T>`. Which bounds lead where is not followed up; a loan that lasts too long
/// only forbids programs.
fn fill_parameters(args: &[Labels], labels: &mut BTreeSet<String>) {
    let is_parameter = |label: &String| !label.starts_with('\'') && !label.starts_with("impl ");
    if labels.iter().any(is_parameter) {
        let is_named = |label: &&String| !label.starts_with("'elided");
        labels.extend(args.iter().flat_map(|arg| arg.inner.iter().chain(arg.outer.iter().filter(is_named))).cloned());
    }
}

impl Walk<'_> {
    fn argument(&mut self, ty: &Ty) -> Labels {
        let mut labels = Labels::default();
        // In `impl Trait for &'a T`, `self` is the reference.
        let ty = match (ty, self.self_ty) {
            (Ty::SelfTy, Some(self_ty)) => self_ty,
            _ => ty,
        };
        match ty {
            Ty::Ref { lifetime, mutable, ty } => {
                let label = self.label(lifetime.as_deref());
                self.collect_behind(&label, ty, &mut labels.inner, &mut labels.needs_static);
                labels.outer = Some(label);
                labels.is_mutable_ref = *mutable;
            }
            other => self.collect(other, &mut labels.inner, &mut labels.needs_static),
        }
        labels
    }

    fn label(&mut self, lifetime: Option<&str>) -> String {
        match lifetime {
            Some(name) if name != "'_" => name.to_string(),
            _ => {
                self.n_elided += 1;
                format!("'elided {}", self.n_elided)
            }
        }
    }

    /// The same for what is behind a reference: what a `dyn Trait` there borrows may be gone with the reference, unless it says
    /// something else.
    fn collect_behind(&mut self, label: &str, ty: &Ty, labels: &mut BTreeSet<String>, needs_static: &mut bool) {
        match ty {
            Ty::Dyn { bounds, lifetime: None } => {
                labels.insert(label.to_string());
                self.collect_bounds(bounds, labels);
            }
            other => self.collect(other, labels, needs_static),
        }
    }

    fn collect(&mut self, ty: &Ty, labels: &mut BTreeSet<String>, needs_static: &mut bool) {
        match ty {
            Ty::Ref { lifetime, ty, .. } => {
                let label = self.label(lifetime.as_deref());
                self.collect_behind(&label, ty, labels, needs_static);
                labels.insert(label);
            }
            Ty::Path { item, args } => {
                if !args.iter().any(|a| matches!(a, GenericArg::Lifetime(_))) && self.has_hidden_lifetime(*item) {
                    labels.insert(self.label(None));
                }
                self.collect_args(args, labels, needs_static);
            }
            Ty::SelfTy => {
                if let Some(self_ty) = self.self_ty {
                    self.collect(self_ty, labels, needs_static);
                }
            }
            // A parameter that was given a borrowing type is a label of its own.
            Ty::Param(name) => {
                if self.choice.types.get(name).is_some_and(borrows) {
                    labels.insert(name.clone());
                }
            }
            Ty::ImplTrait(bounds) => {
                self.n_elided += 1;
                labels.insert(format!("impl {}", self.n_elided));
                self.collect_bounds(bounds, labels);
            }
            Ty::Dyn { bounds, lifetime } => {
                match lifetime {
                    Some(lifetime) => {
                        labels.insert(self.label(Some(lifetime)));
                    }
                    None => *needs_static = true,
                }
                self.collect_bounds(bounds, labels);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|t| self.collect(t, labels, needs_static)),
            Ty::Slice(ty) | Ty::Array(ty, _) | Ty::RawPointer { ty, .. } => self.collect(ty, labels, needs_static),
            Ty::Projection { self_ty, args, .. } => {
                self.collect(self_ty, labels, needs_static);
                self.collect_args(args, labels, needs_static);
            }
            Ty::FnPointer { .. } | Ty::Primitive(_) | Ty::Other(_) => {}
        }
    }

    fn collect_args(&mut self, args: &[GenericArg], labels: &mut BTreeSet<String>, needs_static: &mut bool) {
        for arg in args {
            match arg {
                GenericArg::Lifetime(name) => {
                    labels.insert(self.label(Some(name)));
                }
                GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => self.collect(ty, labels, needs_static),
                GenericArg::Const(_) => {}
            }
        }
    }

    fn collect_bounds(&mut self, bounds: &[Bound], labels: &mut BTreeSet<String>) {
        for bound in bounds {
            if let Bound::Lifetime(name) = bound {
                labels.insert(self.label(Some(name)));
            }
        }
    }

    /// Labels of the result: elided ones are only reported, since elision decides what they stand for.
    fn result_labels(&mut self, ty: &Ty, labels: &mut BTreeSet<String>, has_elided: &mut bool) {
        let mut all = BTreeSet::new();
        let mut hides = false;
        self.collect(ty, &mut all, &mut hides);
        for label in all {
            if label.starts_with("'elided") {
                *has_elided = true;
            } else if label != "'static" {
                labels.insert(label);
            }
        }
        // `impl Trait` may capture every lifetime in scope.
        if matches!(ty, Ty::ImplTrait(_)) {
            *has_elided = true;
        }
    }

    /// `Iter<T>` written without its lifetime.
    fn has_hidden_lifetime(&self, item: provoke_model::ItemId) -> bool {
        let item = self.model.item(item);
        match item.local_index {
            Some(index) if item.kind != provoke_model::ItemKind::Trait => {
                self.model.types.get(index).is_some_and(|def| {
                    def.generics.params.iter().any(|p| matches!(p.kind, GenericParamKind::Lifetime { .. }))
                })
            }
            _ => {
                matches!(
                    item.name.as_str(),
                    "Iter"
                        | "IterMut"
                        | "Drain"
                        | "Chars"
                        | "CharIndices"
                        | "Bytes"
                        | "Lines"
                        | "Split"
                        | "Ref"
                        | "RefMut"
                ) && item.crate_name != self.model.crate_name
                    && matches!(item.crate_name.as_str(), "core" | "alloc" | "std")
            }
        }
    }
}

/// Whether a chosen type holds a reference.
fn borrows(ty: &Ty) -> bool {
    match ty {
        Ty::Ref { .. } => true,
        Ty::Path { args, .. } => args.iter().any(|arg| match arg {
            GenericArg::Lifetime(_) => true,
            GenericArg::Type(ty) => borrows(ty),
            _ => false,
        }),
        Ty::Tuple(parts) => parts.iter().any(borrows),
        Ty::Slice(ty) | Ty::Array(ty, _) => borrows(ty),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_model::{Item, ItemId, ItemKind};

    /// A model with one local type `Bag` and std's `Iter`.
    fn model() -> Model {
        let item = |name: &str, crate_name: &str, is_local| Item {
            name: name.to_string(),
            kind: ItemKind::Struct,
            crate_name: crate_name.to_string(),
            is_local,
            definition: vec![crate_name.to_string(), name.to_string()],
            path: Some(vec![crate_name.to_string(), name.to_string()]),
            local_index: None,
        };
        Model { items: vec![item("Bag", "bag", true), item("Iter", "core", false)], ..Model::default() }
    }

    fn bag() -> Ty {
        Ty::Path { item: ItemId(0), args: Vec::new() }
    }

    fn iter(lifetime: Option<&str>) -> Ty {
        let args = lifetime.map(|name| GenericArg::Lifetime(name.to_string())).into_iter().collect();
        Ty::Path { item: ItemId(1), args }
    }

    fn reference(lifetime: Option<&str>, mutable: bool, ty: Ty) -> Ty {
        Ty::Ref { lifetime: lifetime.map(str::to_string), mutable, ty: Box::new(ty) }
    }

    /// The flows of `fn(params) -> result` in `impl … for self_ty`, as `arg` with `o` or `i`, and `>target`.
    fn shown(params: &[(&str, Ty)], result: Option<Ty>, self_ty: &Ty) -> String {
        shown_with(params, result, self_ty, &Choice::default())
    }

    fn shown_with(params: &[(&str, Ty)], result: Option<Ty>, self_ty: &Ty, choice: &Choice) -> String {
        let signature = Signature {
            params: params.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
            result,
            is_async: false,
            is_unsafe: false,
            is_const: false,
            is_variadic: false,
            abi: "Rust".to_string(),
        };
        let found = flows(&model(), &signature, &[], Some(self_ty), choice);
        let mut parts: Vec<String> = found
            .flows
            .iter()
            .map(|f| {
                let target = f.to_arg.map_or("result".to_string(), |arg| arg.to_string());
                format!("{}{}>{target}", f.arg, if f.is_outer { "o" } else { "i" })
            })
            .collect();
        parts.extend(found.static_args.iter().map(|arg| format!("{arg} static")));
        parts.join(" ")
    }

    #[test]
    fn loans_follow_the_lifetimes_of_the_signature() {
        let plain = bag();
        let text = Ty::Primitive("str".to_string());
        let receiver = |mutable| ("self", reference(None, mutable, Ty::SelfTy));
        let elided = |ty| Some(reference(None, false, ty));
        // fn get(&self, key: &str) -> &str
        let key = ("key", reference(None, false, text.clone()));
        assert_eq!(shown(&[receiver(false), key.clone()], elided(text.clone()), &plain), "0o>result");
        // fn iter(&self) -> Iter<'_>
        assert_eq!(shown(&[receiver(false)], Some(iter(Some("'_"))), &plain), "0o>result");
        // impl<'a> IntoIterator for &'a Bag { fn into_iter(self) -> Iter<'a> }
        let by_ref = reference(Some("'a"), false, bag());
        assert_eq!(shown(&[("self", Ty::SelfTy)], Some(iter(Some("'a"))), &by_ref), "0o>result");
        // fn first<'a>(a: &'a str, b: &str) -> &'a str
        let named = ("a", reference(Some("'a"), false, text.clone()));
        let result = Some(reference(Some("'a"), false, text.clone()));
        assert_eq!(shown(&[named, key.clone()], result, &plain), "0o>result");
        // impl<'a> Iter<'a> { fn push(&mut self, x: &'a str) }
        let pushed = ("x", reference(Some("'a"), false, text.clone()));
        assert_eq!(shown(&[receiver(true), pushed], None, &iter(Some("'a"))), "1o>0");
        // fn next(&mut self) -> &'a str on Iter<'a>
        let result = Some(reference(Some("'a"), false, text.clone()));
        assert_eq!(shown(&[receiver(true)], result, &iter(Some("'a"))), "0i>result");
        // fn keep(x: &'static str); fn free<'a>() -> &'a str
        let kept = ("x", reference(Some("'static"), false, text.clone()));
        assert_eq!(shown(&[kept], None, &plain), "0 static");
        let free = Some(reference(Some("'a"), false, text.clone()));
        assert_eq!(shown(&[receiver(false)], free, &plain), "");
        // fn show(x: &dyn Any); fn keep(x: &'static dyn Any); fn keep(x: Box<dyn Any>); fn pass(x: &'a dyn Any) -> &'a str
        let any = || Ty::Dyn { bounds: Vec::new(), lifetime: None };
        let boxed = Ty::Path { item: ItemId(1), args: vec![GenericArg::Type(any())] };
        assert_eq!(shown(&[("x", reference(None, false, any()))], None, &plain), "");
        assert_eq!(shown(&[("x", reference(Some("'static"), false, any()))], None, &plain), "0 static");
        assert_eq!(shown(&[("x", boxed)], None, &plain), "0 static");
        let result = Some(reference(Some("'a"), false, text));
        assert_eq!(shown(&[("x", reference(Some("'a"), false, any()))], result, &plain), "0o>result 0i>result");
    }

    #[test]
    fn what_a_parameter_was_given_may_come_out_of_every_argument() {
        let parameter = |name: &str| Ty::Param(name.to_string());
        let text = || reference(None, false, Ty::Primitive("str".to_string()));
        let borrowing = |names: &[&str]| Choice {
            types: names.iter().map(|name| (name.to_string(), text())).collect(),
            ..Choice::default()
        };
        // fn collect<B: FromIterator<&'a str>>(self) -> B on Iter<'a>
        let by_value = ("self", Ty::SelfTy);
        let items = iter(Some("'a"));
        let collected =
            |choice: &Choice| shown_with(std::slice::from_ref(&by_value), Some(parameter("B")), &items, choice);
        assert_eq!(collected(&borrowing(&["B"])), "0i>result");
        assert_eq!(collected(&Choice::default()), "", "what borrows nothing keeps nothing");
        // fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) on Bag<T>
        let bag = Ty::Path { item: ItemId(0), args: vec![GenericArg::Type(parameter("T"))] };
        let receiver = ("self", reference(None, true, Ty::SelfTy));
        let params = [receiver, ("items", parameter("I"))];
        assert_eq!(shown_with(&params, None, &bag, &borrowing(&["T", "I"])), "1i>0");
    }
}
