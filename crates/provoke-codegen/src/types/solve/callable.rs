//! What can be called: closures are function pointers here.

use provoke_model::{GenericArg, TraitRef, Ty};

use crate::types::catalog::type_args;
use crate::types::solve::{Solver, State};
use crate::types::subst::has_impl_trait;

impl Solver<'_> {
    /// The state in which a type can be called as the bound asks.
    pub(super) fn callable(
        &mut self,
        ty: &Ty,
        trait_ref: &TraitRef,
        higher_ranked: &[String],
        state: &State,
    ) -> Option<State> {
        let params = match type_args(&trait_ref.args).next() {
            Some(Ty::Tuple(parts)) => parts.clone(),
            _ => Vec::new(),
        };
        let output = trait_ref.args.iter().find_map(|arg| match arg {
            GenericArg::Equality { name, ty } if name == "Output" => Some(ty.clone()),
            _ => None,
        });
        let output = output.unwrap_or_else(|| Ty::Tuple(Vec::new()));
        if has_impl_trait(&output) {
            return None;
        }
        let mut next = state.clone();
        match ty {
            Ty::Param(name) => {
                let params: Vec<Ty> = params.iter().map(|p| in_pointer(p, higher_ranked)).collect();
                let result = Some(Box::new(in_pointer(&output, higher_ranked)));
                let pointer = Ty::FnPointer { params, result, is_unsafe: false };
                if crate::types::subst::mentions(&self.deep(&pointer, state), name) {
                    return None;
                }
                next.bind(name, pointer);
                Some(next)
            }
            Ty::FnPointer { params: own, result, .. } => {
                if own.len() != params.len() {
                    return None;
                }
                for (own, wanted) in own.iter().zip(&params) {
                    if !self.unify(own, wanted, &mut next) {
                        return None;
                    }
                }
                let unit = Ty::Tuple(Vec::new());
                let own = result.as_deref().unwrap_or(&unit);
                self.unify(own, &output, &mut next).then_some(next)
            }
            Ty::Other(_) => Some(next),
            _ => None,
        }
    }
}

/// The type as it stands in a function pointer: lifetimes of the bound are elided, others are `'static`.
fn in_pointer(ty: &Ty, higher_ranked: &[String]) -> Ty {
    let lifetime = |name: &Option<String>| match name {
        Some(name) if name != "'_" && !higher_ranked.contains(name) => Some("'static".to_string()),
        _ => None,
    };
    match ty {
        Ty::Ref { lifetime: name, mutable, ty } => {
            Ty::Ref { lifetime: lifetime(name), mutable: *mutable, ty: Box::new(in_pointer(ty, higher_ranked)) }
        }
        Ty::Path { item, args } => Ty::Path {
            item: *item,
            args: args
                .iter()
                .map(|arg| match arg {
                    GenericArg::Lifetime(name) if higher_ranked.contains(name) || name == "'_" => {
                        GenericArg::Lifetime("'_".to_string())
                    }
                    GenericArg::Lifetime(_) => GenericArg::Lifetime("'static".to_string()),
                    GenericArg::Type(ty) => GenericArg::Type(in_pointer(ty, higher_ranked)),
                    other => other.clone(),
                })
                .collect(),
        },
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|ty| in_pointer(ty, higher_ranked)).collect()),
        Ty::Slice(inner) => Ty::Slice(Box::new(in_pointer(inner, higher_ranked))),
        Ty::Array(inner, len) => Ty::Array(Box::new(in_pointer(inner, higher_ranked)), len.clone()),
        _ => ty.clone(),
    }
}
