//! Loans through a signature, by the label rule: each lifetime is a label, and what carries a label
//! takes over the loans of every argument with that label.
//!
//! What the signature does not show (an opaque result, the alias of another crate, the lifetimes that a foreign type
//! hides) takes over the loans of all arguments that could lend it: a loan too many costs a program, a loan too few
//! accuses the innocent. Such loans are marked as guesses: the worker knows which types can hold no reference at all.
//!
//! Decision: `docs/decisions/009-hidden-loans-are-guessed.md`

mod hiding;

use std::collections::BTreeSet;

use provoke_api::FlowPart;
use provoke_model::{Bound, GenericArg, GenericParamKind, Generics, ItemId, Model, Signature, Ty, WherePredicate};

use crate::plan::flows::hiding::{captures, is_known_to_hide_lifetime, may_borrow, may_hide_lifetime, shows_loan};
use crate::plan::op::PlannedFlow;
use crate::types::subst::Choice;

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
    /// The function knows nothing of its type, or of that behind the reference, and calls nothing that stores something in it.
    is_parameter: bool,
    inner: BTreeSet<String>,
    /// Implied by `Box<dyn Trait>`, or a parameter that was given a borrowing type.
    needs_static: bool,
}

impl Labels {
    fn all(&self) -> impl Iterator<Item = &String> {
        self.outer.iter().chain(&self.inner)
    }
}

struct Walk<'a> {
    /// Takes what is not shown for something that borrows.
    is_wary: bool,
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
    let walk = |is_wary| Walk { is_wary, model, choice, self_ty, n_elided: 0 };
    let shown = walk(false).flows(signature, scopes);
    let mut found = walk(true).flows(signature, scopes);
    let has = |flows: &[PlannedFlow], flow: &PlannedFlow| flows.iter().any(|other| other.flow == flow.flow);
    for flow in &mut found.flows {
        flow.is_guess = !has(&shown.flows, flow);
    }
    let missed: Vec<PlannedFlow> = shown.flows.iter().filter(|flow| !has(&found.flows, flow)).copied().collect();
    found.flows.extend(missed);
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
    args.iter().flat_map(Labels::all).cloned().collect()
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
        let is_named = |label: &&String| !label.starts_with(ELIDED);
        labels.extend(args.iter().flat_map(|arg| arg.inner.iter().chain(arg.outer.iter().filter(is_named))).cloned());
    }
}

fn is_parameter(ty: &Ty) -> bool {
    matches!(ty, Ty::Param(_) | Ty::ImplTrait(_))
}

