//! Which types are chosen: the plan of a little crate whose functions each ask for something else.

use std::collections::BTreeMap;
use std::path::Path;

use expect_test::expect_file;
use provoke_api::OpRole;
use provoke_codegen::{PlannedOp, add_types_by_hand, plan, plan_telling};

/// Every function with the operations planned for it, or why there are none.
#[test]
fn types_are_chosen_by_what_the_bounds_ask() {
    expect_file!["plan/bounds.txt"].assert_eq(&planned("bounds"));
}

/// Not tuples of one where there are others, not wrappers where there is something to wrap, and not numbers alone but fractions.
#[test]
fn points_have_more_than_one_dimension() {
    expect_file!["plan/space.txt"].assert_eq(&planned("space"));
}

/// The types that users list for a trait, in their order; what the solver takes by itself only where none of them fits.
#[test]
fn types_by_hand_go_before_all_others() {
    let listed = [
        // Of the crate: one that the solver takes second, and one that it does not take at all.
        ("Walk", &["bounds::Reversed<bounds::Reversed<u16>>", "u16"][..]),
        // What nobody can import can be asked for all the same.
        ("bounds::sealed::State", &["bounds::Shut"]),
        // Of std, with a type that the API does not mention.
        ("std::hash::BuildHasher", &["std::hash::BuildHasherDefault<std::hash::DefaultHasher>"]),
        ("FromStr", &["bool", "std::net::IpAddr", "std::path::PathBuf"]),
        // Every second type has it, but here only this one counts.
        ("core::cmp::Ord", &["char"]),
        // For `impl Trait` as for parameters; the first is no path that converts into all that is asked for.
        ("std::convert::AsRef", &["std::path::PathBuf", "Box<str>"]),
        // It does not implement it, and the crate alone could have changed that.
        ("Wanted", &["String"]),
    ];
    let mut planned = planned_with("bounds", &listed);
    let by_itself = planned_with("bounds", &[]);
    planned.retain(|function, ops| by_itself.get(function) != Some(ops));
    expect_file!["plan/by_hand.txt"].assert_eq(&shown(&planned));
}

/// The operations for each function of a little crate, or why there are none.
fn planned(name: &str) -> String {
    shown(&planned_with(name, &[]))
}

/// By function.
type Planned = BTreeMap<String, Vec<String>>;

fn shown(planned: &Planned) -> String {
    planned.iter().map(|(function, ops)| format!("{function}\n    {}\n", ops.join("\n    "))).collect()
}

/// The same with types that users list for traits.
fn planned_with(name: &str, listed: &[(&str, &[&str])]) -> Planned {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata");
    let json = std::fs::read_to_string(fixtures.join(name).with_extension("json")).expect("a fixture");
    let mut model = provoke_model::read(&json).expect("a model");
    for (trait_path, types) in listed {
        let types: Vec<String> = types.iter().map(ToString::to_string).collect();
        add_types_by_hand(&mut model, trait_path, &types).expect("names that are known");
    }
    let plan = plan(&model);
    let mut lines = Planned::new();
    for op in &plan.ops {
        if let Some(index) = op.function {
            lines.entry(model.functions[index].display.clone()).or_default().push(op.key.clone());
        }
    }
    for skip in &plan.skips {
        lines.entry(skip.function.clone()).or_default().push(format!("skipped: {}", skip.reason));
    }
    lines
}

/// Types whose clones are asked about: those of the crate that can be cloned and shown, and of which nothing says that they share.
#[test]
fn clones_are_asked_about_where_nothing_says_that_they_share() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata");
    let planned = |what: &str, said: &str| -> Vec<String> {
        let json = std::fs::read_to_string(fixtures.join("members.json")).expect("a fixture");
        let mut model = provoke_model::read(&json).expect("a model");
        model.types.iter_mut().for_each(|def| def.docs.text.push_str(said));
        let ops = plan(&model).ops;
        ops.iter().filter_map(|op| op.key.strip_prefix(what)).map(str::to_string).collect()
    };
    let bags = ["::members::Bag<::std::string::String>", "::members::Bag<i32>"];
    assert_eq!(planned("law clone-independent ", ""), bags);
    assert_eq!(planned("law clone-independent ", "Handles to a bag."), [""; 0]);
    assert_eq!(planned("watch clone ", "Handles to a bag."), bags);
}

