//! Values that run code of their own only when they are driven: iterators, futures and what can be called.

use provoke_model::{Bound, GenericArg, Model, Ty};

use crate::plan::builtins::pattern::{bind, substitute};
use crate::plan::builtins::std_types::ITEMS;
use crate::types::abilities::equality;
use crate::types::catalog::type_args;
use crate::types::type_name::TypeName;

/// How a value is driven. Types that have no name we could know are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driven {
    Iterator { item: Option<TypeName>, is_double_ended: bool },
    Future { output: Option<TypeName> },
    Callable { call: Call, args: Vec<Option<TypeName>>, result: Option<TypeName> },
}

/// How a callable is passed when it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Shared,
    Exclusive,
    Once,
}

/// More arguments than this are not passed.
const MAX_CALL_ARGS: usize = 3;

impl Driven {
    /// From the name alone: std's iterators, function pointers, boxed trait objects.
    pub fn by_name(name: &TypeName) -> Option<Driven> {
        for (pattern, item) in ITEMS {
            if let Some(bindings) = bind(&TypeName::parse(pattern), name) {
                let item = substitute(&TypeName::parse(item), &bindings);
                return Some(Driven::Iterator { item, is_double_ended: false });
            }
        }
        match (name, name.path().as_deref(), name.args()) {
            (TypeName::Other(text), ..) if text.starts_with("fn(") => Driven::callable(Call::Shared, text),
            (_, Some("alloc::boxed::Box"), [TypeName::Other(object)]) => Driven::object(object),
            (_, Some("core::pin::Pin"), [boxed]) if boxed.path().as_deref() == Some("alloc::boxed::Box") => {
                match (Driven::by_name(boxed), boxed.args()) {
                    (Some(driven @ Driven::Future { .. }), _) => Some(driven),
                    _ => None,
                }
            }
            (_, Some(path), _)
                if path.starts_with("core::iter::adapters::") || path.starts_with("core::iter::sources::") =>
            {
                Some(Driven::Iterator { item: None, is_double_ended: false })
            }
            _ => None,
        }
    }

    /// `dyn core::iter::traits::iterator::Iterator<Item = u8> + …`
    fn object(text: &str) -> Option<Driven> {
        let object = text.strip_prefix("dyn ")?;
        let path_end = object.find(['<', '(']).unwrap_or(object.len());
        let (path, rest) = object.split_at(path_end);
        let last = path.split(' ').next()?.rsplit("::").next()?;
        match last {
            "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" => {
                Some(Driven::Iterator { item: equal(rest, "Item = "), is_double_ended: last == "DoubleEndedIterator" })
            }
            "Future" => Some(Driven::Future { output: equal(rest, "Output = ") }),
            "Fn" => Driven::callable(Call::Shared, rest),
            "FnMut" => Driven::callable(Call::Exclusive, rest),
            "FnOnce" => Driven::callable(Call::Once, rest),
            _ => None,
        }
    }

    /// From a signature as `type_name` prints it: `fn(u8, &'_ str) -> u8`, `(u8) -> u8 + Send`.
    fn callable(call: Call, text: &str) -> Option<Driven> {
        let start = text.find('(')? + 1;
        let (args, rest) = TypeName::parse_list(&text[start..])?;
        if args.len() > MAX_CALL_ARGS {
            return None;
        }
        let result = match rest.strip_prefix(" -> ") {
            Some(result) => TypeName::parse(result.split(" + ").next().unwrap_or(result)),
            None => TypeName::Tuple(Vec::new()),
        };
        Some(Driven::Callable { call, args: args.into_iter().map(known).collect(), result: known(result) })
    }

    /// From the bounds of an `impl Trait` result.
    pub fn by_bounds(model: &Model, bounds: &[Bound]) -> Option<Driven> {
        let is_double_ended = bounds.iter().any(|bound| std_trait(model, bound) == Some("DoubleEndedIterator"));
        bounds.iter().find_map(|bound| {
            let Bound::Trait { trait_ref, maybe: false, .. } = bound else {
                return None;
            };
            let named = |name: &str| equality(&trait_ref.args, name).and_then(|ty| name_of(model, ty));
            match std_trait(model, bound)? {
                "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator" => {
                    Some(Driven::Iterator { item: named("Item"), is_double_ended })
                }
                "Future" => Some(Driven::Future { output: named("Output") }),
                name @ ("Fn" | "FnMut" | "FnOnce") => {
                    let call = match name {
                        "Fn" => Call::Shared,
                        "FnMut" => Call::Exclusive,
                        _ => Call::Once,
                    };
                    let Some(Ty::Tuple(args)) = type_args(&trait_ref.args).next() else {
                        return None;
                    };
                    if args.len() > MAX_CALL_ARGS {
                        return None;
                    }
                    let args = args.iter().map(|ty| name_of(model, ty)).collect();
                    let result = match equality(&trait_ref.args, "Output") {
                        Some(ty) => name_of(model, ty),
                        None => Some(TypeName::Tuple(Vec::new())),
                    };
                    Some(Driven::Callable { call, args, result })
                }
                _ => None,
            }
        })
    }
}

