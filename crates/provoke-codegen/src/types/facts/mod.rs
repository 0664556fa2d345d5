//! What implements what: the impls of the model and of std in one list, as the solver reads them.

mod std_types;

use std::collections::BTreeMap;

use provoke_model::{
    Bound, GenericArg, GenericParam, GenericParamKind, Generics, Item, ItemId, ItemKind, Model, TraitRef, Ty,
};

use crate::types::catalog::Catalog;
use std_types::STD_TYPES;

/// One impl.
#[derive(Clone, Debug)]
pub struct Fact {
    pub generics: Generics,
    /// Arguments of the trait, without equalities.
    pub trait_args: Vec<GenericArg>,
    pub for_ty: Ty,
    pub assoc_types: Vec<(String, Ty)>,
}

/// All impls by trait, each list in the order in which its types are to be tried.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    lists: Vec<Vec<Fact>>,
    /// By item: the list of the trait. Items of one name in std share theirs.
    list_of: Vec<Option<u32>>,
}

/// A trait as the solver sees it.
#[derive(Clone, Copy)]
pub struct TraitFacts<'a> {
    /// For a trait of std.
    pub std_name: Option<&'a str>,
    pub is_local: bool,
    pub impls: &'a [Fact],
}

impl Facts {
    pub fn of<'a>(&'a self, model: &'a Model, item: ItemId) -> TraitFacts<'a> {
        let list = self.list_of.get(item.0 as usize).copied().flatten();
        let found = model.item(item);
        TraitFacts {
            std_name: std_name(found),
            is_local: found.local_index.is_some(),
            impls: list.map_or(&[], |list| &self.lists[list as usize]),
        }
    }

    /// Every impl of any trait that has an associated type of this name.
    pub fn with_assoc<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Fact> {
        self.lists.iter().flatten().filter(move |fact| fact.assoc_types.iter().any(|(assoc, _)| assoc == name))
    }

    pub fn collect(catalog: &mut Catalog) -> Facts {
        let mut by_item: BTreeMap<ItemId, Vec<Fact>> = BTreeMap::new();
        let mut by_name: BTreeMap<String, Vec<Fact>> = BTreeMap::new();
        let mut std_impls: BTreeMap<String, Vec<Fact>> = BTreeMap::new();
        for candidate in catalog.model.impls.clone() {
            let Some(trait_ref) = &candidate.trait_ref else { continue };
            if candidate.is_negative {
                continue;
            }
            let fact = Fact {
                generics: candidate.generics.clone(),
                trait_args: trait_ref.args.clone(),
                for_ty: candidate.for_ty.clone(),
                assoc_types: candidate.assoc_types.clone(),
            };
            match std_name(catalog.model.item(trait_ref.item)) {
                Some(name) => by_name.entry(name.to_string()).or_default().push(fact),
                None => by_item.entry(trait_ref.item).or_default().push(fact),
            }
        }
        for list in by_item.values_mut().chain(by_name.values_mut()) {
            list.sort_by_key(|fact| rank(&fact.for_ty));
        }
        // Std's types first where any would do: they are the easiest to make.
        for line in include_str!("std_impls.txt").lines() {
            if line.starts_with("impl") {
                let (name, fact) = Reader { catalog, params: Vec::new() }.fact(line);
                std_impls.entry(name).or_default().push(fact);
            }
        }
        for (name, mut list) in std_impls {
            // What holds for any type at all comes last.
            let blanket = list.iter().position(|fact| matches!(fact.for_ty, Ty::Param(_))).unwrap_or(list.len());
            let own = by_name.entry(name).or_default();
            let blanket = list.split_off(blanket);
            list.append(own);
            list.extend(blanket);
            *own = list;
        }
        let mut facts = Facts { lists: Vec::new(), list_of: vec![None; catalog.model.items.len()] };
        for (item, list) in by_item {
            facts.list_of[item.0 as usize] = Some(facts.lists.len() as u32);
            facts.lists.push(list);
        }
        for (name, list) in by_name {
            for (place, item) in catalog.model.items.iter().enumerate() {
                if std_name(item) == Some(&name) {
                    facts.list_of[place] = Some(facts.lists.len() as u32);
                }
            }
            facts.lists.push(list);
        }
        facts
    }
}

