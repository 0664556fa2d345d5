//! What the finder adds for types that are wanted or given.

use expect_test::{Expect, expect};
use provoke_api::{Flow, FlowTarget};
use provoke_wire::{Abilities, OpSignature, Shape, TypeInfo};

use crate::plan::builtins::*;

/// What is found for one operation `fn(arg) -> result`; one line for each operation that was added.
fn found(arg: &str, result: &str) -> Builtins {
    let info = |name: &str| TypeInfo {
        name: name.to_string(),
        size: 1,
        align: 1,
        abilities: Abilities::default(),
        shape: Shape::Plain,
        literal: None,
    };
    let table = Table { types: vec![info(arg), info(result)], ops: vec![OpSignature { args: vec![0], result: 1 }] };
    let op = PlannedOp::new("f".to_string(), OpRole::Function, "::a::f".to_string(), 1);
    builtins(&Model::default(), &[op], &table)
}

fn check(found: &Builtins, expected: &Expect) {
    let mut lines = String::new();
    for op in found.ops.iter().filter(|op| !matches!(op.key.as_str(), "std string_as_str" | "std str_to_string")) {
        let flows: Vec<String> = op
            .flows
            .iter()
            .map(|planned| {
                let Flow { arg, part, target } = planned.flow;
                let part = if part == FlowPart::Outer { "&" } else { "" };
                match target {
                    FlowTarget::Result => format!("{part}{arg}>result"),
                    FlowTarget::Arg(target) => format!("{part}{arg}>{target}"),
                }
            })
            .collect();
        lines.push_str(format!("{} | {} | {}", op.key, op.text.pretty, flows.join(" ")).trim_end());
        lines.push('\n');
    }
    expected.assert_eq(&lines);
}