impl Walk<'_> {
    fn flows(mut self, signature: &Signature, scopes: &[&Generics]) -> Flows {
        let args: Vec<Labels> = signature.params.iter().map(|(_, ty)| self.argument(ty)).collect();
        let mut result = BTreeSet::new();
        let mut has_elided = false;
        if let Some(ty) = &signature.result {
            self.result_labels(ty, &mut result, &mut has_elided);
        }
        if has_elided {
            result.extend(elision_source(signature, &args));
        }
        // What is opaque may capture all that is in scope: what parameters stand for in any case.
        let is_opaque = |ty: &Ty| if self.is_wary { captures(ty) } else { matches!(ty, Ty::ImplTrait(_)) };
        if signature.is_async || signature.result.as_ref().is_some_and(is_opaque) {
            let captured = args.iter().flat_map(Labels::all);
            result.extend(captured.filter(|label| self.is_wary || !label.starts_with('\'')).cloned());
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
            if labels.needs_static || labels.outer.as_ref().is_some_and(is_static) || labels.inner.iter().any(is_static)
            {
                found.static_args.push(arg);
            }
            if labels.outer.as_ref().is_some_and(|l| result.contains(l)) {
                found.flows.push(PlannedFlow::to_result(arg, FlowPart::Outer));
            }
            if labels.inner.iter().any(|l| result.contains(l)) {
                found.flows.push(PlannedFlow::to_result(arg, FlowPart::Inner));
            }
            for (other_index, other) in args.iter().enumerate() {
                let is_by_value = other.outer.is_none();
                let is_target = other.is_mutable_ref || self.is_wary && !other.is_parameter;
                if other_index == index || !is_target {
                    continue;
                }
                let mut targets = other.inner.clone();
                close_under_outlives(scopes, &mut targets);
                // What an iterator that is passed by value walks over takes nothing from another one.
                if !is_by_value {
                    fill_parameters(&args, &mut targets);
                }
                let is_lent = labels.outer.is_some();
                let target = other_index as u8;
                if labels.outer.as_ref().is_some_and(|l| targets.contains(l)) {
                    found.flows.push(PlannedFlow::to_arg(arg, FlowPart::Outer, target));
                }
                if labels.inner.iter().any(|l| targets.contains(l)) {
                    // Behind a shared reference, only a cell keeps what is lent. Without this, to compare two views would tie
                    // them together.
                    let needs_cell = is_lent && !is_by_value && !other.is_mutable_ref;
                    found.flows.push(PlannedFlow { needs_cell, ..PlannedFlow::to_arg(arg, FlowPart::Inner, target) });
                }
            }
        }
        found
    }

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
                labels.is_parameter = is_parameter(ty);
            }
            other => {
                labels.is_parameter = is_parameter(other);
                self.collect(other, &mut labels.inner, &mut labels.needs_static);
            }
        }
        labels
    }

    fn label(&mut self, lifetime: Option<&str>) -> String {
        match lifetime {
            Some(name) if name != "'_" => name.to_string(),
            _ => {
                self.n_elided += 1;
                format!("{ELIDED} {}", self.n_elided)
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
                if !args.iter().any(|a| matches!(a, GenericArg::Lifetime(_))) && self.hides_lifetime(*item) {
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
                let borrows = |ty: &Ty| if self.is_wary { may_borrow(self.model, ty) } else { shows_loan(ty) };
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
            // It can hold nothing but what these hold. A `dyn` among them is not passed itself.
            Ty::Projection { self_ty, trait_ref, args, .. } => {
                self.collect(self_ty, labels, &mut false);
                let of_trait = trait_ref.iter().map(|trait_ref| &trait_ref.args).filter(|_| self.is_wary);
                for args in of_trait.chain([args]).collect::<Vec<_>>() {
                    self.collect_args(args, labels, &mut false);
                }
            }
            Ty::FnPointer { params, result, .. } if self.is_wary => {
                let mut found = BTreeSet::new();
                params.iter().chain(result.as_deref()).for_each(|ty| self.collect(ty, &mut found, &mut false));
                found.retain(|label| !label.starts_with(ELIDED));
                labels.extend(found);
            }
            Ty::Other(_) if self.is_wary => {
                labels.insert(self.label(None));
            }
            Ty::FnPointer { .. } | Ty::Other(_) | Ty::Primitive(_) => {}
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
            match bound {
                Bound::Lifetime(name) => {
                    labels.insert(self.label(Some(name)));
                }
                Bound::Trait { trait_ref, higher_ranked, .. } if self.is_wary => {
                    let is_callable = self.is_callable(trait_ref.item);
                    let mut found = BTreeSet::new();
                    self.collect_args(&trait_ref.args, &mut found, &mut false);
                    let is_of_each_call = |label: &String| is_callable && label.starts_with(ELIDED);
                    found.retain(|label| !higher_ranked.contains(label) && !is_of_each_call(label));
                    labels.extend(found);
                }
                Bound::Trait { .. } | Bound::Use => {}
            }
        }
    }

    /// `Fn(&A) -> &B`: what is left out there is of each call.
    fn is_callable(&self, item: ItemId) -> bool {
        let item = self.model.item(item);
        matches!(item.name.as_str(), "Fn" | "FnMut" | "FnOnce") && !item.is_local
    }

    /// Labels of the result: elided ones are only reported, since elision decides what they stand for.
    fn result_labels(&mut self, ty: &Ty, labels: &mut BTreeSet<String>, has_elided: &mut bool) {
        let mut all = BTreeSet::new();
        let mut hides = false;
        self.collect(ty, &mut all, &mut hides);
        for label in all {
            if label.starts_with(ELIDED) {
                *has_elided = true;
            } else if label != "'static" {
                labels.insert(label);
            }
        }
        // `impl Trait` may capture every lifetime in scope.
        if matches!(ty, Ty::ImplTrait(_)) && !self.is_wary {
            *has_elided = true;
        }
    }

    /// `Iter<T>` written without its lifetime.
    fn hides_lifetime(&self, item: ItemId) -> bool {
        if self.is_wary { may_hide_lifetime(self.model, item) } else { is_known_to_hide_lifetime(self.model, item) }
    }
}

/// What begins the label of a lifetime that is not written down.
const ELIDED: &str = "'elided";

#[cfg(test)]
mod tests;
