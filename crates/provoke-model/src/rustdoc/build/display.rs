//! Names of functions and constants as people write them, each different from all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::text::{Names, Printer};
use crate::api::ty::Ty;
use crate::api::{FunctionHome, ItemId, Model};

pub(super) fn name_functions(model: &mut Model) {
    let names = unique_names(model.functions.len(), |function_idx, detail| {
        let function = &model.functions[function_idx];
        let name = &function.name;
        match &function.home {
            FunctionHome::Free { path } => path.join("::"),
            FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx } => {
                member_name(model, *impl_idx, name, detail)
            }
            FunctionHome::TraitDef { trait_idx, .. } => {
                let owner = local_name(model, model.traits[*trait_idx].item);
                format!("{owner}::{name}")
            }
        }
    });
    for (function, display) in model.functions.iter_mut().zip(names) {
        function.display = display;
    }
    model.functions.sort_by(|a, b| a.display.cmp(&b.display));
}

pub(super) fn name_constants(model: &mut Model) {
    let names = unique_names(model.constants.len(), |constant_idx, detail| {
        let constant = &model.constants[constant_idx];
        match (&constant.path, constant.impl_idx) {
            (None, Some(impl_idx)) => member_name(model, impl_idx, &constant.name, detail),
            (Some(path), _) => path.join("::"),
            (None, None) => constant.name.clone(),
        }
    });
    for (constant, display) in model.constants.iter_mut().zip(names) {
        constant.display = display;
    }
    model.constants.sort_by(|a, b| a.display.cmp(&b.display));
}

/// How much a name tells; more where less would be ambiguous.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Plain,
    TraitArgs,
    TypeArgs,
    /// Arguments with their paths; the trait itself still by its name.
    FullArgs,
    FullPaths,
}

/// Those names that clash are told with more and more detail; at last they are numbered.
fn unique_names(n_names: usize, name: impl Fn(usize, Detail) -> String) -> Vec<String> {
    let mut names: Vec<String> = (0..n_names).map(|idx| name(idx, Detail::Plain)).collect();
    for detail in [Detail::TraitArgs, Detail::TypeArgs, Detail::FullArgs, Detail::FullPaths] {
        for idx in clashing(&names) {
            names[idx] = name(idx, detail);
        }
    }
    let mut n_seen: BTreeMap<String, usize> = BTreeMap::new();
    for idx in clashing(&names) {
        let n = n_seen.entry(names[idx].clone()).or_insert(0);
        *n += 1;
        if *n > 1 {
            names[idx] += &format!("#{n}");
        }
    }
    names
}

fn clashing(names: &[String]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut repeated = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            repeated.insert(name);
        }
    }
    (0..names.len()).filter(|&idx| repeated.contains(&names[idx])).collect()
}

/// `slab::Slab::insert`, `<slab::Slab as From<u8>>::from`.
fn member_name(model: &Model, impl_idx: usize, name: &str, detail: Detail) -> String {
    let block = &model.impls[impl_idx];
    let printer = printer(model, detail);
    let owner = owner_name(model, &block.for_ty, detail);
    match &block.trait_ref {
        None => match block.for_ty {
            Ty::Path { .. } | Ty::Primitive(_) => format!("{owner}::{name}"),
            _ => format!("<{owner}>::{name}"),
        },
        Some(trait_ref) => {
            let mut trait_name = match detail {
                Detail::FullPaths => printer.item(trait_ref.item),
                _ => model.item(trait_ref.item).name.clone(),
            };
            if detail >= Detail::TraitArgs {
                trait_name += &printer.args(&trait_ref.args);
            }
            format!("<{owner} as {trait_name}>::{name}")
        }
    }
}

/// The type of an impl: local types with their path, without arguments unless those are asked for.
fn owner_name(model: &Model, ty: &Ty, detail: Detail) -> String {
    let printer = printer(model, detail);
    match ty {
        Ty::Path { item, args } => {
            let name = if model.item(*item).is_local { local_name(model, *item) } else { printer.item(*item) };
            // What tells two foreign types apart is mostly their arguments: `Vec<u8>`.
            if detail < Detail::TypeArgs && model.item(*item).is_local { name } else { name + &printer.args(args) }
        }
        Ty::Ref { mutable, ty, .. } => {
            let mutable = if *mutable { "mut " } else { "" };
            format!("&{mutable}{}", owner_name(model, ty, detail))
        }
        _ => printer.ty(ty),
    }
}

fn local_name(model: &Model, id: ItemId) -> String {
    let item = model.item(id);
    item.path.as_ref().unwrap_or(&item.definition).join("::")
}

fn printer(model: &Model, detail: Detail) -> Printer<'_> {
    Printer { model, has_lifetimes: false, names: if detail < Detail::FullArgs { Names::Last } else { Names::Full } }
}