/// What is written by hand is formatted with widths and flags, too; what is derived leaves those to std.
#[test]
fn formatting_comes_in_several_styles() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata");
    let json = std::fs::read_to_string(fixtures.join("members.json")).expect("a fixture");
    let ops = plan(&provoke_model::read(&json).expect("a model")).ops;
    let styles: Vec<&str> =
        ops.iter().filter(|op| op.key.starts_with("format!")).map(|op| op.text.pretty.as_str()).collect();
    expect_test::expect![[r#"
        [
            "format!(\"{:*>40}\", {.0})",
            "format!(\"{:<03}\", {.0})",
            "format!(\"{:^+40.1}\", {.0})",
            "format!(\"{}\", {.0})",
            "format!(\"{}\", {.0})",
            "format!(\"{}\", {.0})",
            "format!(\"{}\", {.0})",
            "format!(\"{}\", {.0})",
        ]
    "#]]
    .assert_debug_eq(&styles);
}

/// Of literals and fields, those in which programs choose the fields of a struct.
#[test]
fn fields_of_structs_are_set_by_literals_and_assignments() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata");
    let json = std::fs::read_to_string(fixtures.join("members.json")).expect("a fixture");
    let ops = plan(&provoke_model::read(&json).expect("a model")).ops;
    let (set, others): (Vec<_>, Vec<_>) =
        ops.iter().filter(|op| op.role == OpRole::Constructor).partition(|op| op.kind.sets_fields());
    let keys = |ops: Vec<&PlannedOp>| ops.iter().map(|op| format!("{}\n", op.key)).collect::<String>();
    expect_test::expect![[r#"
        members::Bag<::provoke_exec::Tracked>.label = _
        members::Bag<::std::string::String>.label = _
        members::Bag<char>.label = _
        members::Bag<i32>.label = _
        members::Bag<u16>.label = _
        members::Bag<u8>.label = _
        members::Matrix<i32, 4> { cells }
        members::Matrix<i32, 4>.cells = _
        members::Matrix<i32, 8> { cells }
        members::Matrix<i32, 8>.cells = _
        members::Matrix<u8, 2> { cells }
        members::Matrix<u8, 2>.cells = _
        members::Mixed.0 = _
        members::Settings.depth = _
        but not
        const <::members::Bag<::std::string::String> as ::members::Shape>::SIDES
        const <::members::Bag<::std::string::String>>::CAPACITY
        const <::members::Bag<i32> as ::members::Shape>::SIDES
        const <::members::Bag<i32>>::CAPACITY
        const <u8 as ::members::Shape>::SIDES
        const members::LIMIT
        const members::NAME
        members::Bag<::provoke_exec::Tracked>.label
        members::Bag<::std::string::String>.label
        members::Bag<char>.label
        members::Bag<i32>.label
        members::Bag<u16>.label
        members::Bag<u8>.label
        members::Kind<'static>::Named { size }
        members::Kind<'static>::Tuple { 0, 1 }
        members::Kind<'static>::Unit {  }
        members::Matrix<i32, 4>.cells
        members::Matrix<i32, 8>.cells
        members::Matrix<u8, 2>.cells
        members::Mixed.0
        members::Settings.depth
    "#]]
    .assert_eq(&format!("{}but not\n{}", keys(set), keys(others)));
}

/// Whoever waits can be shown where it is.
#[test]
fn the_planner_tells_how_far_it_is_before_each_function() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../provoke-model/testdata");
    let json = std::fs::read_to_string(fixtures.join("bounds.json")).expect("a fixture");
    let model = provoke_model::read(&json).expect("a model");
    let n_functions = model.functions.len();
    let mut told = Vec::new();
    let planned = plan_telling(&model, &mut |n_done| told.push(n_done));
    assert!(told.is_sorted());
    // Later passes start with what is nearly all.
    assert_eq!(told[..n_functions], (0..n_functions).collect::<Vec<_>>());
    assert_eq!(told.last(), Some(&n_functions));
    assert_eq!(told.iter().filter(|n_done| **n_done == n_functions).count(), 1);
    assert_eq!(planned.ops.len(), plan(&model).ops.len());
}
