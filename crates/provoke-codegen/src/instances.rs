//! Concrete instances of the target's generic types.

use provoke_model::{GenericArg, GenericParamKind, Generics, Impl, Ty, TypeDef};

use crate::catalog::Catalog;
use crate::choose::choices;
use crate::subst::{Choice, is_concrete, mentions, unify};

/// How many instances one generic type gets.
const MAX_INSTANCES: usize = 3;

/// Instances of every local type, by place in `Model::types`.
pub struct Instances {
    by_type: Vec<Vec<Ty>>,
}

impl Instances {
    pub fn choose(catalog: &mut Catalog) -> Instances {
        let by_type = (0..catalog.model.types.len())
            .map(|index| {
                let def = catalog.model.types[index].clone();
                instances_of(catalog, &def)
            })
            .collect();
        Instances { by_type }
    }

    /// Every instance that an impl's `for` type may stand for; empty if it is not a local type.
    pub fn of(&self, catalog: &Catalog, ty: &Ty) -> &[Ty] {
        match ty {
            Ty::Path { item, .. } => {
                let item = catalog.model.item(*item);
                item.local_index.and_then(|index| self.by_type.get(index)).map_or(&[], Vec::as_slice)
            }
            _ => &[],
        }
    }

    pub fn of_type(&self, type_idx: usize) -> &[Ty] {
        &self.by_type[type_idx]
    }
}

fn instances_of(catalog: &mut Catalog, def: &TypeDef) -> Vec<Ty> {
    let mut found = Vec::new();
    let has_params = def.generics.params.iter().any(|p| !matches!(p.kind, GenericParamKind::Lifetime { .. }));
    if !has_params {
        return vec![with_args(def, &Choice::default())];
    }
    let impls: Vec<Impl> = catalog
        .model
        .impls
        .iter()
        .filter(|i| i.trait_ref.is_none() && is_instance_of(&i.for_ty, def))
        .cloned()
        .collect();
    // The struct itself rarely has bounds; the impls that make and use it do. All of them together first, so that
    // one instance can do everything, then only those of the type.
    let mut merged = def.generics.clone();
    for inherent in &impls {
        merge_bounds(&mut merged, def, inherent);
    }
    for generics in [&merged, &def.generics] {
        if let Ok(all) = choices(catalog, &[generics], &Choice::default()) {
            for choice in all {
                let ty = with_args(def, &choice);
                if !found.contains(&ty) && found.len() < MAX_INSTANCES {
                    found.push(ty);
                }
            }
        }
        // Bounds of all impls could be met, by an integer and by something that owns memory: enough.
        if found.len() >= 2 {
            break;
        }
    }
    // `impl Host<String>` names its instance itself.
    for inherent in &impls {
        if is_concrete(&inherent.for_ty) && !found.contains(&inherent.for_ty) {
            found.push(inherent.for_ty.clone());
        }
    }
    found.truncate(MAX_INSTANCES + 2);
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

/// The choice for an impl's parameters that makes its `for` type this instance.
pub fn choice_for(inherent: &Impl, instance: &Ty) -> Option<Choice> {
    let mut choice = Choice::default();
    if !unify(&inherent.for_ty, instance, &mut choice) {
        return None;
    }
    for param in &inherent.generics.params {
        if !choice.types.contains_key(&param.name) && mentions(&inherent.for_ty, &param.name) {
            choice.left_open.insert(param.name.clone());
        }
    }
    choice.self_ty = Some(instance.clone());
    Some(choice)
}
