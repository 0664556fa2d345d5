//! Concrete types for type parameters, chosen from their bounds.

use provoke_model::{Bound, GenericArg, GenericParamKind, Generics, TraitRef, Ty, WherePredicate};

use crate::abilities::{Answer, equality, implements_std};
use crate::catalog::{Catalog, primitive, static_bytes, static_str, type_args};
use crate::subst::{Choice, is_concrete, unify};

/// How many different choices a set of parameters gets.
const MAX_CHOICES: usize = 3;
/// How deep implementors may nest (`Wrapper<Wrapper<Leaf>>`).
const MAX_DEPTH: u32 = 2;

/// Why no choice was possible, in a user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoChoice(pub String);

/// All choices to try for the parameters of `scopes` that `given` leaves open, best first.
///
/// The scopes (an impl's generics, then the function's own) are taken together, since bounds may tie them.
pub fn choices(catalog: &mut Catalog, scopes: &[&Generics], given: &Choice) -> Result<Vec<Choice>, NoChoice> {
    let mut found: Vec<Choice> = Vec::new();
    for profile in 0..MAX_CHOICES {
        let mut choice = given.clone();
        for generics in scopes {
            for name in in_order(generics) {
                choose_one(catalog, scopes, generics, &name, profile, &mut choice, 0)?;
            }
        }
        if !found.contains(&choice) {
            found.push(choice);
        }
    }
    Ok(found)
}

/// Parameters that others' bounds mention come first (`T` before `I: IntoIterator<Item = T>`).
fn in_order(generics: &Generics) -> Vec<String> {
    let names: Vec<&String> = generics.params.iter().map(|p| &p.name).collect();
    let mut rest: Vec<&String> = names.clone();
    let mut ordered = Vec::new();
    while !rest.is_empty() {
        let next = rest
            .iter()
            .position(|name| {
                let bounds = bounds_of(&[generics], &Ty::Param((*name).clone()));
                !rest.iter().any(|other| other != name && bounds.iter().any(|b| bound_mentions(b, other)))
            })
            .unwrap_or(0);
        ordered.push(rest.remove(next).clone());
    }
    ordered
}

fn bound_mentions(bound: &Bound, param: &str) -> bool {
    match bound {
        Bound::Trait { trait_ref, .. } => trait_ref.args.iter().any(|arg| match arg {
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => crate::subst::mentions(ty, param),
            GenericArg::Const(text) => text == param,
            GenericArg::Lifetime(_) => false,
        }),
        Bound::Lifetime(_) | Bound::Use => false,
    }
}

/// Every bound that the scopes put on a type, inline or in `where` clauses.
pub fn bounds_of(scopes: &[&Generics], ty: &Ty) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for generics in scopes {
        for param in &generics.params {
            if let (GenericParamKind::Type { bounds: inline, .. }, Ty::Param(name)) = (&param.kind, ty)
                && *name == param.name
            {
                bounds.extend(inline.iter().cloned());
            }
        }
        for predicate in &generics.predicates {
            if let WherePredicate::Type { ty: bounded, bounds: more } = predicate
                && bounded == ty
            {
                bounds.extend(more.iter().cloned());
            }
        }
    }
    bounds
}

/// Bounds on `<param as _>::assoc`, whichever way the trait is written.
fn bounds_on_projection(scopes: &[&Generics], param: &str, assoc: &str) -> Vec<Bound> {
    let mut bounds = Vec::new();
    for generics in scopes {
        for predicate in &generics.predicates {
            if let WherePredicate::Type { ty: Ty::Projection { self_ty, name, .. }, bounds: more } = predicate
                && **self_ty == Ty::Param(param.to_string())
                && name == assoc
            {
                bounds.extend(more.iter().cloned());
            }
        }
    }
    bounds
}

