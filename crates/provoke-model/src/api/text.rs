//! Types, bounds and signatures as text for people. Not for compilers: names are short.

use crate::api::ty::{Bound, GenericArg, GenericParamKind, Generics, Signature, TraitRef, Ty, WherePredicate};
use crate::api::{ItemId, Model};

#[derive(Clone, Copy)]
pub(crate) struct Printer<'m> {
    pub model: &'m Model,
    pub has_lifetimes: bool,
    pub names: Names,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// `Slab`, `Index`.
    Last,
    /// `slab::Slab`, `core::ops::index::Index`.
    Full,
}

impl Printer<'_> {
    pub fn item(&self, id: ItemId) -> String {
        let item = self.model.item(id);
        match self.names {
            Names::Last => item.name.clone(),
            Names::Full => item.path.as_ref().unwrap_or(&item.definition).join("::"),
        }
    }

    pub fn trait_ref(&self, trait_ref: &TraitRef) -> String {
        self.with_args(trait_ref.item, &trait_ref.args)
    }

    fn with_args(&self, id: ItemId, args: &[GenericArg]) -> String {
        self.item(id) + &self.args(args)
    }

    pub fn args(&self, args: &[GenericArg]) -> String {
        let parts: Vec<String> = args
            .iter()
            .filter(|arg| self.has_lifetimes || !matches!(arg, GenericArg::Lifetime(_)))
            .map(|arg| match arg {
                GenericArg::Lifetime(text) | GenericArg::Const(text) => text.clone(),
                GenericArg::Type(ty) => self.ty(ty),
                GenericArg::Equality { name, ty } => format!("{name} = {}", self.ty(ty)),
            })
            .collect();
        if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) }
    }

    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Path { item, args } => self.with_args(*item, args),
            Ty::Param(text) | Ty::Primitive(text) | Ty::Other(text) => text.clone(),
            Ty::SelfTy => "Self".to_owned(),
            Ty::Tuple(parts) => match parts.as_slice() {
                [only] => format!("({},)", self.ty(only)),
                parts => format!("({})", self.list(parts)),
            },
            Ty::Slice(element) => format!("[{}]", self.ty(element)),
            Ty::Array(element, length) => format!("[{}; {length}]", self.ty(element)),
            Ty::Ref { lifetime, mutable, ty } => {
                let lifetime = match lifetime {
                    Some(name) if self.has_lifetimes => format!("{name} "),
                    _ => String::new(),
                };
                let mutable = if *mutable { "mut " } else { "" };
                format!("&{lifetime}{mutable}{}", self.ty(ty))
            }
            Ty::RawPointer { mutable, ty } => {
                let mutable = if *mutable { "mut" } else { "const" };
                format!("*{mutable} {}", self.ty(ty))
            }
            Ty::FnPointer { params, result, is_unsafe } => {
                let is_unsafe = if *is_unsafe { "unsafe " } else { "" };
                let result = result.as_ref().map_or(String::new(), |ty| format!(" -> {}", self.ty(ty)));
                format!("{is_unsafe}fn({}){result}", self.list(params))
            }
            Ty::Dyn { bounds, lifetime } => {
                let lifetime = match lifetime {
                    Some(name) if self.has_lifetimes => format!(" + {name}"),
                    _ => String::new(),
                };
                format!("dyn {}{lifetime}", self.bounds(bounds))
            }
            Ty::ImplTrait(bounds) => format!("impl {}", self.bounds(bounds)),
            Ty::Projection { self_ty, trait_ref, name, args } => {
                let args = self.args(args);
                match trait_ref {
                    Some(trait_ref) => format!("<{} as {}>::{name}{args}", self.ty(self_ty), self.trait_ref(trait_ref)),
                    None => format!("<{}>::{name}{args}", self.ty(self_ty)),
                }
            }
        }
    }

    fn list(&self, types: &[Ty]) -> String {
        let parts: Vec<String> = types.iter().map(|ty| self.ty(ty)).collect();
        parts.join(", ")
    }

    pub fn bounds(&self, bounds: &[Bound]) -> String {
        let parts: Vec<String> = bounds
            .iter()
            .map(|bound| match bound {
                Bound::Trait { trait_ref, maybe, higher_ranked } => {
                    let ranked = if higher_ranked.is_empty() || !self.has_lifetimes {
                        String::new()
                    } else {
                        format!("for<{}> ", higher_ranked.join(", "))
                    };
                    let maybe = if *maybe { "?" } else { "" };
                    format!("{maybe}{ranked}{}", self.trait_ref(trait_ref))
                }
                Bound::Lifetime(name) => name.clone(),
                Bound::Use => "use<..>".to_owned(),
            })
            .collect();
        parts.join(" + ")
    }

    /// `<'a, T: Clone>`, without what `impl Trait` arguments made.
    pub fn generic_params(&self, generics: &Generics) -> String {
        let parts: Vec<String> = generics
            .params
            .iter()
            .filter_map(|param| {
                let name = &param.name;
                match &param.kind {
                    GenericParamKind::Type { is_synthetic: true, .. } => None,
                    GenericParamKind::Lifetime { outlives } if outlives.is_empty() => Some(name.clone()),
                    GenericParamKind::Lifetime { outlives } => Some(format!("{name}: {}", outlives.join(" + "))),
                    GenericParamKind::Type { bounds, default, .. } => {
                        let mut text = name.clone();
                        if !bounds.is_empty() {
                            text += &format!(": {}", self.bounds(bounds));
                        }
                        if let Some(default) = default {
                            text += &format!(" = {}", self.ty(default));
                        }
                        Some(text)
                    }
                    GenericParamKind::Const { ty, default } => {
                        let mut text = format!("const {name}: {}", self.ty(ty));
                        if let Some(default) = default {
                            text += &format!(" = {default}");
                        }
                        Some(text)
                    }
                }
            })
            .collect();
        if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) }
    }

    /// ` where T: Clone`, with its leading blank, or nothing.
    pub fn predicates(&self, generics: &Generics) -> String {
        let parts: Vec<String> = generics
            .predicates
            .iter()
            .map(|predicate| match predicate {
                WherePredicate::Type { ty, bounds } => {
                    format!("{}: {}", self.ty(ty), self.bounds(bounds))
                }
                WherePredicate::Lifetime { lifetime, outlives } => {
                    format!("{lifetime}: {}", outlives.join(" + "))
                }
                WherePredicate::Equality { left, right } => {
                    format!("{} == {}", self.ty(left), self.ty(right))
                }
            })
            .collect();
        if parts.is_empty() { String::new() } else { format!(" where {}", parts.join(", ")) }
    }

    /// `(self: &Self, key: usize) -> T`
    pub fn signature(&self, signature: &Signature) -> String {
        let mut params: Vec<String> =
            signature.params.iter().map(|(name, ty)| format!("{name}: {}", self.ty(ty))).collect();
        if signature.is_variadic {
            params.push("...".to_owned());
        }
        let result = signature.result.as_ref().map_or(String::new(), |ty| format!(" -> {}", self.ty(ty)));
        format!("({}){result}", params.join(", "))
    }
}
