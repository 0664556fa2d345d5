//! Type parameters and what was chosen for them.

use std::collections::{BTreeMap, BTreeSet};

use provoke_model::{Bound, GenericArg, GenericParamKind, Generics, ItemId, TraitRef, Ty, WherePredicate};

/// Choices for the type and const parameters in scope, and for `Self`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub types: BTreeMap<String, Ty>,
    pub consts: BTreeMap<String, String>,
    pub self_ty: Option<Ty>,
    /// Parameters that stand for a defaulted argument of the instance: nothing is to be chosen for them.
    pub left_open: BTreeSet<String>,
    /// Traits for which a type stands here that users have listed for it, and its place in their list.
    pub by_hand: BTreeSet<(ItemId, usize)>,
}

impl Substitution for Choice {
    fn type_of(&self, param: &str) -> Option<&Ty> {
        self.types.get(param)
    }

    fn const_of(&self, param: &str) -> Option<String> {
        self.consts.get(param).cloned()
    }

    fn self_ty(&self) -> Option<&Ty> {
        self.self_ty.as_ref()
    }
}

/// Replaces parameters.
pub trait Substitution {
    /// What stands for a type parameter.
    fn type_of(&self, param: &str) -> Option<&Ty>;
    /// What stands for a const parameter.
    fn const_of(&self, param: &str) -> Option<String>;

    fn self_ty(&self) -> Option<&Ty> {
        None
    }

    /// The type with every chosen parameter replaced. Parameters without a choice stay.
    fn apply(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param(name) => self.type_of(name).unwrap_or(ty).clone(),
            Ty::SelfTy => self.self_ty().cloned().unwrap_or(Ty::SelfTy),
            Ty::Path { item, args } => Ty::Path { item: *item, args: self.apply_args(args) },
            Ty::Primitive(_) | Ty::Other(_) => ty.clone(),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| self.apply(t)).collect()),
            Ty::Slice(inner) => Ty::Slice(Box::new(self.apply(inner))),
            Ty::Array(inner, len) => {
                Ty::Array(Box::new(self.apply(inner)), self.const_of(len).unwrap_or_else(|| len.clone()))
            }
            Ty::Ref { lifetime, mutable, ty } => {
                Ty::Ref { lifetime: lifetime.clone(), mutable: *mutable, ty: Box::new(self.apply(ty)) }
            }
            Ty::RawPointer { mutable, ty } => Ty::RawPointer { mutable: *mutable, ty: Box::new(self.apply(ty)) },
            Ty::FnPointer { params, result, is_unsafe } => Ty::FnPointer {
                params: params.iter().map(|t| self.apply(t)).collect(),
                result: result.as_ref().map(|t| Box::new(self.apply(t))),
                is_unsafe: *is_unsafe,
            },
            Ty::Dyn { bounds, lifetime } => Ty::Dyn { bounds: self.apply_bounds(bounds), lifetime: lifetime.clone() },
            Ty::ImplTrait(bounds) => Ty::ImplTrait(self.apply_bounds(bounds)),
            Ty::Projection { self_ty, trait_ref, name, args } => Ty::Projection {
                self_ty: Box::new(self.apply(self_ty)),
                trait_ref: trait_ref.as_ref().map(|t| Box::new(self.apply_trait(t))),
                name: name.clone(),
                args: self.apply_args(args),
            },
        }
    }

    fn apply_args(&self, args: &[GenericArg]) -> Vec<GenericArg> {
        args.iter()
            .map(|arg| match arg {
                GenericArg::Lifetime(_) => arg.clone(),
                GenericArg::Type(ty) => GenericArg::Type(self.apply(ty)),
                GenericArg::Const(text) => GenericArg::Const(self.const_of(text).unwrap_or_else(|| text.clone())),
                GenericArg::Equality { name, ty } => GenericArg::Equality { name: name.clone(), ty: self.apply(ty) },
            })
            .collect()
    }

    fn apply_trait(&self, trait_ref: &TraitRef) -> TraitRef {
        TraitRef { item: trait_ref.item, args: self.apply_args(&trait_ref.args) }
    }

    /// Bounds and predicates with every choice made in them; the parameters stay.
    fn apply_generics(&self, generics: &Generics) -> Generics {
        let mut generics = generics.clone();
        for param in &mut generics.params {
            if let GenericParamKind::Type { bounds, .. } = &mut param.kind {
                *bounds = self.apply_bounds(bounds);
            }
        }
        for predicate in &mut generics.predicates {
            match predicate {
                WherePredicate::Type { ty, bounds } => {
                    *ty = self.apply(ty);
                    *bounds = self.apply_bounds(bounds);
                }
                WherePredicate::Equality { left, right } => {
                    *left = self.apply(left);
                    *right = self.apply(right);
                }
                WherePredicate::Lifetime { .. } => {}
            }
        }
        generics
    }

    fn apply_bounds(&self, bounds: &[Bound]) -> Vec<Bound> {
        bounds
            .iter()
            .map(|bound| match bound {
                Bound::Trait { trait_ref, maybe, higher_ranked } => Bound::Trait {
                    trait_ref: self.apply_trait(trait_ref),
                    maybe: *maybe,
                    higher_ranked: higher_ranked.clone(),
                },
                other => other.clone(),
            })
            .collect()
    }
}

