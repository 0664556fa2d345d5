//! Which std traits a concrete type implements, as far as that is known without asking rustc.
//!
//! Only used to prefer better candidates: rustc has the last word on every operation.

use provoke_model::{GenericArg, Ty};

use crate::types::catalog::{Catalog, type_args};
use crate::types::subst::{Choice, unify};
use crate::types::tracked::has_trait;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbilityAnswer {
    Yes,
    No,
    Unknown,
}

impl AbilityAnswer {
    fn from_bool(yes: bool) -> AbilityAnswer {
        if yes { AbilityAnswer::Yes } else { AbilityAnswer::No }
    }

    fn and(self, other: AbilityAnswer) -> AbilityAnswer {
        match (self, other) {
            (AbilityAnswer::No, _) | (_, AbilityAnswer::No) => AbilityAnswer::No,
            (AbilityAnswer::Yes, AbilityAnswer::Yes) => AbilityAnswer::Yes,
            _ => AbilityAnswer::Unknown,
        }
    }
}

/// Whether `ty` implements the std trait called `name`.
pub fn implements_std(catalog: &Catalog, ty: &Ty, name: &str) -> AbilityAnswer {
    if matches!(name, "Sized") {
        return AbilityAnswer::from_bool(
            !matches!(ty, Ty::Slice(_) | Ty::Dyn { .. }) && *ty != Ty::Primitive("str".into()),
        );
    }
    let is_model_type =
        matches!(ty, Ty::Path { item, .. } if catalog.std_name(*item).is_none()) || matches!(ty, Ty::Primitive(_));
    if !is_model_type && !is_everyday(name) {
        return AbilityAnswer::Unknown;
    }
    match ty {
        Ty::Primitive(primitive) => primitive_implements(primitive, name),
        Ty::Ref { mutable, ty: inner, .. } => match name {
            "Copy" | "Clone" => AbilityAnswer::from_bool(!mutable),
            "Default" => {
                AbilityAnswer::from_bool(matches!(&**inner, Ty::Slice(_)) || **inner == Ty::Primitive("str".into()))
            }
            "Debug" | "Display" | "Hash" | "Eq" | "PartialEq" | "Ord" | "PartialOrd" => match &**inner {
                Ty::Slice(element) if name != "Display" => implements_std(catalog, element, name),
                Ty::Primitive(p) if p == "str" => AbilityAnswer::Yes,
                other => implements_std(catalog, other, name),
            },
            _ => AbilityAnswer::Unknown,
        },
        Ty::Tuple(parts) => {
            parts.iter().map(|t| implements_std(catalog, t, name)).fold(AbilityAnswer::Yes, AbilityAnswer::and)
        }
        Ty::Array(element, _) => match name {
            "Display" => AbilityAnswer::No,
            _ => implements_std(catalog, element, name),
        },
        Ty::Path { item, args } => match catalog.std_name(*item) {
            Some("String") => AbilityAnswer::from_bool(matches!(
                name,
                "Clone"
                    | "Default"
                    | "Debug"
                    | "Display"
                    | "Hash"
                    | "Eq"
                    | "PartialEq"
                    | "Ord"
                    | "PartialOrd"
                    | "FromStr"
                    | "Send"
                    | "Sync"
                    | "Unpin"
                    | "ToString"
            )),
            Some("Vec" | "Option" | "VecDeque" | "Box") => match name {
                "Copy" if !catalog.is_std(ty, "Option") => AbilityAnswer::No,
                "Default" if !catalog.is_std(ty, "Box") => AbilityAnswer::Yes,
                "Display" if !catalog.is_std(ty, "Box") => AbilityAnswer::No,
                _ => type_args(args)
                    .map(|t| implements_std(catalog, t, name))
                    .fold(AbilityAnswer::Yes, AbilityAnswer::and),
            },
            Some(_) => AbilityAnswer::Unknown,
            None if catalog.is_tracked(ty) => match has_trait(name) {
                // It may have it as every type has: `Borrow`, `Into`.
                false if !is_everyday(name) => AbilityAnswer::Unknown,
                has_it => AbilityAnswer::from_bool(has_it),
            },
            None => implemented_in_model(catalog, ty, name),
        },
        _ => AbilityAnswer::Unknown,
    }
}

/// Traits of which it is known how tuples, references, containers and the like come by them.
pub fn is_everyday(name: &str) -> bool {
    matches!(
        name,
        "Clone"
            | "Copy"
            | "Debug"
            | "Display"
            | "Default"
            | "Hash"
            | "Eq"
            | "PartialEq"
            | "Ord"
            | "PartialOrd"
            | "Send"
            | "Sync"
            | "Unpin"
            | "ToString"
    )
}

fn primitive_implements(primitive: &str, name: &str) -> AbilityAnswer {
    let is_float = primitive.starts_with('f') && primitive != "fn";
    let is_number = is_float || (primitive.starts_with(['u', 'i']) && primitive.len() > 1);
    AbilityAnswer::from_bool(match name {
        "Copy" | "Clone" | "Debug" | "PartialEq" | "PartialOrd" | "Default" | "Send" | "Sync" | "Unpin" => {
            primitive != "str" && primitive != "!"
        }
        "Display" | "ToString" | "FromStr" => primitive != "str" || name != "FromStr",
        "Eq" | "Ord" | "Hash" => !is_float,
        "Add" | "Sub" | "Mul" | "Div" | "Rem" | "AddAssign" | "SubAssign" | "MulAssign" | "DivAssign" | "RemAssign"
        | "Sum" | "Product" => is_number,
        "Neg" => is_float || primitive.starts_with('i'),
        "BitAnd" | "BitOr" | "BitXor" | "Not" => (is_number && !is_float) || primitive == "bool",
        "Shl" | "Shr" | "LowerHex" | "UpperHex" | "Binary" | "Octal" => is_number && !is_float,
        "LowerExp" | "UpperExp" => is_number,
        _ => return AbilityAnswer::Unknown,
    })
}

/// Derived and written impls of the target for one of its own types.
fn implemented_in_model(catalog: &Catalog, ty: &Ty, name: &str) -> AbilityAnswer {
    let mut answer = AbilityAnswer::No;
    for candidate in &catalog.model.impls {
        let Some(trait_ref) = &candidate.trait_ref else {
            continue;
        };
        if candidate.is_negative || catalog.std_name(trait_ref.item) != Some(name) {
            continue;
        }
        let mut choice = Choice::default();
        if unify(&candidate.for_ty, ty, &mut choice) {
            let has_bounds = !candidate.generics.predicates.is_empty()
                || candidate.generics.params.iter().any(|p| !p.name.starts_with('\''));
            if !has_bounds {
                return AbilityAnswer::Yes;
            }
            answer = AbilityAnswer::Unknown;
        }
    }
    // Of a type that nobody can name, not every impl is known.
    if answer == AbilityAnswer::No && matches!(ty, Ty::Path { item, .. } if catalog.model.item(*item).path.is_none()) {
        return AbilityAnswer::Unknown;
    }
    if answer == AbilityAnswer::No && matches!(name, "Send" | "Sync" | "Unpin" | "UnwindSafe" | "RefUnwindSafe") {
        return AbilityAnswer::Unknown;
    }
    answer
}

/// The type that `name = T` gives in a bound's arguments.
pub fn equality<'a>(args: &'a [GenericArg], name: &str) -> Option<&'a Ty> {
    args.iter().find_map(|arg| match arg {
        GenericArg::Equality { name: found, ty } if found == name => Some(ty),
        _ => None,
    })
}
