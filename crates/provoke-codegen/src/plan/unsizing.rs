//! `dyn Trait` arguments: references and boxes of the types that implement the trait.

use provoke_api::{FlowPart, OpRole};
use provoke_model::{Bound, GenericArg, TraitRef, Ty};

use crate::plan::Planner;
use crate::plan::op::{OpText, PlannedFlow, PlannedOp};
use crate::types::catalog::type_args;
use crate::types::render::Renderer;
use crate::types::solve::implementors;
use crate::types::subst::is_concrete;

/// Types that are tried behind one `dyn Trait`.
const MAX_IMPLEMENTORS: usize = 3;

/// What holds a `dyn Trait`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Shared,
    Exclusive,
    Box,
    Rc,
    Arc,
}

impl Planner {
    /// Every `dyn Trait` that a signature takes gets ways to be made.
    pub(super) fn unsizings(&mut self) {
        for wanted in std::mem::take(&mut self.dyn_types) {
            let (holder, inner) = match &wanted {
                Ty::Ref { mutable: false, ty, .. } => (Holder::Shared, &**ty),
                Ty::Ref { mutable: true, ty, .. } => (Holder::Exclusive, &**ty),
                Ty::Path { args, .. } => {
                    let holder = [("Box", Holder::Box), ("Rc", Holder::Rc), ("Arc", Holder::Arc)];
                    let found = holder.into_iter().find(|(name, _)| self.catalog.is_std(&wanted, name));
                    match (found, type_args(args).next()) {
                        (Some((_, holder)), Some(inner)) => (holder, inner),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let Ty::Dyn { bounds, .. } = inner else { continue };
            let Some(Bound::Trait { trait_ref, higher_ranked, .. }) = bounds.first() else { continue };
            for implementor in self.behind(trait_ref, higher_ranked) {
                self.unsizing(holder, inner, &implementor);
            }
        }
    }

    fn behind(&mut self, trait_ref: &TraitRef, higher_ranked: &[String]) -> Vec<Ty> {
        let is_callable = matches!(self.catalog.std_name(trait_ref.item), Some("Fn" | "FnMut" | "FnOnce"));
        if is_callable {
            let bound =
                Bound::Trait { trait_ref: trait_ref.clone(), maybe: false, higher_ranked: higher_ranked.to_vec() };
            let found = crate::types::choose::candidates(&self.catalog, &[bound]);
            for pointer in &found {
                self.note(pointer);
            }
            return found.into_iter().take(1).collect();
        }
        let mut found = implementors(&self.catalog, trait_ref, MAX_IMPLEMENTORS);
        found.retain(is_concrete);
        for ty in &found {
            self.instances.note(&self.catalog, ty);
        }
        found
    }

    fn unsizing(&mut self, holder: Holder, wanted: &Ty, implementor: &Ty) {
        let mut absolute = Renderer::absolute(&self.catalog.model);
        let (Some(from), Some(to)) = (absolute.ty(implementor), absolute.ty(wanted)) else { return };
        let mut short = Renderer::short(&self.catalog.model);
        let Some(shown) = short.ty(wanted) else { return };
        let mut imports = short.imports;
        let (expression, pretty, explicit) = match holder {
            Holder::Shared => (
                format!("|x: &'static {from}| -> &'static {to} {{ x }}"),
                "{0}".to_string(),
                format!("{{0}} as &{shown}"),
            ),
            Holder::Exclusive => (
                format!("|x: &'static mut {from}| -> &'static mut {to} {{ x }}"),
                "{0}".to_string(),
                format!("{{0}} as &mut {shown}"),
            ),
            Holder::Box => (
                format!("|x: {from}| -> ::std::boxed::Box<{to}> {{ ::std::boxed::Box::new(x) }}"),
                "Box::new({0})".to_string(),
                format!("Box::new({{0}}) as Box<{shown}>"),
            ),
            Holder::Rc | Holder::Arc => {
                let path = if holder == Holder::Rc { "std::rc::Rc" } else { "std::sync::Arc" };
                let name = path.rsplit("::").next().unwrap_or_default();
                imports.push(path.to_string());
                (
                    format!("|x: {from}| -> ::{path}<{to}> {{ ::{path}::new(x) }}"),
                    format!("{name}::new({{0}})"),
                    format!("{name}::new({{0}}) as {name}<{shown}>"),
                )
            }
        };
        let key = format!("dyn {expression}");
        if let Ty::Dyn { bounds, .. } = wanted {
            let listed = self.listed_as(bounds, implementor).into_iter();
            self.plan.by_hand.extend(listed.map(|(item, place)| (key.clone(), item, place)));
        }
        let is_by_ref = matches!(holder, Holder::Shared | Holder::Exclusive);
        let every_way = FlowPart::ALL.map(|part| PlannedFlow::to_result(0, part));
        self.push(PlannedOp {
            flows: if is_by_ref { every_way.to_vec() } else { vec![PlannedFlow::to_result(0, FlowPart::Inner)] },
            declared_refs: if is_by_ref { vec![0] } else { Vec::new() },
            text: OpText { pretty, explicit, imports, is_inline: true, ..OpText::default() },
            ..PlannedOp::new(key, OpRole::Coercion, expression, 1)
        });
    }
}

/// Whether a type is a reference to or a box of a `dyn Trait`.
pub(super) fn holds_dyn(ty: &Ty) -> bool {
    match ty {
        Ty::Ref { ty, .. } => matches!(**ty, Ty::Dyn { .. }),
        Ty::Path { args, .. } => {
            matches!(args.as_slice(), [GenericArg::Type(Ty::Dyn { .. }), ..])
        }
        _ => false,
    }
}
