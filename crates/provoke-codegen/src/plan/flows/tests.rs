use provoke_api::{Flow, FlowTarget};
use provoke_model::{Item, ItemKind};

use crate::plan::flows::*;

/// A model with one local type `Bag` and std's `Iter`.
fn model() -> Model {
    let item = |name: &str, crate_name: &str, is_local| Item {
        name: name.to_string(),
        kind: ItemKind::Struct,
        crate_name: crate_name.to_string(),
        is_local,
        definition: vec![crate_name.to_string(), name.to_string()],
        path: Some(vec![crate_name.to_string(), name.to_string()]),
        local_index: None,
    };
    Model { items: vec![item("Bag", "bag", true), item("Iter", "core", false)], ..Model::default() }
}

fn bag() -> Ty {
    Ty::Path { item: ItemId(0), args: Vec::new() }
}

fn iter(lifetime: Option<&str>) -> Ty {
    let args = lifetime.map(|name| GenericArg::Lifetime(name.to_string())).into_iter().collect();
    Ty::Path { item: ItemId(1), args }
}

fn reference(lifetime: Option<&str>, mutable: bool, ty: Ty) -> Ty {
    Ty::Ref { lifetime: lifetime.map(str::to_string), mutable, ty: Box::new(ty) }
}

/// The flows of `fn(params) -> result` in `impl … for self_ty`, as `arg` with `o` or `i`, and `>target`, with `?`
/// where that has to be a cell.
fn shown(params: &[(&str, Ty)], result: Option<Ty>, self_ty: &Ty) -> String {
    shown_with(params, result, self_ty, &Choice::default())
}

fn shown_with(params: &[(&str, Ty)], result: Option<Ty>, self_ty: &Ty, choice: &Choice) -> String {
    shown_in(&model(), params, result, self_ty, choice)
}

fn shown_in(model: &Model, params: &[(&str, Ty)], result: Option<Ty>, self_ty: &Ty, choice: &Choice) -> String {
    let signature = Signature {
        params: params.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect(),
        result,
        is_async: false,
        is_unsafe: false,
        is_const: false,
        is_variadic: false,
        abi: "Rust".to_string(),
    };
    let found = flows(model, &signature, &[], Some(self_ty), choice);
    let mut parts: Vec<String> = found
        .flows
        .iter()
        .map(|f| {
            let Flow { arg, part, target } = f.flow;
            let part = if part == FlowPart::Outer { "o" } else { "i" };
            let condition = if f.needs_cell { "?" } else { "" };
            format!("{arg}{part}>{}{condition}", target_name(target))
        })
        .collect();
    parts.extend(found.static_args.iter().map(|arg| format!("{arg} static")));
    parts.join(" ")
}

fn target_name(target: FlowTarget) -> String {
    match target {
        FlowTarget::Result => "result".to_string(),
        FlowTarget::Arg(arg) => arg.to_string(),
    }
}

#[test]
fn loans_follow_the_lifetimes_of_the_signature() {
    let plain = bag();
    let text = Ty::Primitive("str".to_string());
    let receiver = |mutable| ("self", reference(None, mutable, Ty::SelfTy));
    let elided = |ty| Some(reference(None, false, ty));
    // fn get(&self, key: &str) -> &str
    let key = ("key", reference(None, false, text.clone()));
    assert_eq!(shown(&[receiver(false), key.clone()], elided(text.clone()), &plain), "0o>result");
    // fn iter(&self) -> Iter<'_>
    assert_eq!(shown(&[receiver(false)], Some(iter(Some("'_"))), &plain), "0o>result");
    // impl<'a> IntoIterator for &'a Bag { fn into_iter(self) -> Iter<'a> }
    let by_ref = reference(Some("'a"), false, bag());
    assert_eq!(shown(&[("self", Ty::SelfTy)], Some(iter(Some("'a"))), &by_ref), "0o>result");
    // fn first<'a>(a: &'a str, b: &str) -> &'a str
    let named = ("a", reference(Some("'a"), false, text.clone()));
    let result = Some(reference(Some("'a"), false, text.clone()));
    assert_eq!(shown(&[named, key.clone()], result, &plain), "0o>result");
    // impl<'a> Iter<'a> { fn push(&mut self, x: &'a str) }
    let pushed = ("x", reference(Some("'a"), false, text.clone()));
    assert_eq!(shown(&[receiver(true), pushed], None, &iter(Some("'a"))), "1o>0");
    // fn next(&mut self) -> &'a str on Iter<'a>
    let result = Some(reference(Some("'a"), false, text.clone()));
    assert_eq!(shown(&[receiver(true)], result, &iter(Some("'a"))), "0i>result");
    // fn keep(x: &'static str); fn free<'a>() -> &'a str
    let kept = ("x", reference(Some("'static"), false, text.clone()));
    assert_eq!(shown(&[kept], None, &plain), "0 static");
    let free = Some(reference(Some("'a"), false, text.clone()));
    assert_eq!(shown(&[receiver(false)], free, &plain), "");
    // fn show(x: &dyn Any); fn keep(x: &'static dyn Any); fn keep(x: Box<dyn Any>); fn pass(x: &'a dyn Any) -> &'a str
    let any = || Ty::Dyn { bounds: Vec::new(), lifetime: None };
    let boxed = Ty::Path { item: ItemId(1), args: vec![GenericArg::Type(any())] };
    assert_eq!(shown(&[("x", reference(None, false, any()))], None, &plain), "");
    assert_eq!(shown(&[("x", reference(Some("'static"), false, any()))], None, &plain), "0 static");
    assert_eq!(shown(&[("x", boxed)], None, &plain), "0 static");
    let result = Some(reference(Some("'a"), false, text));
    assert_eq!(shown(&[("x", reference(Some("'a"), false, any()))], result, &plain), "0o>result 0i>result");
}

