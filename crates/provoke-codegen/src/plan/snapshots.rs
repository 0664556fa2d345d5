//! Operations that ask whether a value and its clone are independent: one clones, one remembers what a value shows, and the
//! law compares that with what it shows later. The search never calls them; programs are made from them afterwards.

use provoke_model::{GenericParamKind, Impl, Ty, TypeDef};
use provoke_oracles::CLONE_INDEPENDENT;

use super::Planner;
use crate::abilities::{Answer, implements_std};
use crate::catalog::{Catalog, type_args};
use crate::op::{OpText, PlannedFlow, PlannedOp, Role};
use crate::render::Renderer;

/// For how many instances of a type it is asked.
const MAX_INSTANCES: usize = 2;

/// Words in the documentation of a type or of its `Clone` which say that clones share.
const SHARING_WORDS: [&str; 6] =
    ["handle", "shallow", "shared", "reference count", "reference-count", "same underlying"];

/// Types of std that share by design.
const SHARING_TYPES: [&str; 3] = ["Rc", "Arc", "Weak"];

impl Planner {
    pub(super) fn snapshots(&mut self) {
        for type_idx in 0..self.catalog.model.types.len() {
            let def = &self.catalog.model.types[type_idx];
            let Some(subject) = clone_of(&self.catalog, def).and_then(|home| self.subject(home, "clone")) else {
                continue;
            };
            let instances = self.instances.of_type(type_idx).iter();
            let fitting = instances.filter(|ty| is_on_trial(&self.catalog, ty)).take(MAX_INSTANCES);
            for ty in fitting.cloned().collect::<Vec<_>>() {
                self.snapshots_of(&ty, &subject);
            }
        }
    }

    fn snapshots_of(&mut self, ty: &Ty, subject: &str) {
        let mut absolute = Renderer::absolute(&self.catalog.model);
        let Some(ty) = absolute.ty(ty) else { return };
        let value = format!("a: &'static {ty}");
        let op = |name: &str, params: &[&str], body: &str, pretty: &str, explicit: &str| PlannedOp {
            key: format!("{name} {ty}"),
            function: None,
            trait_function: None,
            role: Role::Watch,
            expression: format!("|{}| {{ {body} }}", params.join(", ")),
            pointer: format!("fn({}) -> _", vec!["_"; params.len()].join(", ")),
            n_args: params.len(),
            flows: Vec::new(),
            static_args: Vec::new(),
            declared_refs: (0..params.len() as u8).collect(),
            text: OpText { pretty: pretty.into(), explicit: explicit.into(), ..OpText::default() },
        };
        let clone = op("watch clone", &[&value], "a.clone()", "{.0}.clone()", "Clone::clone({0})");
        let shown = "format!(\"{:?}\", {.0})";
        // It holds on to what it was made of, so that nobody is in a position to change that.
        let lent = PlannedFlow { arg: 0, is_outer: true, to_arg: None };
        let snapshot = op("watch snapshot", &[&value], "snapshot(a)", shown, shown);
        let claim = format!("assert_eq!({shown}, {{.1}})");
        let params = [value.as_str(), "b: &'static Snapshot"];
        let law_name = format!("law {}", CLONE_INDEPENDENT.id);
        let law = op(&law_name, &params, "uphold(still_shows(a, b))", &claim, &claim);
        let role = Role::Law { oracle: CLONE_INDEPENDENT.id.to_string(), subject: subject.to_string() };
        self.push(clone);
        self.push(PlannedOp { flows: vec![lent], ..snapshot });
        self.push(PlannedOp { role, ..law });
    }
}

/// The type's `Clone`, if it is one of the crate's own types, borrows nothing, and nothing says that its clones share.
fn clone_of<'a>(catalog: &'a Catalog, def: &TypeDef) -> Option<&'a Impl> {
    let model = &catalog.model;
    let borrows = def.generics.params.iter().any(|param| matches!(param.kind, GenericParamKind::Lifetime { .. }));
    if !model.item(def.item).is_local || borrows {
        return None;
    }
    let is_clone = |home: &&Impl| {
        let is_of_type = matches!(&home.for_ty, Ty::Path { item, .. } if *item == def.item);
        let of_trait = home.trait_ref.as_ref().and_then(|trait_ref| catalog.std_name(trait_ref.item));
        is_of_type && !home.is_negative && of_trait == Some("Clone")
    };
    let home = model.impls.iter().find(is_clone)?;
    let docs = [&def.docs, &home.docs].map(|docs| docs.text.to_lowercase());
    let is_said_to_share = docs.iter().any(|docs| SHARING_WORDS.iter().any(|word| docs.contains(word)));
    (!is_said_to_share).then_some(home)
}

fn is_on_trial(catalog: &Catalog, ty: &Ty) -> bool {
    let may_have = |name| implements_std(catalog, ty, name) != Answer::No;
    // What is copied bit by bit shares nothing but what it borrows.
    let is_copy = implements_std(catalog, ty, "Copy") == Answer::Yes;
    may_have("Clone") && may_have("Debug") && !is_copy && owns_its_parts(catalog, ty)
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
