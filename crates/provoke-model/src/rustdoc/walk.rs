//! Walking through everything inside a type, bound or signature.

use crate::api::ItemId;
use crate::api::ty::{Bound, GenericArg, GenericParamKind, Generics, Signature, TraitRef, Ty, WherePredicate};
use crate::rustdoc::raw::{RawInner, RawItem};

/// Each hook is called after the parts of what it is given were visited; what a hook puts in place is not visited again.
pub(crate) trait Visitor {
    fn item(&mut self, _: &mut ItemId) {}
    fn ty(&mut self, _: &mut Ty) {}
    fn arg(&mut self, _: &mut GenericArg) {}
}

pub(crate) trait Walk {
    fn walk(&mut self, visitor: &mut dyn Visitor);
}

impl<T: Walk> Walk for Vec<T> {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        for part in self {
            part.walk(visitor);
        }
    }
}

impl<T: Walk> Walk for Option<T> {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        if let Some(part) = self {
            part.walk(visitor);
        }
    }
}

impl<T: Walk> Walk for Box<T> {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        (**self).walk(visitor);
    }
}

impl Walk for Ty {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Ty::Path { item, args } => {
                args.walk(visitor);
                visitor.item(item);
            }
            Ty::Param(_) | Ty::SelfTy | Ty::Primitive(_) | Ty::Other(_) => {}
            Ty::Tuple(parts) => parts.walk(visitor),
            Ty::Slice(ty) | Ty::Array(ty, _) | Ty::Ref { ty, .. } | Ty::RawPointer { ty, .. } => ty.walk(visitor),
            Ty::FnPointer { params, result, .. } => {
                params.walk(visitor);
                result.walk(visitor);
            }
            Ty::Dyn { bounds, .. } | Ty::ImplTrait(bounds) => bounds.walk(visitor),
            Ty::Projection { self_ty, trait_ref, args, .. } => {
                self_ty.walk(visitor);
                trait_ref.walk(visitor);
                args.walk(visitor);
            }
        }
        visitor.ty(self);
    }
}

impl Walk for GenericArg {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        match self {
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => ty.walk(visitor),
            GenericArg::Lifetime(_) | GenericArg::Const(_) => {}
        }
        visitor.arg(self);
    }
}

impl Walk for TraitRef {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        self.args.walk(visitor);
        visitor.item(&mut self.item);
    }
}

impl Walk for Bound {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        if let Bound::Trait { trait_ref, .. } = self {
            trait_ref.walk(visitor);
        }
    }
}

impl Walk for Generics {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        for param in &mut self.params {
            match &mut param.kind {
                GenericParamKind::Lifetime { .. } => {}
                GenericParamKind::Type { bounds, default, .. } => {
                    bounds.walk(visitor);
                    default.walk(visitor);
                }
                GenericParamKind::Const { ty, .. } => ty.walk(visitor),
            }
        }
        for predicate in &mut self.predicates {
            match predicate {
                WherePredicate::Type { ty, bounds } => {
                    ty.walk(visitor);
                    bounds.walk(visitor);
                }
                WherePredicate::Lifetime { .. } => {}
                WherePredicate::Equality { left, right } => {
                    left.walk(visitor);
                    right.walk(visitor);
                }
            }
        }
    }
}

impl Walk for Signature {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        for (_, ty) in &mut self.params {
            ty.walk(visitor);
        }
        self.result.walk(visitor);
    }
}

impl Walk for RawItem {
    fn walk(&mut self, visitor: &mut dyn Visitor) {
        match &mut self.inner {
            RawInner::Module { .. } | RawInner::Use { .. } | RawInner::Variant { .. } | RawInner::Other => {}
            RawInner::Struct { generics, .. } | RawInner::Enum { generics, .. } | RawInner::Union { generics } => {
                generics.walk(visitor)
            }
            RawInner::Field(ty) | RawInner::Constant(ty) | RawInner::Static { ty, .. } | RawInner::AssocConst(ty) => {
                ty.walk(visitor)
            }
            RawInner::AssocType(ty) => ty.walk(visitor),
            RawInner::Function { generics, signature, .. } => {
                generics.walk(visitor);
                signature.walk(visitor);
            }
            RawInner::Trait { generics, supertraits, .. } => {
                generics.walk(visitor);
                supertraits.walk(visitor);
            }
            RawInner::Impl(raw) => {
                raw.generics.walk(visitor);
                raw.trait_ref.walk(visitor);
                raw.for_ty.walk(visitor);
            }
            RawInner::TypeAlias { generics, ty } => {
                generics.walk(visitor);
                ty.walk(visitor);
            }
        }
    }
}
