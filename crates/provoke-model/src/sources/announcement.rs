//! Where documentation speaks of a function: at the function itself, its impl, its type, its trait and its modules.

use crate::api::ty::{GenericArg, Ty};
use crate::api::{Function, FunctionHome, ItemId, Model, ModuleDef};
use crate::sources::docs::{
    announces_panic, announces_panics_of_members, announces_range_panic, announces_zero_panic, obliges,
};

/// The docs of a function, of its type and of its trait, or of a module around it, announce that it may panic.
pub fn documents_panics(model: &Model, function: &Function) -> bool {
    docs_about(model, function).into_iter().any(announces_panic)
        || function.signature.params.iter().any(|(name, _)| obliges(&function.docs.text, name))
        || modules_around(model, function).any(|module| announces_panics_of_members(&module.docs.text))
}

/// All panics that the docs announce are about where a range begins and ends.
pub fn documents_range_panics(model: &Model, function: &Function) -> bool {
    documents_only(model, function, announces_range_panic)
}

/// All panics that the docs announce are about a parameter, which is a plain number, being zero.
pub fn documents_zero_panics(model: &Model, function: &Function) -> bool {
    let params = &function.signature.params;
    let is_number = |word: &str| params.iter().any(|(name, ty)| name == word && is_plain_integer(ty));
    documents_only(model, function, |docs| announces_zero_panic(docs, is_number))
        && !params.iter().any(|(name, _)| obliges(&function.docs.text, name))
}

fn is_plain_integer(ty: &Ty) -> bool {
    let Ty::Primitive(name) = ty else { return false };
    name.strip_prefix(['u', 'i']).is_some_and(|width| width == "size" || width.parse::<u32>().is_ok())
}

fn documents_only(model: &Model, function: &Function, is_meant: impl Fn(&str) -> bool) -> bool {
    docs_about(model, function).into_iter().filter(|docs| announces_panic(docs)).all(is_meant)
        && !modules_around(model, function).any(|module| announces_panics_of_members(&module.docs.text))
}

/// The docs of a function, of its impl, its type and its trait, of what the trait declares it as, and of the type's own method of
/// that name, which is what such an impl calls.
pub fn docs_about<'m>(model: &'m Model, function: &'m Function) -> Vec<&'m str> {
    let mut docs: Vec<&str> = vec![&function.docs.text];
    match function.home {
        FunctionHome::Free { .. } => {}
        FunctionHome::TraitDef { trait_idx, .. } => docs.push(&model.traits[trait_idx].docs.text),
        FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx } => {
            let home = &model.impls[impl_idx];
            docs.push(&home.docs.text);
            let self_type = item_of(&home.for_ty);
            docs.extend(model.types.iter().find(|def| Some(def.item) == self_type).map(|def| def.docs.text.as_str()));
            let trait_item = home.trait_ref.as_ref().map(|trait_ref| trait_ref.item);
            if let Some(index) = model.traits.iter().position(|def| Some(def.item) == trait_item) {
                docs.push(&model.traits[index].docs.text);
                let declared = model.functions.iter().find(|other| {
                    other.name == function.name
                        && matches!(other.home, FunctionHome::TraitDef { trait_idx, .. } if trait_idx == index)
                });
                docs.extend(declared.map(|other| other.docs.text.as_str()));
            }
            if trait_item.is_some() {
                let is_own = |other: &&Function| {
                    let of =
                        |impl_idx: usize| self_type.is_some() && item_of(&model.impls[impl_idx].for_ty) == self_type;
                    other.name == function.name
                        && matches!(other.home, FunctionHome::Inherent { impl_idx } if of(impl_idx))
                };
                docs.extend(model.functions.iter().filter(is_own).map(|other| other.docs.text.as_str()));
            }
        }
    }
    docs
}

/// The documented modules around where a function is defined and around where users import it from; for a method those of its
/// type and of its trait.
fn modules_around<'m>(model: &'m Model, function: &'m Function) -> impl Iterator<Item = &'m ModuleDef> {
    let mut places: Vec<&[String]> = Vec::new();
    let mut items: Vec<ItemId> = Vec::new();
    match &function.home {
        FunctionHome::Free { path } => places.push(path),
        FunctionHome::TraitDef { trait_idx, .. } => items.push(model.traits[*trait_idx].item),
        FunctionHome::Inherent { impl_idx } | FunctionHome::TraitImpl { impl_idx } => {
            let home = &model.impls[*impl_idx];
            items.extend(item_of(&home.for_ty));
            items.extend(home.trait_ref.as_ref().map(|trait_ref| trait_ref.item));
            // `impl From<Number> for u8` stands where `Number` does.
            if !items.iter().any(|item| model.item(*item).is_local) {
                let args = home.trait_ref.iter().flat_map(|trait_ref| &trait_ref.args);
                items.extend(args.filter_map(|arg| match arg {
                    GenericArg::Type(ty) => item_of(ty),
                    _ => None,
                }));
            }
        }
    }
    places.extend(function.defined_in.as_deref());
    for item in items {
        let item = model.item(item);
        places.push(&item.definition);
        places.extend(item.path.as_deref());
    }
    model.modules.iter().filter(move |module| places.iter().any(|place| place.starts_with(&module.path)))
}

fn item_of(ty: &Ty) -> Option<ItemId> {
    match ty {
        Ty::Path { item, .. } => Some(*item),
        Ty::Ref { ty, .. } => item_of(ty),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_integers_are_told_from_other_numbers() {
        let is_integer = |name: &str| is_plain_integer(&Ty::Primitive(name.into()));
        assert!(["u8", "i128", "usize", "isize"].into_iter().all(is_integer));
        assert!(!["f64", "bool", "str", "unit", "!", ""].into_iter().any(is_integer));
        assert!(!is_plain_integer(&Ty::Param("u8".into())));
    }
}
