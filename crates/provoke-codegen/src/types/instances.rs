//! Concrete instances of the target's generic types.
//!
//! Decision: `docs/decisions/006-an-unreadable-projection-is-no-instance.md`

use provoke_model::{GenericArg, GenericParamKind, Generics, Impl, Ty, TypeDef};

use crate::types::catalog::{Catalog, type_args};
use crate::types::choose::choices;
use crate::types::solve::{Trust, normalize};
use crate::types::subst::{Choice, Substitution, is_concrete};
use crate::types::tracked::tracked_choice;

/// How many instances one generic type gets from its bounds.
const MAX_CHOSEN: usize = 3;
/// How many it gets in all, with those that functions return or impls ask for.
const MAX_INSTANCES: usize = 6;
/// How many it gets for the sake of impls that none of the others fits.
const MAX_DEMANDED: usize = 20;
/// How deep an instance may nest (`Reversed<&Graph<u8>>` is 2 deep).
const MAX_DEPTH: u32 = 3;

/// Instances of every local type, by place in `Model::types`.
pub struct Instances {
    by_type: Vec<Vec<Ty>>,
}

impl Instances {
    pub fn choose(catalog: &Catalog) -> Instances {
        let by_type = catalog.model.types.iter().map(|def| instances_of(catalog, def)).collect();
        let mut instances = Instances { by_type };
        let traits = catalog.model.types_by_hand.traits();
        let by_hand = traits.flat_map(|(_, types)| types).map(|by_hand| &by_hand.ty);
        // A law about a map from bytes to bytes is about maps with something in them.
        let specified = catalog.model.specifications.iter().flat_map(|it| &it.trampoline.signature.params);
        let specified = specified.map(|(_, ty)| referenced(ty)).filter(|ty| is_concrete(ty));
        let listed: Vec<Ty> = by_hand.chain(specified).map(|ty| shortened(catalog, ty)).collect();
        for ty in &listed {
            instances.demand(catalog, ty);
        }
        // What users ask for must not fall to the limits on what functions are planned on.
        for known in &mut instances.by_type {
            known.sort_by_key(|ty| !listed.contains(ty));
        }
        instances
    }

    /// Every instance that an impl's `for` type may stand for; empty if it is not a local type or a reference to one.
    pub fn of(&self, catalog: &Catalog, ty: &Ty) -> Vec<Ty> {
        match ty {
            Ty::Path { item, .. } => {
                let item = catalog.model.item(*item);
                let known = item.local_index.and_then(|index| self.by_type.get(index));
                known.cloned().unwrap_or_default()
            }
            Ty::Ref { mutable, ty, .. } => self
                .of(catalog, ty)
                .into_iter()
                .map(|ty| Ty::Ref { lifetime: Some("'static".to_string()), mutable: *mutable, ty: Box::new(ty) })
                .collect(),
            _ => Vec::new(),
        }
    }

    pub fn of_type(&self, type_idx: usize) -> &[Ty] {
        &self.by_type[type_idx]
    }

    /// Takes up the local types inside a concrete type; `true` if one of them is new.
    pub fn note(&mut self, catalog: &Catalog, ty: &Ty) -> bool {
        self.note_up_to(catalog, ty, MAX_INSTANCES)
    }

    /// The same for what an impl or a function asks for: without it, that cannot be called at all.
    pub fn demand(&mut self, catalog: &Catalog, ty: &Ty) -> bool {
        self.note_up_to(catalog, ty, MAX_DEMANDED)
    }

    fn note_up_to(&mut self, catalog: &Catalog, ty: &Ty, max: usize) -> bool {
        let mut is_new = false;
        match ty {
            Ty::Path { item, args } => {
                for arg in type_args(args) {
                    is_new |= self.note_up_to(catalog, arg, max);
                }
                let item = catalog.model.item(*item);
                let Some(index) = item.local_index else { return is_new };
                if index >= self.by_type.len() || item.kind == provoke_model::ItemKind::Trait {
                    return is_new;
                }
                let short = shortened(catalog, ty);
                let known = &mut self.by_type[index];
                if is_concrete(&short) && depth(&short) <= MAX_DEPTH && known.len() < max && !known.contains(&short) {
                    known.push(short);
                    is_new = true;
                }
            }
            Ty::Tuple(parts) => {
                for part in parts {
                    is_new |= self.note_up_to(catalog, part, max);
                }
            }
            Ty::Slice(inner) | Ty::Array(inner, _) | Ty::Ref { ty: inner, .. } => {
                is_new |= self.note_up_to(catalog, inner, max);
            }
            _ => {}
        }
        is_new
    }
}