#[test]
fn what_a_parameter_was_given_may_come_out_of_every_argument() {
    let parameter = |name: &str| Ty::Param(name.to_string());
    let text = || reference(None, false, Ty::Primitive("str".to_string()));
    let borrowing = |names: &[&str]| Choice {
        types: names.iter().map(|name| (name.to_string(), text())).collect(),
        ..Choice::default()
    };
    // fn collect<B: FromIterator<&'a str>>(self) -> B on Iter<'a>
    let by_value = ("self", Ty::SelfTy);
    let items = iter(Some("'a"));
    let collected = |choice: &Choice| shown_with(std::slice::from_ref(&by_value), Some(parameter("B")), &items, choice);
    assert_eq!(collected(&borrowing(&["B"])), "0i>result");
    assert_eq!(collected(&Choice::default()), "", "what borrows nothing keeps nothing");
    // fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) on Bag<T>
    let bag = Ty::Path { item: ItemId(0), args: vec![GenericArg::Type(parameter("T"))] };
    let receiver = ("self", reference(None, true, Ty::SelfTy));
    let params = [receiver, ("items", parameter("I"))];
    assert_eq!(shown_with(&params, None, &bag, &borrowing(&["T", "I"])), "1i>0");
}

/// `bag::Bag`, std's `Iter` and `Iterator`, `Fn`, and the alias of another crate.
fn model_with_traits() -> Model {
    let mut model = model();
    let foreign = |name: &str, kind, crate_name: &str| Item {
        name: name.to_string(),
        kind,
        crate_name: crate_name.to_string(),
        ..model.items[1].clone()
    };
    let more = [
        foreign("Iterator", ItemKind::Trait, "core"),
        foreign("Fn", ItemKind::Trait, "core"),
        foreign("Lines", ItemKind::TypeAlias, "other"),
        foreign("Box", ItemKind::Struct, "alloc"),
    ];
    model.items.extend(more);
    model.items[0].local_index = Some(0);
    model.types.push(provoke_model::TypeDef {
        item: ItemId(0),
        generics: Generics::default(),
        kind: provoke_model::TypeKind::Union,
        is_non_exhaustive: false,
        docs: provoke_model::Docs::default(),
    });
    model
}

fn bound(item: u32, args: Vec<GenericArg>) -> Bound {
    let trait_ref = provoke_model::TraitRef { item: ItemId(item), args };
    Bound::Trait { trait_ref, maybe: false, higher_ranked: Vec::new() }
}

fn items_of(ty: Ty) -> Bound {
    bound(2, vec![GenericArg::Equality { name: "Item".to_string(), ty }])
}

fn boxed(bounds: Vec<Bound>, lifetime: Option<&str>) -> Ty {
    let object = Ty::Dyn { bounds, lifetime: lifetime.map(str::to_string) };
    Ty::Path { item: ItemId(5), args: vec![GenericArg::Type(object)] }
}