fn choose_one(
    catalog: &mut Catalog,
    scopes: &[&Generics],
    generics: &Generics,
    name: &str,
    profile: usize,
    choice: &mut Choice,
    depth: u32,
) -> Result<(), NoChoice> {
    let Some(param) = generics.params.iter().find(|p| p.name == name) else {
        return Ok(());
    };
    match &param.kind {
        GenericParamKind::Lifetime { .. } => Ok(()),
        GenericParamKind::Const { ty, .. } => {
            if !choice.consts.contains_key(name) {
                let sample = match ty {
                    Ty::Primitive(p) if p == "bool" => ["true", "false", "true"][profile],
                    Ty::Primitive(p) if p == "char" => "'a'",
                    _ => ["4", "8", "2"][profile],
                };
                choice.consts.insert(name.to_string(), sample.to_string());
            }
            Ok(())
        }
        GenericParamKind::Type { default, .. } => {
            if choice.types.contains_key(name) || choice.left_open.contains(name) {
                return Ok(());
            }
            // A defaulted parameter is left out where the type is written.
            if default.is_some() {
                return Ok(());
            }
            let bounds = choice.apply_bounds(&bounds_of(scopes, &Ty::Param(name.to_string())));
            let item_bounds = choice.apply_bounds(&bounds_on_projection(scopes, name, "Item"));
            let candidates = candidates(catalog, &bounds, &item_bounds, depth);
            let Some(last) = candidates.len().checked_sub(1) else {
                return Err(NoChoice(no_candidate_reason(catalog, name, &bounds)));
            };
            choice.types.insert(name.to_string(), candidates[profile.min(last)].clone());
            Ok(())
        }
    }
}

fn no_candidate_reason(catalog: &Catalog, name: &str, bounds: &[Bound]) -> String {
    for bound in bounds {
        let Bound::Trait { trait_ref, .. } = bound else {
            continue;
        };
        let item = catalog.model.item(trait_ref.item);
        match catalog.std_name(trait_ref.item) {
            Some("Fn" | "FnMut" | "FnOnce") => {
                return "takes a closure, which Provoke does not make yet".to_string();
            }
            Some(_) => {}
            None => {
                return format!("needs a type that implements `{}`, and nothing known does", item.name);
            }
        }
    }
    format!("no known type meets all bounds of `{name}`")
}

/// Candidate types for one parameter, best first.
pub fn candidates(catalog: &mut Catalog, bounds: &[Bound], item_bounds: &[Bound], depth: u32) -> Vec<Ty> {
    let mut list: Option<Vec<Ty>> = None;
    for bound in bounds {
        let Bound::Trait { trait_ref, maybe: false, .. } = bound else {
            continue;
        };
        if let Some(narrow) = narrowing(catalog, trait_ref, item_bounds, depth) {
            list = Some(match list {
                None => narrow,
                // Two narrowing bounds: keep what both allow, or else trust the first.
                Some(old) => {
                    let both: Vec<Ty> = old.iter().filter(|ty| narrow.contains(ty)).cloned().collect();
                    if both.is_empty() { old } else { both }
                }
            });
        }
    }
    let list = list.unwrap_or_else(|| base_types(catalog));
    list.into_iter().filter(|ty| is_plausible(catalog, ty, bounds)).collect()
}

/// No bound is known to fail.
fn is_plausible(catalog: &Catalog, ty: &Ty, bounds: &[Bound]) -> bool {
    bounds.iter().all(|bound| match bound {
        Bound::Trait { trait_ref, maybe: false, .. } => match catalog.std_name(trait_ref.item) {
            Some(name) => implements_std(catalog, ty, name) != Answer::No,
            None => true,
        },
        _ => true,
    })
}

/// What an unconstrained parameter gets: a small integer, something that owns memory, then more unusual ones.
fn base_types(catalog: &mut Catalog) -> Vec<Ty> {
    let string = catalog.string();
    vec![
        primitive("i32"),
        string,
        primitive("u8"),
        primitive("usize"),
        primitive("u64"),
        primitive("f64"),
        primitive("char"),
        primitive("bool"),
    ]
}

