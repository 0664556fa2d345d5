//! The tracked element in the plan: an element of the runtime that counts its own births, drops and uses, for parameters that
//! take anything a container would.
//!
//! Decision: `docs/decisions/012-the-last-instance-holds-tracked-elements.md`

use provoke_model::{Bound, GenericParam, GenericParamKind, Generics, Ty};

use crate::types::catalog::Catalog;
use crate::types::choose::{bounds_of, is_by_hand};
use crate::types::solve::{Trust, solve_trusting};
use crate::types::subst::Choice;

/// As the worker prints it.
pub const DEFINITION: &str = "provoke_exec::look::tracked::Tracked";
/// As the harness names it. Tests have a struct of this name instead.
pub const PATH: &str = "provoke_exec::Tracked";
pub const NAME: &str = "Tracked";

/// Whether the element has a trait of std.
pub fn has_trait(name: &str) -> bool {
    let is_plain = matches!(name, "Clone" | "Debug" | "Default" | "Hash" | "Eq" | "PartialEq" | "Ord" | "PartialOrd");
    is_plain || matches!(name, "Send" | "Sync" | "Unpin" | "Sized" | "Any" | "UnwindSafe" | "RefUnwindSafe")
}

/// A choice in which all parameters that can be are tracked elements. `None` if none can.
pub fn tracked_choice(catalog: &Catalog, scopes: &[&Generics], given: &Choice) -> Option<Choice> {
    let element = catalog.tracked()?;
    let all = scopes.iter().flat_map(|generics| &generics.params);
    let fitting: Vec<&str> = all
        .filter(|param| !given.types.contains_key(&param.name) && takes_anything(catalog, scopes, param))
        .map(|param| param.name.as_str())
        .collect();
    let solved = |names: &[&str]| {
        let mut given = given.clone();
        given.types.extend(names.iter().map(|name| (name.to_string(), element.clone())));
        if names.is_empty() { None } else { solve_trusting(catalog, scopes, &given, 0, Trust::Facts) }
    };
    // Where bounds tie two parameters to each other, one of them may do.
    solved(&fitting).or_else(|| fitting.iter().find_map(|name| solved(&[name])))
}

/// The parameter asks for nothing but traits that every second type has.
fn takes_anything(catalog: &Catalog, scopes: &[&Generics], param: &GenericParam) -> bool {
    let GenericParamKind::Type { default: None, is_synthetic: false, .. } = param.kind else { return false };
    bounds_of(scopes, &Ty::Param(param.name.clone())).iter().all(|bound| match bound {
        bound if is_by_hand(catalog, bound) => false,
        Bound::Trait { maybe: true, .. } | Bound::Lifetime(_) | Bound::Use => true,
        Bound::Trait { trait_ref, .. } => catalog.std_name(trait_ref.item).is_some_and(has_trait),
    })
}

/// Which traits an operation asks of the elements that are tracked: what the struct in a test has to have.
pub fn asked_traits(catalog: &Catalog, scopes: &[&Generics], choice: &Choice) -> Vec<String> {
    let mut names = Vec::new();
    for (param, _) in choice.types.iter().filter(|(_, ty)| catalog.is_tracked(ty)) {
        for bound in bounds_of(scopes, &Ty::Param(param.clone())) {
            let Bound::Trait { trait_ref, maybe: false, .. } = bound else { continue };
            let name = catalog.std_name(trait_ref.item).map(str::to_string);
            names.extend(name.filter(|name| !names.contains(name)));
        }
    }
    names
}