/// What a reference is to.
fn referenced(ty: &Ty) -> &Ty {
    match ty {
        Ty::Ref { ty, .. } => referenced(ty),
        ty => ty,
    }
}

fn depth(ty: &Ty) -> u32 {
    match ty {
        Ty::Path { args, .. } => 1 + type_args(args).map(depth).max().unwrap_or(0),
        Ty::Tuple(parts) => parts.iter().map(depth).max().unwrap_or(0),
        Ty::Slice(inner) | Ty::Array(inner, _) | Ty::Ref { ty: inner, .. } => depth(inner),
        // What cannot be read may be anything, and is likely to be known by its own name.
        Ty::Projection { .. } => MAX_DEPTH,
        _ => 0,
    }
}

fn instances_of(catalog: &Catalog, def: &TypeDef) -> Vec<Ty> {
    let mut found = Vec::new();
    let has_params = def.generics.params.iter().any(|p| !matches!(p.kind, GenericParamKind::Lifetime { .. }));
    if !has_params {
        return vec![with_args(def, &Choice::default())];
    }
    let impls: Vec<&Impl> =
        catalog.model.impls.iter().filter(|i| i.trait_ref.is_none() && is_instance_of(&i.for_ty, def)).collect();
    // The struct itself rarely has bounds; the impls that make and use it do. All of them together first, so that
    // one instance can do everything, then only those of the type.
    let mut merged = def.generics.clone();
    for inherent in &impls {
        merge_bounds(&mut merged, def, inherent);
    }
    for generics in [&merged, &def.generics] {
        if let Ok(all) = choices(catalog, &[generics], &Choice::default(), Trust::Facts) {
            for choice in all {
                let ty = shortened(catalog, &with_args(def, &choice));
                if !found.contains(&ty) && found.len() < MAX_CHOSEN && is_concrete(&ty) {
                    found.push(ty);
                }
            }
        }
        // Bounds of all impls could be met, by an integer and by something that owns memory: enough.
        if found.len() >= 2 {
            break;
        }
    }
    // The last of them counts what happens to its elements.
    if !found.is_empty()
        && let Some(choice) = tracked_choice(catalog, &[&merged], &Choice::default())
    {
        let ty = shortened(catalog, &with_args(def, &choice));
        if is_concrete(&ty) {
            found.truncate(MAX_CHOSEN - 1);
            found.push(ty);
        }
    }
    // `impl Host<String>` names its instance itself.
    for inherent in &impls {
        let ty = shortened(catalog, &inherent.for_ty);
        if is_concrete(&ty) && !found.contains(&ty) {
            found.push(ty);
        }
    }
    found.truncate(MAX_CHOSEN + 2);
    found
}

fn is_instance_of(ty: &Ty, def: &TypeDef) -> bool {
    matches!(ty, Ty::Path { item, .. } if *item == def.item)
}

/// Adds the bounds of an impl over plain parameters to the bounds of the type's own parameters.
fn merge_bounds(merged: &mut Generics, def: &TypeDef, inherent: &Impl) {
    let Ty::Path { args, .. } = &inherent.for_ty else {
        return;
    };
    let mut renaming = Choice::default();
    let own = def.generics.params.iter().filter(|p| !p.name.starts_with('\''));
    let given = args.iter().filter(|a| !matches!(a, GenericArg::Lifetime(_)));
    for (param, arg) in own.zip(given) {
        match arg {
            GenericArg::Type(Ty::Param(name)) if !renaming.types.contains_key(name) => {
                renaming.types.insert(name.clone(), Ty::Param(param.name.clone()));
            }
            GenericArg::Const(name) => {
                renaming.consts.insert(name.clone(), param.name.clone());
            }
            _ => return,
        }
    }
    for param in &inherent.generics.params {
        let (GenericParamKind::Type { bounds, .. }, Some(Ty::Param(target))) =
            (&param.kind, renaming.types.get(&param.name))
        else {
            continue;
        };
        if let Some(GenericParamKind::Type { bounds: own, .. }) =
            merged.params.iter_mut().find(|p| p.name == *target).map(|p| &mut p.kind)
        {
            for bound in renaming.apply_bounds(bounds) {
                if !own.contains(&bound) {
                    own.push(bound);
                }
            }
        }
    }
    for predicate in &inherent.generics.predicates {
        if let provoke_model::WherePredicate::Type { ty, bounds } = predicate {
            let renamed =
                provoke_model::WherePredicate::Type { ty: renaming.apply(ty), bounds: renaming.apply_bounds(bounds) };
            if !merged.predicates.contains(&renamed) {
                merged.predicates.push(renamed);
            }
        }
    }
}