/// The types that a bound singles out; `None` where it only filters.
fn narrowing(catalog: &mut Catalog, trait_ref: &TraitRef, item_bounds: &[Bound], depth: u32) -> Option<Vec<Ty>> {
    let first_arg = type_args(&trait_ref.args).next().cloned();
    let Some(name) = catalog.std_name(trait_ref.item).map(str::to_string) else {
        return foreign_or_local(catalog, trait_ref, depth);
    };
    let string = catalog.string();
    Some(match name.as_str() {
        "AsRef" | "Borrow" => match first_arg? {
            Ty::Primitive(p) if p == "str" => vec![static_str(), string],
            Ty::Slice(element) => {
                let vec = catalog.vec((*element).clone());
                if *element == primitive("u8") { vec![static_bytes(), vec, string] } else { vec![vec] }
            }
            other if catalog.is_std(&other, "Path") || catalog.is_std(&other, "OsStr") => {
                vec![static_str(), string]
            }
            other => vec![other],
        },
        "AsMut" | "BorrowMut" => match first_arg? {
            Ty::Slice(element) => vec![catalog.vec((*element).clone())],
            Ty::Primitive(p) if p == "str" => vec![string],
            other => vec![other],
        },
        "Into" | "TryInto" => into_sources(catalog, &first_arg?),
        "From" | "TryFrom" => match first_arg? {
            Ty::Primitive(p) if p.starts_with(['u', 'i']) => {
                vec![Ty::Primitive(p), primitive("i64"), primitive("u64"), primitive("i128")]
            }
            Ty::Ref { ty, .. } if *ty == primitive("str") => vec![string],
            other => vec![other],
        },
        "IntoIterator" => {
            item_types(catalog, trait_ref, item_bounds, depth).into_iter().map(|item| catalog.vec(item)).collect()
        }
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator" => {
            item_types(catalog, trait_ref, item_bounds, depth)
                .into_iter()
                .map(|item| catalog.vec_into_iter(item))
                .collect()
        }
        "FromIterator" | "Extend" => vec![catalog.vec(first_arg?)],
        "Read" | "BufRead" => {
            let bytes = catalog.vec(primitive("u8"));
            vec![static_bytes(), catalog.cursor(bytes)]
        }
        "Seek" => {
            let bytes = catalog.vec(primitive("u8"));
            vec![catalog.cursor(bytes)]
        }
        "Write" => {
            let is_fmt = catalog.model.item(trait_ref.item).definition.iter().any(|s| s == "fmt");
            if is_fmt { vec![string] } else { vec![catalog.vec(primitive("u8"))] }
        }
        "RangeBounds" => {
            let index = first_arg?;
            vec![catalog.range(index.clone()), catalog.range_full(), catalog.range_inclusive(index)]
        }
        "SliceIndex" => vec![primitive("usize"), catalog.range(primitive("usize"))],
        "Hasher" => vec![catalog.default_hasher()],
        "BuildHasher" => vec![catalog.random_state()],
        "Error" => vec![catalog.fmt_error()],
        "Fn" | "FnMut" | "FnOnce" | "Future" | "Allocator" | "Pattern" => vec![],
        _ => return None,
    })
}

/// `Into<X>`: what has an obvious way into X, X itself last.
fn into_sources(catalog: &mut Catalog, target: &Ty) -> Vec<Ty> {
    let string = catalog.string();
    let mut sources = Vec::new();
    if *target == string || catalog.is_std(target, "Cow") {
        sources.extend([static_str(), string]);
    } else if let Ty::Path { item, args } = target
        && catalog.std_name(*item) == Some("Option")
    {
        sources.extend(type_args(args).cloned());
    } else if let Ty::Path { item, args } = target
        && catalog.std_name(*item) == Some("Vec")
        && type_args(args).next() == Some(&primitive("u8"))
    {
        sources.extend([static_str(), string, static_bytes()]);
    }
    for candidate in &catalog.model.impls {
        let Some(trait_ref) = &candidate.trait_ref else {
            continue;
        };
        if catalog.std_name(trait_ref.item) == Some("From")
            && same_item(&candidate.for_ty, target)
            && let Some(source) = type_args(&trait_ref.args).next()
            && is_concrete(source)
            && sources.len() < 3
        {
            sources.push(source.clone());
        }
    }
    if is_concrete(target) && !sources.contains(target) {
        sources.push(target.clone());
    }
    sources
}