#[test]
fn what_a_signature_hides_borrows_from_all_that_could_lend_it() {
    let text = || Ty::Primitive("str".to_string());
    let receiver = || ("self", reference(None, false, Ty::SelfTy));
    let lent = |name: Option<&str>| reference(name, false, text());
    let key = || ("key", lent(None));
    let walk = iter(Some("'a"));
    let by_value = || ("self", Ty::SelfTy);
    let projection = |self_ty: Ty, args: Vec<GenericArg>| Ty::Projection {
        self_ty: Box::new(self_ty),
        trait_ref: Some(Box::new(provoke_model::TraitRef { item: ItemId(2), args })),
        name: "Item".to_string(),
        args: Vec::new(),
    };
    let lifetime = |name: &str| vec![GenericArg::Lifetime(name.to_string())];
    let lends_text = || reference(Some("'a"), false, text());
    let callable = |ty: Ty| bound(3, vec![GenericArg::Type(Ty::Tuple(vec![ty]))]);
    let cases = [
        (
            "&self -> Box<dyn Iterator<Item = &str> + '_>",
            vec![receiver()],
            boxed(vec![items_of(lent(None))], Some("'_")),
            bag(),
            "0o>result",
        ),
        (
            "&self -> Box<dyn Iterator<Item = &str>>",
            vec![receiver()],
            boxed(vec![items_of(lent(None))], None),
            bag(),
            "0o>result",
        ),
        (
            "&'a self -> Box<dyn Iterator<Item = &'a str>>",
            vec![("self", reference(Some("'a"), false, Ty::SelfTy))],
            boxed(vec![items_of(lends_text())], None),
            bag(),
            "0o>result",
        ),
        ("&self -> Box<dyn Fn(&str)>", vec![receiver()], boxed(vec![callable(lent(None))], None), bag(), ""),
        (
            "&self -> Box<dyn Fn(&'a str)> on Iter<'a>",
            vec![receiver()],
            boxed(vec![callable(lends_text())], None),
            walk.clone(),
            "0i>result",
        ),
        (
            "&self, &str -> impl Iterator",
            vec![receiver(), key()],
            Ty::ImplTrait(vec![items_of(text())]),
            bag(),
            "0o>result 1o>result",
        ),
        (
            "&self, &str -> (impl Iterator,)",
            vec![receiver(), key()],
            Ty::Tuple(vec![Ty::ImplTrait(Vec::new())]),
            bag(),
            "0o>result 1o>result",
        ),
        (
            "self -> Self::Item on Iter<'a>",
            vec![by_value()],
            projection(Ty::SelfTy, Vec::new()),
            walk.clone(),
            "0i>result",
        ),
        (
            "&'a str -> <Bag as Lend<'a>>::Item",
            vec![("key", lends_text())],
            projection(bag(), lifetime("'a")),
            bag(),
            "0o>result",
        ),
        ("&self -> Lines", vec![receiver()], Ty::Path { item: ItemId(4), args: Vec::new() }, bag(), "0o>result"),
        ("&self -> what nobody can read", vec![receiver()], Ty::Other("?".to_string()), bag(), "0o>result"),
    ];
    let model = model_with_traits();
    for (what, params, result, self_ty, expected) in cases {
        let shown = shown_in(&model, &params, Some(result), &self_ty, &Choice::default());
        assert_eq!(shown, expected, "{what}");
    }
}

#[test]
fn a_cell_may_keep_what_it_is_given() {
    let parameter = || Ty::Param("T".to_string());
    let bag = Ty::Path { item: ItemId(0), args: vec![GenericArg::Type(parameter())] };
    let receiver = ("self", reference(None, false, Ty::SelfTy));
    let boxed = boxed(vec![items_of(Ty::Primitive("u8".to_string()))], None);
    let choice = Choice { types: [("T".to_string(), boxed)].into(), ..Choice::default() };
    let model = model_with_traits();
    // fn push(&self, value: T); fn push_clone(&self, value: &T)
    let push = [receiver.clone(), ("value", parameter())];
    assert_eq!(shown_in(&model, &push, None, &bag, &choice), "1i>0", "a boxed object may hold a reference");
    let push_clone = [receiver, ("value", reference(None, false, parameter()))];
    assert_eq!(shown_in(&model, &push_clone, None, &bag, &choice), "1i>0?", "if it is one");
}

#[test]
fn what_is_passed_by_value_leads_to_where_it_came_from() {
    let parameter = |name: &str| Ty::Param(name.to_string());
    let text = || reference(None, false, Ty::Primitive("str".to_string()));
    let choice = Choice { types: ["T", "I", "U"].map(|name| (name.to_string(), text())).into(), ..Choice::default() };
    let of = |args: Vec<GenericArg>| Ty::Path { item: ItemId(0), args };
    let slot = of(vec![GenericArg::Lifetime("'a".to_string()), GenericArg::Type(parameter("T"))]);
    let model = model_with_traits();
    // impl<'a, T> Slot<'a, T> { fn put(self, value: T) }
    let put = [("self", Ty::SelfTy), ("value", parameter("T"))];
    assert_eq!(shown_in(&model, &put, None, &slot, &choice), "1i>0");
    // impl<I: Iterator> Steps<I> { fn zip<U>(self, other: U) }
    let steps = of(vec![GenericArg::Type(parameter("I"))]);
    let zip = [("self", Ty::SelfTy), ("other", parameter("U"))];
    assert_eq!(shown_in(&model, &zip, None, &steps, &choice), "");
}