fn with_args(def: &TypeDef, choice: &Choice) -> Ty {
    let mut args = Vec::new();
    for param in &def.generics.params {
        match &param.kind {
            GenericParamKind::Lifetime { .. } => args.push(GenericArg::Lifetime("'static".to_string())),
            GenericParamKind::Type { default: Some(_), .. } if !choice.types.contains_key(&param.name) => break,
            GenericParamKind::Type { .. } => {
                let ty = choice.types.get(&param.name).cloned().unwrap_or_else(|| Ty::Param(param.name.clone()));
                args.push(GenericArg::Type(ty));
            }
            GenericParamKind::Const { .. } => {
                let text = choice.consts.get(&param.name).cloned().unwrap_or_else(|| param.name.clone());
                args.push(GenericArg::Const(text));
            }
        }
    }
    Ty::Path { item: def.item, args }
}

/// The definition of a local type.
fn definition<'a>(catalog: &'a Catalog, ty: &Ty) -> Option<&'a TypeDef> {
    let Ty::Path { item, .. } = ty else { return None };
    let item = catalog.model.item(*item);
    if item.kind == provoke_model::ItemKind::Trait {
        return None;
    }
    catalog.model.types.get(item.local_index?)
}

/// The one way to write an instance: projections read, all lifetimes `'static`, arguments that equal their default left out.
pub fn shortened(catalog: &Catalog, ty: &Ty) -> Ty {
    let ty = normalize(catalog, ty);
    let Some(def) = definition(catalog, &ty) else { return ty };
    let Ty::Path { item, args } = &ty else { return ty };
    let mut plain = args.iter().filter(|arg| !matches!(arg, GenericArg::Lifetime(_)));
    let mut choice = Choice::default();
    let mut kept = Vec::new();
    let mut n_needed = 0;
    for param in &def.generics.params {
        match &param.kind {
            GenericParamKind::Lifetime { .. } => {
                kept.push(GenericArg::Lifetime("'static".to_string()));
                n_needed = kept.len();
            }
            kind => {
                let Some(arg) = plain.next() else { break };
                let is_default = match (kind, arg) {
                    (GenericParamKind::Type { default: Some(default), .. }, GenericArg::Type(ty)) => {
                        choice.apply(default) == *ty
                    }
                    (GenericParamKind::Const { default: Some(default), .. }, GenericArg::Const(text)) => {
                        default == text
                    }
                    _ => false,
                };
                match arg {
                    GenericArg::Type(ty) => choice.types.insert(param.name.clone(), ty.clone()),
                    _ => None,
                };
                kept.push(arg.clone());
                if !is_default {
                    n_needed = kept.len();
                }
            }
        }
    }
    kept.truncate(n_needed);
    Ty::Path { item: *item, args: kept }
}

/// The instance with its defaults written out, for matching it with an impl.
pub fn expanded(catalog: &Catalog, ty: &Ty) -> Ty {
    if let Ty::Ref { lifetime, mutable, ty } = ty {
        return Ty::Ref { lifetime: lifetime.clone(), mutable: *mutable, ty: Box::new(expanded(catalog, ty)) };
    }
    let (Some(def), Ty::Path { item, args }) = (definition(catalog, ty), ty) else { return ty.clone() };
    let mut plain = args.iter().filter(|arg| !matches!(arg, GenericArg::Lifetime(_)));
    let mut choice = Choice::default();
    let mut all = Vec::new();
    for param in &def.generics.params {
        match &param.kind {
            GenericParamKind::Lifetime { .. } => all.push(GenericArg::Lifetime("'static".to_string())),
            GenericParamKind::Type { default, .. } => {
                let ty = match (plain.next(), default) {
                    (Some(GenericArg::Type(ty)), _) => ty.clone(),
                    (None, Some(default)) => choice.apply(default),
                    _ => break,
                };
                choice.types.insert(param.name.clone(), ty.clone());
                all.push(GenericArg::Type(ty));
            }
            GenericParamKind::Const { default, .. } => match (plain.next(), default) {
                (Some(arg), _) => all.push(arg.clone()),
                (None, Some(default)) => all.push(GenericArg::Const(default.clone())),
                _ => break,
            },
        }
    }
    Ty::Path { item: *item, args: all }
}