/// Whether a type still mentions a parameter, `Self` or `impl Trait`.
pub fn is_concrete(ty: &Ty) -> bool {
    let args_are = |args: &[GenericArg]| {
        args.iter().all(|arg| match arg {
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => is_concrete(ty),
            GenericArg::Lifetime(_) | GenericArg::Const(_) => true,
        })
    };
    match ty {
        Ty::Param(_) | Ty::SelfTy | Ty::ImplTrait(_) | Ty::Other(_) => false,
        Ty::Primitive(_) => true,
        Ty::Path { args, .. } => args_are(args),
        Ty::Tuple(parts) => parts.iter().all(is_concrete),
        Ty::Slice(ty) | Ty::Array(ty, _) | Ty::Ref { ty, .. } | Ty::RawPointer { ty, .. } => is_concrete(ty),
        Ty::FnPointer { params, result, .. } => {
            params.iter().all(is_concrete) && result.as_deref().is_none_or(is_concrete)
        }
        Ty::Dyn { bounds, .. } => bounds.iter().all(|bound| match bound {
            Bound::Trait { trait_ref, .. } => args_are(&trait_ref.args),
            Bound::Lifetime(_) | Bound::Use => true,
        }),
        Ty::Projection { self_ty, args, .. } => is_concrete(self_ty) && args_are(args),
    }
}

/// Whether a type mentions the parameter.
pub fn mentions(ty: &Ty, param: &str) -> bool {
    let in_args = |args: &[GenericArg]| {
        args.iter().any(|arg| match arg {
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => mentions(ty, param),
            GenericArg::Const(text) => text == param,
            GenericArg::Lifetime(_) => false,
        })
    };
    match ty {
        Ty::Param(name) => name == param,
        Ty::SelfTy | Ty::Primitive(_) | Ty::Other(_) => false,
        Ty::Path { args, .. } => in_args(args),
        Ty::Tuple(parts) => parts.iter().any(|t| mentions(t, param)),
        Ty::Array(ty, len) => len == param || mentions(ty, param),
        Ty::Slice(ty) | Ty::Ref { ty, .. } | Ty::RawPointer { ty, .. } => mentions(ty, param),
        Ty::FnPointer { params, result, .. } => {
            params.iter().any(|t| mentions(t, param)) || result.as_deref().is_some_and(|t| mentions(t, param))
        }
        Ty::Dyn { bounds, .. } | Ty::ImplTrait(bounds) => bounds.iter().any(|bound| match bound {
            Bound::Trait { trait_ref, .. } => in_args(&trait_ref.args),
            Bound::Lifetime(_) | Bound::Use => false,
        }),
        Ty::Projection { self_ty, args, trait_ref, .. } => {
            mentions(self_ty, param) || in_args(args) || trait_ref.as_ref().is_some_and(|t| in_args(&t.args))
        }
    }
}

/// Matches a pattern with parameters against a concrete type, extending the choice. `false` if they differ.
pub fn unify(pattern: &Ty, concrete: &Ty, choice: &mut Choice) -> bool {
    match (pattern, concrete) {
        (Ty::Param(name), _) => match choice.types.get(name) {
            Some(chosen) => chosen == concrete,
            None => {
                choice.types.insert(name.clone(), concrete.clone());
                true
            }
        },
        (Ty::Path { item, args }, Ty::Path { item: other, args: other_args }) => {
            item == other && unify_args(args, other_args, choice)
        }
        (Ty::Primitive(a), Ty::Primitive(b)) => a == b,
        (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| unify(a, b, choice)),
        (Ty::Slice(a), Ty::Slice(b)) => unify(a, b, choice),
        (Ty::Array(a, len), Ty::Array(b, other_len)) => unify(a, b, choice) && unify_const(len, other_len, choice),
        (Ty::Ref { mutable, ty, .. }, Ty::Ref { mutable: other_mutable, ty: other, .. }) => {
            mutable == other_mutable && unify(ty, other, choice)
        }
        (a, b) => a == b,
    }
}

fn unify_const(pattern: &str, concrete: &str, choice: &mut Choice) -> bool {
    if pattern == concrete {
        return true;
    }
    if pattern.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    match choice.consts.get(pattern) {
        Some(chosen) => chosen == concrete,
        None => {
            choice.consts.insert(pattern.to_string(), concrete.to_string());
            true
        }
    }
}

/// Lifetimes are all `'static` in a harness, so they are passed over. A missing trailing argument is a default.
fn unify_args(pattern: &[GenericArg], concrete: &[GenericArg], choice: &mut Choice) -> bool {
    let is_no_lifetime = |arg: &&GenericArg| !matches!(arg, GenericArg::Lifetime(_));
    pattern.iter().filter(is_no_lifetime).zip(concrete.iter().filter(is_no_lifetime)).all(|(a, b)| match (a, b) {
        (GenericArg::Type(a), GenericArg::Type(b)) => unify(a, b, choice),
        (GenericArg::Const(a), GenericArg::Const(b)) => unify_const(a, b, choice),
        // A const parameter used as an argument may be written as a type.
        (GenericArg::Type(Ty::Param(a)), GenericArg::Const(b)) => unify_const(a, b, choice),
        _ => false,
    })
}

/// Whether `impl Trait` stands somewhere in it.
pub fn has_impl_trait(ty: &Ty) -> bool {
    match ty {
        Ty::ImplTrait(_) => true,
        Ty::Path { args, .. } => crate::types::catalog::type_args(args).any(has_impl_trait),
        Ty::Ref { ty, .. } | Ty::Slice(ty) | Ty::Array(ty, _) => has_impl_trait(ty),
        Ty::Tuple(parts) => parts.iter().any(has_impl_trait),
        _ => false,
    }
}