fn std_trait<'m>(model: &'m Model, bound: &Bound) -> Option<&'m str> {
    let Bound::Trait { trait_ref, .. } = bound else {
        return None;
    };
    let item = model.item(trait_ref.item);
    matches!(item.crate_name.as_str(), "core" | "alloc" | "std").then_some(item.name.as_str())
}

/// The type behind `Item = ` in the arguments of a trait.
fn equal(args: &str, label: &str) -> Option<TypeName> {
    let start = args.find(label)? + label.len();
    TypeName::parse_first(&args[start..]).and_then(known)
}

fn known(name: TypeName) -> Option<TypeName> {
    (!matches!(name, TypeName::Other(_))).then_some(name)
}

/// A declared type as `type_name` prints it; `None` where parameters or unknown parts are inside.
fn name_of(model: &Model, ty: &Ty) -> Option<TypeName> {
    Some(match ty {
        Ty::Primitive(name) => TypeName::Path { segments: vec![name.clone()], args: Vec::new() },
        Ty::Ref { mutable, ty, .. } => TypeName::Ref { mutable: *mutable, inner: Box::new(name_of(model, ty)?) },
        Ty::Slice(ty) => TypeName::Slice(Box::new(name_of(model, ty)?)),
        Ty::Array(ty, len) if len.bytes().all(|b| b.is_ascii_digit()) => {
            TypeName::Array(Box::new(name_of(model, ty)?), len.clone())
        }
        Ty::Tuple(parts) => TypeName::Tuple(parts.iter().map(|ty| name_of(model, ty)).collect::<Option<_>>()?),
        Ty::Path { item, args } => {
            let mut names = Vec::new();
            for arg in args {
                match arg {
                    GenericArg::Type(ty) => names.push(name_of(model, ty)?),
                    GenericArg::Lifetime(_) => names.push(TypeName::Other("'_".to_string())),
                    GenericArg::Const(_) | GenericArg::Equality { .. } => return None,
                }
            }
            TypeName::Path { segments: model.item(*item).definition.clone(), args: names }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str) -> String {
        let text = |name: &Option<TypeName>| name.as_ref().map_or("?".to_string(), ToString::to_string);
        match Driven::by_name(&TypeName::parse(name)) {
            None => "-".to_string(),
            Some(Driven::Iterator { item, .. }) => format!("iterator of {}", text(&item)),
            Some(Driven::Future { output }) => format!("future of {}", text(&output)),
            Some(Driven::Callable { call, args, result }) => {
                let args: Vec<String> = args.iter().map(text).collect();
                format!("{call:?} ({}) -> {}", args.join(", "), text(&result))
            }
        }
    }

    #[test]
    fn what_can_be_driven_shows_in_its_name() {
        for (name, expected) in [
            ("core::slice::iter::Iter<'_, u8>", "iterator of &u8"),
            ("std::collections::hash::map::Keys<'_, u8, u16>", "iterator of &u8"),
            ("core::iter::adapters::map::Map<core::ops::range::Range<u8>, a::f::{{closure}}>", "iterator of ?"),
            ("alloc::boxed::Box<dyn core::iter::traits::iterator::Iterator<Item = &str>>", "iterator of &str"),
            (
                "alloc::boxed::Box<dyn core::iter::traits::iterator::Iterator<Item = (u8, a::B<u8>)> + core::marker::Send>",
                "iterator of (u8, a::B<u8>)",
            ),
            ("alloc::boxed::Box<dyn core::ops::function::FnMut(&'_ str, u8)>", "Exclusive (&str, u8) -> ()"),
            ("alloc::boxed::Box<dyn core::ops::function::Fn(u8) -> u16 + core::marker::Send>", "Shared (u8) -> u16"),
            ("fn(u8, &'_ str) -> u8", "Shared (u8, &str) -> u8"),
            ("fn(u8, u8, u8, u8) -> u8", "-"),
            ("core::pin::Pin<alloc::boxed::Box<dyn core::future::future::Future<Output = u8>>>", "future of u8"),
            ("alloc::boxed::Box<dyn core::fmt::Debug>", "-"),
            ("alloc::vec::Vec<u8>", "-"),
        ] {
            assert_eq!(shown(name), expected, "{name}");
        }
    }
}
