//! Operations that ask whether a value and its clone are independent: one clones, one remembers what a value shows, and the
//! law compares that with what it shows later. The search never calls them; programs are made from them afterwards.

use provoke_api::OpRole;
use provoke_model::{Function, FunctionHome, GenericParamKind, Impl, Model, Ty, TypeDef};
use provoke_oracles::CLONE_INDEPENDENT;

use crate::plan::Planner;
use crate::plan::op::{OpText, PlannedOp};
use crate::types::abilities::{AbilityAnswer, implements_std};
use crate::types::catalog::{Catalog, type_args};
use crate::types::render::Renderer;

/// For how many instances of a type it is asked.
const MAX_INSTANCES: usize = 2;

/// Words in the first sentence about a type, and in any sentence about its clones, which say that they share.
const SHARING_WORDS: [&str; 6] =
    ["handle", "shallow", "shar", "reference count", "reference-count", "the same underlying"];

/// Types of std that share by design.
const SHARING_TYPES: [&str; 3] = ["Rc", "Arc", "Weak"];

impl Planner {
    pub(super) fn snapshots(&mut self) {
        for type_idx in 0..self.catalog.model.types.len() {
            let def = &self.catalog.model.types[type_idx];
            let Some(home) = clone_of(&self.catalog, def) else { continue };
            let Some(subject) = self.subject(home, "clone") else { continue };
            let is_said_to_share = says_that_clones_share(&def.docs.text) || says_that_clones_share(&home.docs.text);
            let instances = self.instances.of_type(type_idx).iter();
            let fitting = instances.filter(|ty| is_on_trial(&self.catalog, ty)).take(MAX_INSTANCES);
            for ty in fitting.cloned().collect::<Vec<_>>() {
                let ops = self.snapshots_of(&ty, &subject);
                // A clone alone, without a law, tells the engine that it is no wonder if values that hold one share it.
                let n_ops = if is_said_to_share { 1 } else { ops.len() };
                ops.into_iter().take(n_ops).for_each(|op| self.push(op));
            }
        }
    }

    /// The clone, the snapshot and the law.
    fn snapshots_of(&self, ty: &Ty, subject: &str) -> Vec<PlannedOp> {
        let mut absolute = Renderer::absolute(&self.catalog.model);
        let Some(ty) = absolute.ty(ty) else { return Vec::new() };
        let value = format!("a: &'static {ty}");
        let closure = |params: &[&str], body: &str| format!("|{}| {{ {body} }}", params.join(", "));
        let op = |name: &str, params: &[&str], body: &str, pretty: &str, explicit: &str| PlannedOp {
            declared_refs: (0..params.len() as u8).collect(),
            text: OpText { pretty: pretty.into(), explicit: explicit.into(), ..OpText::default() },
            ..PlannedOp::new(format!("{name} {ty}"), OpRole::Watch, closure(params, body), params.len())
        };
        let clone = op("watch clone", &[&value], "a.clone()", "{.0}.clone()", "Clone::clone({0})");
        let shown = "format!(\"{:?}\", {.0})";
        let snapshot = op("watch snapshot", &[&value], "snapshot(a)", shown, shown);
        let claim = format!("assert_eq!({shown}, {{.1}})");
        let params = [value.as_str(), "b: &'static Snapshot"];
        let law_name = format!("law {}", CLONE_INDEPENDENT.id);
        let law = op(&law_name, &params, "uphold(still_shows(a, b))", &claim, &claim);
        vec![clone, snapshot, law.accusing(&CLONE_INDEPENDENT, subject)]
    }
}

/// The type's `Clone`, if it is one of the crate's own types that can be changed and borrows nothing.
fn clone_of<'a>(catalog: &'a Catalog, def: &TypeDef) -> Option<&'a Impl> {
    let model = &catalog.model;
    let borrows = def.generics.params.iter().any(|param| matches!(param.kind, GenericParamKind::Lifetime { .. }));
    if !model.item(def.item).is_local || borrows || !model.functions.iter().any(|f| may_change(model, f, def)) {
        return None;
    }
    let impl_of = |name: &str| {
        model.impls.iter().find(|home| {
            let of_trait = home.trait_ref.as_ref().and_then(|trait_ref| catalog.std_name(trait_ref.item));
            is_of(&home.for_ty, def) && !home.is_negative && of_trait == Some(name)
        })
    };
    // What is copied bit by bit shares nothing but what it borrows.
    impl_of("Clone").filter(|_| impl_of("Copy").is_none())
}

fn says_that_clones_share(docs: &str) -> bool {
    let docs = docs.to_lowercase().replace('\n', " ");
    let mut sentences = docs.split(". ").enumerate();
    sentences.any(|(nth, sentence)| {
        let is_told = SHARING_WORDS.iter().any(|word| sentence.contains(word));
        is_told && (nth == 0 || sentence.contains("clon"))
    })
}

fn is_on_trial(catalog: &Catalog, ty: &Ty) -> bool {
    let may_have = |name| implements_std(catalog, ty, name) != AbilityAnswer::No;
    may_have("Clone") && may_have("Debug") && owns_its_parts(catalog, ty)
}

/// Whether a function may change values of the type: it borrows one exclusively, or, if it is a method of the type itself, does
/// not look like one that only observes.
fn may_change(model: &Model, function: &Function, def: &TypeDef) -> bool {
    let params = &function.signature.params;
    let lends = |ty: &Ty| matches!(ty, Ty::Ref { mutable: true, ty, .. } if is_of(ty, def));
    if params.iter().any(|(_, ty)| lends(ty)) {
        return true;
    }
    let (impl_idx, is_inherent) = match function.home {
        FunctionHome::Inherent { impl_idx } => (impl_idx, true),
        FunctionHome::TraitImpl { impl_idx } => (impl_idx, false),
        FunctionHome::Free { .. } | FunctionHome::TraitDef { .. } => return false,
    };
    let receiver =
        params.first().filter(|_| function.signature.has_self() && is_of(&model.impls[impl_idx].for_ty, def));
    match receiver {
        Some((_, Ty::Ref { mutable: true, .. })) => true,
        Some((_, Ty::Ref { .. })) => is_inherent && (params.len() > 1 || function.signature.result.is_none()),
        _ => false,
    }
}

fn is_of(ty: &Ty, def: &TypeDef) -> bool {
    matches!(ty, Ty::Path { item, .. } if *item == def.item)
}

/// Whether nothing in the name of the type shares by design.
fn owns_its_parts(catalog: &Catalog, ty: &Ty) -> bool {
    match ty {
        Ty::Primitive(_) => true,
        Ty::Tuple(parts) => parts.iter().all(|part| owns_its_parts(catalog, part)),
        Ty::Array(element, _) | Ty::Slice(element) => owns_its_parts(catalog, element),
        Ty::Path { item, args } => {
            let shares = catalog.is_tracked(ty) || catalog.std_name(*item).is_some_and(|n| SHARING_TYPES.contains(&n));
            !shares && type_args(args).all(|arg| owns_its_parts(catalog, arg))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_where_the_first_sentence_or_one_about_clones_says_so() {
        assert!(says_that_clones_share("A handle to the\nserver. Drop it to stop the server."));
        assert!(says_that_clones_share("A counter. It is cheap to clone: clones share\none number."));
        assert!(!says_that_clones_share("A unique view. The memory behind it may be shared. Cloning copies it."));
        assert!(!says_that_clones_share(""));
    }
}
