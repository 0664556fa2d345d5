//! Which types may hold a loan that nothing in a signature shows.

use provoke_model::{GenericArg, GenericParamKind, Item, ItemId, ItemKind, Model, Ty, TypeDef};

/// Whether an opaque type is in a result.
pub(super) fn captures(ty: &Ty) -> bool {
    match ty {
        Ty::ImplTrait(_) => true,
        Ty::Path { args, .. } => args.iter().any(|arg| match arg {
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => captures(ty),
            GenericArg::Lifetime(_) | GenericArg::Const(_) => false,
        }),
        Ty::Tuple(parts) => parts.iter().any(captures),
        Ty::Slice(ty) | Ty::Array(ty, _) | Ty::Ref { ty, .. } | Ty::RawPointer { ty, .. } => captures(ty),
        _ => false,
    }
}

/// A type that is declared with a lifetime.
pub(super) fn is_known_to_hide_lifetime(model: &Model, item: ItemId) -> bool {
    const OF_STD: &[&str] =
        &["Iter", "IterMut", "Drain", "Chars", "CharIndices", "Bytes", "Lines", "Split", "Ref", "RefMut"];
    let item = model.item(item);
    match item.local_index {
        Some(index) if item.kind != ItemKind::Trait => model.types.get(index).is_some_and(has_lifetime),
        _ => is_of_std(item) && OF_STD.contains(&item.name.as_str()),
    }
}

fn has_lifetime(def: &TypeDef) -> bool {
    def.generics.params.iter().any(|p| matches!(p.kind, GenericParamKind::Lifetime { .. }))
}

fn is_of_std(item: &Item) -> bool {
    matches!(item.crate_name.as_str(), "core" | "alloc" | "std")
}

/// The same, and all types whose declaration is not known.
pub(super) fn may_hide_lifetime(model: &Model, item: ItemId) -> bool {
    let item = model.item(item);
    match item.local_index {
        Some(index) if item.kind != ItemKind::Trait => model.types.get(index).is_none_or(has_lifetime),
        Some(_) => false,
        None if item.definition.join("::") == crate::types::tracked::DEFINITION => false,
        None => !is_of_std(item) || !owns(&item.name),
    }
}

/// The types of std that signatures mention most, and that have no lifetime.
fn owns(name: &str) -> bool {
    const OWNED: &[&str] = &[
        "Arc",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "Box",
        "Cell",
        "Duration",
        "Error",
        "HashMap",
        "HashSet",
        "LinkedList",
        "ManuallyDrop",
        "Mutex",
        "NonNull",
        "Option",
        "Ordering",
        "OsStr",
        "OsString",
        "Path",
        "PathBuf",
        "PhantomData",
        "Pin",
        "Poll",
        "Range",
        "RangeFrom",
        "RangeFull",
        "RangeInclusive",
        "RangeTo",
        "RangeToInclusive",
        "Rc",
        "RefCell",
        "Result",
        "Reverse",
        "RwLock",
        "String",
        "Vec",
        "VecDeque",
        "Wrapping",
    ];
    OWNED.contains(&name)
}

/// Whether a chosen type holds a reference by its name.
pub(super) fn shows_loan(ty: &Ty) -> bool {
    match ty {
        Ty::Ref { .. } => true,
        Ty::Path { args, .. } => args.iter().any(|arg| match arg {
            GenericArg::Lifetime(_) => true,
            GenericArg::Type(ty) => shows_loan(ty),
            _ => false,
        }),
        Ty::Tuple(parts) => parts.iter().any(shows_loan),
        Ty::Slice(ty) | Ty::Array(ty, _) => shows_loan(ty),
        _ => false,
    }
}

/// Whether values of a chosen type may hold a reference that is no part of its name: the worker knows one type for all
/// lifetimes.
pub(super) fn may_borrow(model: &Model, ty: &Ty) -> bool {
    let in_args = |args: &[GenericArg]| {
        args.iter().any(|arg| match arg {
            GenericArg::Lifetime(_) => true,
            GenericArg::Type(ty) | GenericArg::Equality { ty, .. } => may_borrow(model, ty),
            GenericArg::Const(_) => false,
        })
    };
    match ty {
        Ty::Ref { .. } | Ty::Dyn { .. } | Ty::ImplTrait(_) | Ty::Projection { .. } => true,
        // Written by Provoke itself, as tracked elements are.
        Ty::Other(text) => text.contains(['&', '\'']),
        Ty::Path { item, args } => in_args(args) || may_hide_lifetime(model, *item),
        Ty::Tuple(parts) => parts.iter().any(|ty| may_borrow(model, ty)),
        Ty::Slice(ty) | Ty::Array(ty, _) | Ty::RawPointer { ty, .. } => may_borrow(model, ty),
        Ty::Param(_) | Ty::SelfTy | Ty::Primitive(_) | Ty::FnPointer { .. } => false,
    }
}
