//! Types that users list for a trait, from what they write to what the model knows.
//!
//! Names are looked up in the API. A type that it does not mention is taken by its name alone, and rustc will tell.
//!
//! Decision: `docs/decisions/010-what-users-add-is-rust-as-in-a-test.md`

use provoke_model::{Bound, GenericArg, Item, ItemId, ItemKind, Model, TraitRef, Ty, TypeByHand};
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, ReturnType, TypeParamBound};

use crate::types::facts::std_type;
use crate::types::prelude::PRELUDE;

/// Why a name in the configuration means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The API mentions no such trait; these are those that it mentions.
    UnknownTrait { name: String, known: Vec<String> },
    /// The name stands for any of these.
    Ambiguous { name: String, meanings: Vec<String> },
    /// The API mentions no such type, and without a path it cannot be anywhere else.
    UnknownType { name: String },
}

/// Checks that a text is the name or the path of a trait.
pub fn check_trait_path(text: &str) -> Result<(), String> {
    let path: syn::Path = syn::parse_str(text).map_err(|error| format!("`{text}` is no path of a trait: {error}"))?;
    match path.segments.iter().all(|segment| segment.arguments.is_none()) {
        true => Ok(()),
        false => Err(format!("`{text}` has arguments, and the types stand for the trait with any of them")),
    }
}

/// Checks that a text is a type that can be named where anybody could name it.
pub fn check_type(text: &str) -> Result<(), String> {
    let parsed: syn::Type = syn::parse_str(text).map_err(|error| format!("`{text}` is no type: {error}"))?;
    // Names are another matter, for when the API is known.
    let mut any = |_: &[String], _: bool| Ok(ItemId(0));
    match ty(&parsed, &mut any) {
        Ok(_) => Ok(()),
        Err(Trouble::NotSpelledOut) => Err(format!("`{text}` is not spelled out")),
        Err(Trouble::Name(_)) => Ok(()),
    }
}

/// Lets types stand for a trait, all of them as users write them and as the checks above let them pass.
pub fn add_types_by_hand(model: &mut Model, trait_path: &str, types: &[String]) -> Result<(), NameError> {
    let items = traits_named(model, &segments(trait_path))?;
    for text in types {
        let Ok(parsed) = syn::parse_str::<syn::Type>(text) else { continue };
        let mut look_up = |path: &[String], is_trait: bool| match is_trait {
            true => traits_named(model, path).map(|items| items[0]),
            false => type_named(model, path),
        };
        match ty(&parsed, &mut look_up) {
            Ok(ty) => {
                for item in &items {
                    model.types_by_hand.add(*item, TypeByHand { ty: ty.clone(), text: text.clone() });
                }
            }
            Err(Trouble::Name(error)) => return Err(error),
            Err(Trouble::NotSpelledOut) => {}
        }
    }
    Ok(())
}

fn segments(path: &str) -> Vec<String> {
    path.split("::")
        .map(|segment| segment.trim().trim_start_matches("r#").to_string())
        .filter(|s| !s.is_empty())
        .collect()
}

fn is_std_crate(name: &str) -> bool {
    matches!(name, "core" | "alloc" | "std")
}

/// Whether a path leads to an item: by its last name alone, where it is imported from, or where it is defined.
fn is_named(model: &Model, item: &Item, path: &[String]) -> bool {
    if let [name] = path {
        return item.name == *name;
    }
    // Whoever writes `core::fmt::Write` means `std::fmt::Write`.
    let is_same = |known: &[String]| {
        known == path
            || (known.len() == path.len()
                && known[1..] == path[1..]
                && is_std_crate(&known[0])
                && is_std_crate(&path[0]))
    };
    let is_export = || {
        let mut exports =
            model.exports.iter().filter(|export| !export.is_module && export.definition == item.definition);
        exports.any(|export| is_same(&export.path))
    };
    item.path.as_deref().is_some_and(is_same) || is_same(&item.definition) || is_export()
}

/// How people call an item.
fn shown(item: &Item) -> String {
    item.path.as_ref().unwrap_or(&item.definition).join("::")
}