#[test]
fn a_wanted_type_gets_ways_to_make_it_and_all_its_parts() {
    check(
        &found("std::collections::hash::map::HashMap<u8, core::option::Option<&[u16]>>", "()"),
        &expect![[r#"
            std default_of std::collections::hash::map::HashMap<u8, core::option::Option<&[u16]>> | HashMap::<u8, Option<&[u16]>>::new() |
            std hash_map_2 std::collections::hash::map::HashMap<u8, core::option::Option<&[u16]>> | HashMap::from([({0}, {1}), ({2}, {3})]) | 0>result 1>result 2>result 3>result
            std hash_map_put std::collections::hash::map::HashMap<u8, core::option::Option<&[u16]>> | {.0}.insert({1}, {2}) | 1>0 2>0
            std option_none core::option::Option<&[u16]> | None::<&[u16]> |
            std option_some core::option::Option<&[u16]> | Some({0}) | 0>result
            std vec_0 alloc::vec::Vec<u16> | Vec::<u16>::new() |
            std vec_1 alloc::vec::Vec<u16> | vec![{0}] | 0>result
            std vec_2 alloc::vec::Vec<u16> | vec![{0}, {1}] | 0>result 1>result
            std vec_3 alloc::vec::Vec<u16> | vec![{0}, {1}, {2}] | 0>result 1>result 2>result
            std vec_as_slice &[u16] | &{.0}[..] | &0>result 0>result
            std vec_push alloc::vec::Vec<u16> | {.0}.push({1}) | 1>0
        "#]],
    );
    check(
        &found("alloc::borrow::Cow<'_, str>", "()"),
        &expect![[r#"
        std clone_of alloc::string::String | {.0}.clone() | 0>result
        std cow_borrowed alloc::borrow::Cow<'_, str> | Cow::Borrowed({0}) | 0>result
        std cow_owned alloc::borrow::Cow<'_, str> | Cow::<'static, str>::Owned({0}) | 0>result
        std default_of alloc::string::String | String::default() |
    "#]],
    );
    check(
        &found("&mut core::pin::Pin<&mut alloc::rc::Rc<str>>", "()"),
        &expect![[r#"
        std box_pin core::pin::Pin<alloc::boxed::Box<alloc::rc::Rc<str>>> | Box::pin({0}) | 0>result
        std pin_mut core::pin::Pin<&mut alloc::rc::Rc<str>> | {.0}.as_mut() | &0>result 0>result
        std |text: &'static str| ::std::rc::Rc::<str>::from(text) | Rc::<str>::from({0}) |
    "#]],
    );
}

#[test]
fn what_may_fail_to_be_made_is_taken_out_of_its_option() {
    check(
        &found("core::num::nonzero::NonZero<u32>", "()"),
        &expect![[r#"
        std num::NonZeroU32::get | {.0}.get() |
        std num::NonZeroU32::new | NonZeroU32::new({0}) |
        std option_unwrap core::option::Option<core::num::nonzero::NonZero<u32>> | {.0}.unwrap() | 0>result
    "#]],
    );
    check(
        &found("core::num::error::ParseIntError", "()"),
        &expect![[r#"
        std result_unwrap core::result::Result<i32, core::num::error::ParseIntError> | {.0}.unwrap() | 0>result
        std result_unwrap_err core::result::Result<i32, core::num::error::ParseIntError> | {.0}.err().unwrap() | 0>result
        std |text: &'static str| text.parse::<i32>() | {.0}.parse::<i32>() |
    "#]],
    );
}

#[test]
fn a_given_type_is_taken_apart() {
    check(
        &found("()", "core::result::Result<(u8, alloc::vec::Vec<a::B>), alloc::rc::Rc<str>>"),
        &expect![[r#"
        std clone_of a::B | {.0}.clone() | 0>result
        std default_of a::B | Default::default() |
        std deref_of alloc::rc::Rc<str> | &**{0} | &0>result 0>result
        std option_unwrap core::option::Option<a::B> | {.0}.unwrap() | 0>result
        std result_unwrap core::result::Result<(u8, alloc::vec::Vec<a::B>), alloc::rc::Rc<str>> | {.0}.unwrap() | 0>result
        std result_unwrap_err core::result::Result<(u8, alloc::vec::Vec<a::B>), alloc::rc::Rc<str>> | {.0}.err().unwrap() | 0>result
        std tuple2_0 (u8, alloc::vec::Vec<a::B>) | {.0}.0 | 0>result
        std tuple2_1 (u8, alloc::vec::Vec<a::B>) | {.0}.1 | 0>result
        std vec_pop alloc::vec::Vec<a::B> | {.0}.pop() | 0>result
    "#]],
    );
    check(
        &found("()", "[alloc::borrow::Cow<'_, [u8]>; 2]"),
        &expect![[r#"
        std array_next [alloc::borrow::Cow<'_, [u8]>; 2] | IntoIterator::into_iter({0}).next() | 0>result
        std cow_into_owned alloc::borrow::Cow<'_, [u8]> | {.0}.into_owned() | 0>result
        std option_unwrap core::option::Option<alloc::borrow::Cow<'_, [u8]>> | {.0}.unwrap() | 0>result
        std option_unwrap core::option::Option<u8> | {.0}.unwrap() | 0>result
        std vec_pop alloc::vec::Vec<u8> | {.0}.pop() | 0>result
    "#]],
    );
}

#[test]
fn what_runs_later_is_driven() {
    check(
        &found("()", "core::slice::iter::Iter<'_, a::B>"),
        &expect![[r#"
        std clone_of a::B | {.0}.clone() | 0>result
        std default_of a::B | Default::default() |
        std iterator_collect core::slice::iter::Iter<'_, a::B> | {.0}.take(100).collect::<Vec<_>>() | 0>result
        std iterator_next core::slice::iter::Iter<'_, a::B> | {.0}.next() | 0>result
        std option_unwrap core::option::Option<&a::B> | {.0}.unwrap() | 0>result
        std vec_pop alloc::vec::Vec<&a::B> | {.0}.pop() | 0>result
    "#]],
    );
    check(
        &found("()", "core::iter::adapters::map::Map<a::B, a::f::{{closure}}>"),
        &expect![[r#"
        std iterator_collect core::iter::adapters::map::Map<a::B, a::f::{{closure}}> | {.0}.take(100).collect::<Vec<_>>() | 0>result
        std iterator_next core::iter::adapters::map::Map<a::B, a::f::{{closure}}> | {.0}.next() | 0>result
        std option_unwrap core::option::Option<item of core::iter::adapters::map::Map<a::B, a::f::{{closure}}>> | {.0}.unwrap() | 0>result
        std vec_pop alloc::vec::Vec<item of core::iter::adapters::map::Map<a::B, a::f::{{closure}}>> | {.0}.pop() | 0>result
    "#]],
    );
    check(
        &found("()", "alloc::boxed::Box<dyn core::ops::function::FnMut(&'_ str) -> u8>"),
        &expect![[r#"
        std call_mut_1 alloc::boxed::Box<dyn core::ops::function::FnMut(&'_ str) -> u8> | {.0}({1}) | 0>result 1>result 1>0
        std deref_of alloc::boxed::Box<dyn core::ops::function::FnMut(&'_ str) -> u8> | &**{0} | &0>result 0>result
    "#]],
    );
}

#[test]
fn trait_objects_and_unknown_unsized_types_are_left_alone() {
    check(&found("alloc::boxed::Box<dyn a::B>", "&dyn a::C"), &expect![[""]]);
}

#[test]
fn each_type_is_probed_once() {
    let found = found("&mut alloc::vec::Vec<u8>", "alloc::vec::Vec<u8>");
    let mut names: Vec<&str> = found.probes.iter().map(|probe| probe.type_name.as_str()).collect();
    let n_probes = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n_probes);
    assert!(names.contains(&"&mut alloc::vec::Vec<u8>"), "{names:?}");
}

#[test]
fn every_row_says_its_kind() {
    for way in std_types::rows().flat_map(|row| row.makers.iter().chain(row.takers)) {
        let expected = match way.function {
            "option_unwrap" => OpKind::UnwrapSome,
            "result_unwrap" => OpKind::UnwrapOk,
            "result_unwrap_err" => OpKind::UnwrapErr,
            "default_of" => OpKind::DefaultValue,
            "clone_of" => OpKind::Clone,
            _ => OpKind::OfStd,
        };
        assert_eq!(way.kind, expected, "{}", way.function);
    }
}

#[test]
fn every_row_can_be_read_and_binds_what_its_operations_name() {
    for row in std_types::rows() {
        let pattern = TypeName::parse(row.pattern);
        assert!(!matches!(pattern, TypeName::Other(_)), "{}", row.pattern);
        // A pattern has its own form, with each placeholder standing for itself.
        let bindings = bind(&pattern, &pattern).expect(row.pattern).with_self(&pattern);
        for way in row.makers.iter().chain(row.takers) {
            for ty in way.args.iter().chain([&way.result]) {
                assert!(substitute(&TypeName::parse(ty), &bindings).is_some(), "{ty} of {}", row.pattern);
            }
            let is_named =
                |index| [format!("{{{index}}}"), format!("{{.{index}}}")].iter().any(|p| way.text.contains(p));
            assert!((0..way.args.len()).all(is_named), "{} of {}", way.text, row.pattern);
        }
    }
}