/// Where a type of std is defined and by which path it is imported, as the list of std's impls has it, from a path that leads
/// to it.
pub fn std_type(path: &[String]) -> Option<(&'static str, &'static str)> {
    let [krate, inner @ ..] = path else { return None };
    if !matches!(krate.as_str(), "core" | "alloc" | "std") {
        return None;
    }
    let asked = match inner.join("::").as_str() {
        // They moved, and can be had at the old place as well.
        "collections::hash_map::DefaultHasher" => "std::hash::DefaultHasher".to_string(),
        "collections::hash_map::RandomState" => "std::hash::RandomState".to_string(),
        inner => format!("std::{inner}"),
    };
    STD_TYPES.iter().find(|(_, _, public)| *public == asked).map(|(_, definition, public)| (*definition, *public))
}

/// The name of a trait of std. Two have the same one.
fn std_name(item: &Item) -> Option<&str> {
    if item.kind != ItemKind::Trait || !matches!(item.crate_name.as_str(), "core" | "alloc" | "std") {
        return None;
    }
    Some(match item.name.as_str() {
        "Write" if item.definition.iter().any(|segment| segment == "fmt") => "FmtWrite",
        "Write" => "IoWrite",
        name => name,
    })
}

/// Plain types first, references to them next, impls for whatever meets a bound last.
fn rank(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(_, len) => len.parse::<u64>().map_or(1, |n| if (2..=8).contains(&n) { 0 } else { 4 }),
        Ty::Ref { mutable: false, .. } => 2,
        Ty::Ref { .. } => 3,
        Ty::Param(_) => 5,
        _ => 0,
    }
}

/// Reads a line of the list of std's impls.
struct Reader<'a> {
    catalog: &'a mut Catalog,
    params: Vec<GenericParam>,
}