/// The items that a path leads to; several only if they are one thing in two versions of a crate.
fn items_named(model: &Model, path: &[String], is_wanted: impl Fn(&Item) -> bool) -> Result<Vec<ItemId>, NameError> {
    let places = (0..model.items.len()).map(|place| ItemId(place as u32));
    let found: Vec<ItemId> =
        places.filter(|id| is_wanted(model.item(*id)) && is_named(model, model.item(*id), path)).collect();
    let mut meanings: Vec<String> = found.iter().map(|id| shown(model.item(*id))).collect();
    meanings.sort();
    meanings.dedup();
    match meanings.len() {
        0 | 1 => Ok(found),
        _ => Err(NameError::Ambiguous { name: path.join("::"), meanings }),
    }
}

fn traits_named(model: &Model, path: &[String]) -> Result<Vec<ItemId>, NameError> {
    let is_trait = |item: &Item| item.kind == ItemKind::Trait;
    let found = items_named(model, path, is_trait)?;
    if found.is_empty() {
        let mut known: Vec<String> = model.items.iter().filter(|item| is_trait(item)).map(shown).collect();
        known.sort();
        known.dedup();
        return Err(NameError::UnknownTrait { name: path.join("::"), known });
    }
    Ok(found)
}

fn type_named(model: &mut Model, path: &[String]) -> Result<ItemId, NameError> {
    let in_prelude = |name: &str| PRELUDE.iter().find(|item| item.rsplit("::").next() == Some(name));
    let whole: Vec<String> = match path {
        // As everywhere without an import.
        [name] => match in_prelude(name) {
            Some(item) => segments(&format!("std::{item}")),
            None => path.to_vec(),
        },
        _ => path.to_vec(),
    };
    let is_type = |item: &Item| item.kind != ItemKind::Trait && item.path.is_some();
    if let Some(known) = items_named(model, &whole, is_type)?.first() {
        // What an alias stands for is for rustc to find out.
        if model.item(*known).kind == ItemKind::TypeAlias {
            model.types_by_hand.add_stranger(*known);
        }
        return Ok(*known);
    }
    if whole.len() < 2 {
        return Err(NameError::UnknownType { name: path.join("::") });
    }
    if let Some((definition, public)) = std_type(&whole) {
        let definition = segments(definition);
        let known = model.items.iter().position(|item| item.definition == definition);
        return Ok(known.map_or_else(|| add_item(model, definition, segments(public)), |place| ItemId(place as u32)));
    }
    let stranger = add_item(model, whole.clone(), whole);
    model.types_by_hand.add_stranger(stranger);
    Ok(stranger)
}

fn add_item(model: &mut Model, definition: Vec<String>, path: Vec<String>) -> ItemId {
    model.items.push(Item {
        name: path.last().cloned().unwrap_or_default(),
        kind: ItemKind::Other,
        crate_name: definition[0].clone(),
        is_local: false,
        definition,
        path: Some(path),
        local_index: None,
    });
    ItemId(model.items.len() as u32 - 1)
}

/// Why a type cannot be read.
enum Trouble {
    Name(NameError),
    /// It leaves something to inference, or is made in a way that nobody would write in a list.
    NotSpelledOut,
}

/// Finds what a path means; the flag says whether it is to be a trait.
type LookUp<'a> = dyn FnMut(&[String], bool) -> Result<ItemId, NameError> + 'a;