/// The same type up to its arguments.
fn same_item(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Path { item: a, .. }, Ty::Path { item: b, .. }) => a == b,
        _ => a == b,
    }
}

/// Item types for an iterator parameter: as the bound says, or chosen from the bounds on the item.
fn item_types(catalog: &mut Catalog, trait_ref: &TraitRef, item_bounds: &[Bound], depth: u32) -> Vec<Ty> {
    match equality(&trait_ref.args, "Item") {
        Some(item) if is_concrete(item) => vec![item.clone()],
        // `Item = &'a T` over borrowed data needs slots that borrow; `Item = impl Trait` is chosen by its bounds.
        Some(Ty::ImplTrait(bounds)) => candidates(catalog, &bounds.clone(), &[], depth + 1),
        Some(_) => vec![],
        None => candidates(catalog, item_bounds, &[], depth + 1),
    }
}

/// A trait of the target: its implementors. A trait of a dependency: std's usual types are worth a try.
fn foreign_or_local(catalog: &mut Catalog, trait_ref: &TraitRef, depth: u32) -> Option<Vec<Ty>> {
    catalog.model.item(trait_ref.item).local_index?;
    Some(implementors(catalog, trait_ref, depth))
}

/// Concrete types that implement a trait according to the impls of the model.
pub fn implementors(catalog: &mut Catalog, trait_ref: &TraitRef, depth: u32) -> Vec<Ty> {
    if depth > MAX_DEPTH {
        return Vec::new();
    }
    let key = (trait_ref.clone(), depth);
    if let Some(known) = catalog.implementors.get(&key) {
        return known.clone();
    }
    // While it is being worked out, the trait has no implementors: `impl<G: Graph> Graph for Reversed<G>` must end.
    catalog.implementors.insert(key.clone(), Vec::new());
    let mut found = Vec::new();
    for impl_idx in 0..catalog.model.impls.len() {
        let candidate = catalog.model.impls[impl_idx].clone();
        let Some(implemented) = &candidate.trait_ref else {
            continue;
        };
        if implemented.item != trait_ref.item || candidate.is_negative {
            continue;
        }
        let mut choice = Choice::default();
        let fits = type_args(&implemented.args)
            .zip(type_args(&trait_ref.args))
            .all(|(pattern, wanted)| !is_concrete(wanted) || unify(pattern, wanted, &mut choice));
        if !fits {
            continue;
        }
        let scopes = [&candidate.generics];
        for profile in 0..2 {
            let mut choice = choice.clone();
            let is_chosen = in_order(&candidate.generics).iter().all(|name| {
                choose_one(catalog, &scopes, &candidate.generics, name, profile, &mut choice, depth + 1).is_ok()
            });
            let ty = choice.apply(&candidate.for_ty);
            if is_chosen && is_concrete(&ty) && !found.contains(&ty) {
                found.push(ty);
            }
        }
    }
    // Arrays of a plain size first: `[T; 4]` rather than whatever size an impl list starts with.
    found.sort_by_key(|ty| match ty {
        Ty::Array(_, len) => len.parse::<u64>().map_or(1, |n| if (2..=8).contains(&n) { 0 } else { 2 }),
        Ty::Ref { .. } => 2,
        _ => 0,
    });
    found.truncate(6);
    catalog.implementors.insert(key, found.clone());
    found
}