impl Reader<'_> {
    /// The name of the trait and the impl. The list is our own, so what is wrong in it is found by the test below.
    fn fact(mut self, line: &str) -> (String, Fact) {
        let parsed: syn::ItemImpl = syn::parse_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        for param in &parsed.generics.params {
            let param = self.param(param);
            self.params.push(param);
        }
        let bounds: Vec<(String, Vec<Bound>)> = parsed
            .generics
            .type_params()
            .map(|param| (param.ident.to_string(), param.bounds.iter().filter_map(|b| self.bound(b)).collect()))
            .collect();
        for (name, bounds) in bounds {
            if let Some(param) = self.params.iter_mut().find(|p| p.name == name) {
                param.kind = GenericParamKind::Type { bounds, default: None, is_synthetic: false };
            }
        }
        let Some((_, trait_path, _)) = &parsed.trait_ else { panic!("{line}: no trait") };
        let Some(last) = trait_path.segments.last() else { panic!("{line}: no trait") };
        let fact = Fact {
            trait_args: self.args(&last.arguments),
            for_ty: self.ty(&parsed.self_ty),
            assoc_types: parsed
                .items
                .iter()
                .filter_map(|item| match item {
                    syn::ImplItem::Type(assoc) => Some((assoc.ident.to_string(), self.ty(&assoc.ty))),
                    _ => None,
                })
                .collect(),
            generics: Generics { params: self.params.clone(), predicates: Vec::new() },
        };
        (last.ident.to_string(), fact)
    }

    fn param(&self, param: &syn::GenericParam) -> GenericParam {
        match param {
            syn::GenericParam::Lifetime(lifetime) => GenericParam {
                name: lifetime.lifetime.to_string(),
                kind: GenericParamKind::Lifetime { outlives: Vec::new() },
            },
            syn::GenericParam::Type(ty) => GenericParam {
                name: ty.ident.to_string(),
                kind: GenericParamKind::Type { bounds: Vec::new(), default: None, is_synthetic: false },
            },
            syn::GenericParam::Const(constant) => GenericParam {
                name: constant.ident.to_string(),
                kind: GenericParamKind::Const { ty: Ty::Primitive("usize".to_string()), default: None },
            },
        }
    }

    fn bound(&mut self, bound: &syn::TypeParamBound) -> Option<Bound> {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let item = self.catalog.std_trait(&last.ident.to_string());
        let args = self.args(&last.arguments);
        Some(Bound::Trait { trait_ref: TraitRef { item, args }, maybe: false, higher_ranked: Vec::new() })
    }

    fn args(&mut self, arguments: &syn::PathArguments) -> Vec<GenericArg> {
        let syn::PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
        arguments
            .args
            .iter()
            .map(|arg| match arg {
                syn::GenericArgument::Lifetime(lifetime) => GenericArg::Lifetime(lifetime.to_string()),
                syn::GenericArgument::Type(syn::Type::Path(path))
                    if path.path.get_ident().is_some_and(|name| self.is_const(&name.to_string())) =>
                {
                    GenericArg::Const(path.path.segments[0].ident.to_string())
                }
                syn::GenericArgument::Type(ty) => GenericArg::Type(self.ty(ty)),
                _ => GenericArg::Type(Ty::Other("unknown".to_string())),
            })
            .collect()
    }

    fn is_const(&self, name: &str) -> bool {
        self.params.iter().any(|p| p.name == name && matches!(p.kind, GenericParamKind::Const { .. }))
    }

    fn ty(&mut self, ty: &syn::Type) -> Ty {
        match ty {
            syn::Type::Reference(reference) => Ty::Ref {
                lifetime: reference.lifetime.as_ref().map(ToString::to_string),
                mutable: reference.mutability.is_some(),
                ty: Box::new(self.ty(&reference.elem)),
            },
            syn::Type::Slice(slice) => Ty::Slice(Box::new(self.ty(&slice.elem))),
            syn::Type::Array(array) => {
                let length = match &array.len {
                    syn::Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
                    _ => None,
                };
                Ty::Array(Box::new(self.ty(&array.elem)), length.unwrap_or_default())
            }
            syn::Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(|t| self.ty(t)).collect()),
            syn::Type::Path(path) => self.path(&path.path),
            _ => Ty::Other("unknown".to_string()),
        }
    }

    fn path(&mut self, path: &syn::Path) -> Ty {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match names.as_slice() {
            [name] if self.params.iter().any(|p| p.name == *name) => Ty::Param(name.clone()),
            [name] => match STD_TYPES.iter().find(|(known, ..)| known == name) {
                Some((_, definition, public)) => {
                    let args = self.args(&path.segments[0].arguments);
                    Ty::Path { item: self.catalog.std_item(definition, public), args }
                }
                None => Ty::Primitive(name.clone()),
            },
            [owner, assoc] => Ty::Projection {
                self_ty: Box::new(Ty::Param(owner.clone())),
                trait_ref: None,
                name: assoc.clone(),
                args: Vec::new(),
            },
            _ => Ty::Other("unknown".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_model::Model;

    #[test]
    fn the_list_of_std_impls_is_readable_and_names_only_known_types() {
        const PRIMITIVES: &[&str] =
            &["i32", "i64", "u8", "u16", "u32", "u64", "usize", "f32", "f64", "bool", "char", "str"];
        let mut catalog = Catalog::new(&Model::default());
        let facts = Facts::collect(&mut catalog);
        fn check(ty: &Ty) {
            match ty {
                Ty::Primitive(name) => assert!(PRIMITIVES.contains(&name.as_str()), "{name}"),
                Ty::Other(text) => panic!("{text}"),
                Ty::Path { args, .. } => crate::types::catalog::type_args(args).for_each(check),
                Ty::Tuple(parts) => parts.iter().for_each(check),
                Ty::Slice(ty) | Ty::Array(ty, _) | Ty::Ref { ty, .. } => check(ty),
                _ => {}
            }
        }
        let mut n_facts = 0;
        for fact in facts.lists.iter().flatten() {
            check(&fact.for_ty);
            fact.assoc_types.iter().for_each(|(_, ty)| check(ty));
            n_facts += 1;
        }
        assert!(n_facts > 200, "{n_facts}");
    }
}