fn ty(parsed: &syn::Type, look_up: &mut LookUp<'_>) -> Result<Ty, Trouble> {
    Ok(match parsed {
        syn::Type::Paren(inner) => ty(&inner.elem, look_up)?,
        syn::Type::Group(inner) => ty(&inner.elem, look_up)?,
        syn::Type::Never(_) => Ty::Primitive("!".to_string()),
        syn::Type::Tuple(tuple) => {
            Ty::Tuple(tuple.elems.iter().map(|part| ty(part, look_up)).collect::<Result<_, _>>()?)
        }
        syn::Type::Slice(slice) => Ty::Slice(Box::new(ty(&slice.elem, look_up)?)),
        syn::Type::Array(array) => Ty::Array(Box::new(ty(&array.elem, look_up)?), constant(&array.len)?),
        syn::Type::Reference(reference) => Ty::Ref {
            // Nothing else is there to borrow from; but what a pointer takes may live for however long.
            lifetime: reference.lifetime.as_ref().map(|_| "'static".to_string()),
            mutable: reference.mutability.is_some(),
            ty: Box::new(ty(&reference.elem, look_up)?),
        },
        syn::Type::BareFn(pointer) if pointer.variadic.is_none() && pointer.abi.is_none() => Ty::FnPointer {
            params: pointer.inputs.iter().map(|input| ty(&input.ty, look_up)).collect::<Result<_, _>>()?,
            result: match &pointer.output {
                ReturnType::Default => None,
                ReturnType::Type(_, result) => Some(Box::new(ty(result, look_up)?)),
            },
            is_unsafe: pointer.unsafety.is_some(),
        },
        syn::Type::TraitObject(object) => {
            let mut bounds = Vec::new();
            for bound in &object.bounds {
                let TypeParamBound::Trait(bound) = bound else { continue };
                let (item, args) = path(&bound.path, true, look_up)?;
                let trait_ref = TraitRef { item, args };
                bounds.push(Bound::Trait { trait_ref, maybe: false, higher_ranked: Vec::new() });
            }
            Ty::Dyn { bounds, lifetime: None }
        }
        syn::Type::Path(named) if named.qself.is_none() => match named.path.get_ident() {
            Some(name) if is_primitive(&name.to_string()) => Ty::Primitive(name.to_string()),
            _ => {
                let (item, args) = path(&named.path, false, look_up)?;
                Ty::Path { item, args }
            }
        },
        _ => return Err(Trouble::NotSpelledOut),
    })
}

fn is_primitive(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64",
    ];
    NAMES.contains(&name)
}

/// What a path means, with the arguments behind its last segment.
fn path(path: &syn::Path, is_trait: bool, look_up: &mut LookUp<'_>) -> Result<(ItemId, Vec<GenericArg>), Trouble> {
    let Some(last) = path.segments.last() else { return Err(Trouble::NotSpelledOut) };
    let n_before = path.segments.len() - 1;
    let is_plain = path.segments.iter().take(n_before).all(|segment| segment.arguments.is_none());
    let is_relative = ["Self", "self", "super", "crate"].iter().any(|name| path.segments[0].ident == name);
    if !is_plain || is_relative {
        return Err(Trouble::NotSpelledOut);
    }
    let mut args = Vec::new();
    match &last.arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(given) => {
            for arg in &given.args {
                args.push(match arg {
                    GenericArgument::Lifetime(_) => GenericArg::Lifetime("'static".to_string()),
                    GenericArgument::Type(inner) => GenericArg::Type(ty(inner, look_up)?),
                    GenericArgument::Const(value) => GenericArg::Const(constant(value)?),
                    GenericArgument::AssocType(assoc) => {
                        GenericArg::Equality { name: assoc.ident.to_string(), ty: ty(&assoc.ty, look_up)? }
                    }
                    _ => return Err(Trouble::NotSpelledOut),
                });
            }
        }
        PathArguments::Parenthesized(_) => return Err(Trouble::NotSpelledOut),
    }
    let names: Vec<String> = path.segments.iter().flat_map(|segment| segments(&segment.ident.to_string())).collect();
    let item = look_up(&names, is_trait).map_err(Trouble::Name)?;
    Ok((item, args))
}

fn constant(value: &Expr) -> Result<String, Trouble> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => Ok(number.base10_digits().to_string()),
        Expr::Lit(ExprLit { lit: Lit::Bool(yes), .. }) => Ok(yes.value.to_string()),
        Expr::Lit(ExprLit { lit: Lit::Char(letter), .. }) => Ok(format!("{:?}", letter.value())),
        _ => Err(Trouble::NotSpelledOut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: ItemKind, definition: &str, path: Option<&str>) -> Item {
        let definition = segments(definition);
        Item {
            name: definition.last().cloned().unwrap_or_default(),
            kind,
            crate_name: definition[0].clone(),
            is_local: definition[0] == "a",
            definition,
            path: path.map(segments),
            local_index: None,
        }
    }

    fn model() -> Model {
        let items = vec![
            item(ItemKind::Trait, "a::forms::Shape", Some("a::Shape")),
            item(ItemKind::Trait, "core::fmt::Write", Some("std::fmt::Write")),
            item(ItemKind::Trait, "std::io::Write", Some("std::io::Write")),
            item(ItemKind::Trait, "a::sealed::State", None),
            item(ItemKind::Struct, "a::forms::Circle", Some("a::Circle")),
            item(ItemKind::Struct, "a::forms::Square", Some("a::Square")),
        ];
        Model { items, ..Model::default() }
    }

    #[test]
    fn a_trait_is_named_by_its_path_or_by_a_name_that_is_its_own() {
        let named = |path: &str| {
            let mut model = model();
            add_types_by_hand(&mut model, path, &["a::Circle".to_string()])?;
            let (item, types) = model.types_by_hand.traits().next().unwrap();
            assert_eq!(types[0].ty, Ty::Path { item: ItemId(4), args: Vec::new() });
            Ok(item.0)
        };
        assert_eq!(["Shape", "a::Shape", "a::forms::Shape", "::a::Shape"].map(named), [const { Ok(0) }; 4]);
        assert_eq!(["std::fmt::Write", "core::fmt::Write", "std::io::Write"].map(named), [Ok(1), Ok(1), Ok(2)]);
        assert_eq!(named("State"), Ok(3), "whoever asks for it need not be able to import it");
        let meanings = vec!["std::fmt::Write".to_string(), "std::io::Write".to_string()];
        assert_eq!(named("Write"), Err(NameError::Ambiguous { name: "Write".to_string(), meanings }));
        let known = ["a::Shape", "a::sealed::State", "std::fmt::Write", "std::io::Write"].map(str::to_string).to_vec();
        assert_eq!(named("b::Shape"), Err(NameError::UnknownTrait { name: "b::Shape".to_string(), known }));
    }

    #[test]
    fn a_type_is_written_as_in_a_test() {
        let read = |text: &str| {
            let mut model = model();
            check_type(text)?;
            add_types_by_hand(&mut model, "Shape", &[text.to_string()]).map_err(|error| format!("{error:?}"))?;
            let listed = model.types_by_hand.of(ItemId(0));
            let strangers = listed.iter().filter(|by_hand| model.types_by_hand.is_stranger(&by_hand.ty)).count();
            let rendered = crate::types::render::Renderer::absolute(&model).ty(&listed[0].ty).unwrap();
            Ok::<String, String>(format!("{rendered}{}", if strangers > 0 { ", unknown" } else { "" }))
        };
        let texts = [
            "u8",
            "Circle",
            "a::Square<Vec<(u8, a::Circle)>, 4>",
            "[a::Circle; 3]",
            "&'static str",
            "fn(&u8) -> bool",
            "Box<dyn a::Shape>",
            "std::collections::hash_map::DefaultHasher",
            "b::Other<u8>",
            "Other",
            "Vec<_>",
            "impl a::Shape",
            "a::",
        ];
        let transcript: Vec<String> =
            texts.iter().map(|text| format!("{text}: {}\n", read(text).unwrap_or_else(|why| why))).collect();
        expect_test::expect![[r#"
            u8: u8
            Circle: ::a::Circle
            a::Square<Vec<(u8, a::Circle)>, 4>: ::a::Square<::std::vec::Vec<(u8, ::a::Circle)>, 4>
            [a::Circle; 3]: [::a::Circle; 3]
            &'static str: &'static str
            fn(&u8) -> bool: fn(&u8) -> bool
            Box<dyn a::Shape>: ::std::boxed::Box<(dyn ::a::Shape)>
            std::collections::hash_map::DefaultHasher: ::std::hash::DefaultHasher
            b::Other<u8>: ::b::Other<u8>, unknown
            Other: UnknownType { name: "Other" }
            Vec<_>: `Vec<_>` is not spelled out
            impl a::Shape: `impl a::Shape` is not spelled out
            a::: `a::` is no type: unexpected end of input, expected identifier
        "#]]
        .assert_eq(&transcript.concat());
    }
}
