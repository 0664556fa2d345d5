//! Public items of every shape can be called, and calls return.

use expect_test::expect;
use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

fn reasons(list: &Value) -> String {
    let list = list.as_array().expect("a list");
    list.iter().map(|entry| format!("{}: {}\n", text(&entry["function"]), text(&entry["reason"]))).collect()
}

#[test]
fn items_of_every_shape_are_callable_and_covered() {
    let copied = CopiedCrate::testdata("shapes");
    let run = copied.provoke(&["--calls", "300k"]).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    let api = &run.summary()["api"];
    assert_eq!(api["callable"], api["functions"], "{api:#}");
    assert_eq!(reasons(&api["skipped"]), "");
    expect![[r#"
        shapes::generics::Bag::map_all: needs a `fn(alloc::string::String) -> alloc::string::String`, and nothing in the crate makes one
        shapes::traits::measure: no call returned normally: the arguments tried were refused or led to a panic
    "#]].assert_eq(&reasons(&api["uncovered"]));
    let list = copied.provoke(&["list"]).exits_with(0).stdout;
    for function in ["once", "through_a_glob", "out_of_fashion", "match"] {
        assert!(list.contains(&format!("  covered   {function}\n")), "{function} is not in\n{list}");
    }
    for function in ["not_to_be_seen", "not_to_be_called"] {
        assert!(!list.contains(function), "{function} is in\n{list}");
    }
}

#[test]
fn tests_with_values_of_std_types_compile() {
    let run = CopiedCrate::testdata("material").provoke(&["--calls", "300k"]).exits_with(100);
    let summary = run.summary();
    assert_eq!(summary["tests"]["rejected"], 0);
    assert_eq!(summary["api"]["covered"], summary["api"]["functions"]);
    let found = run.verdicts();
    // Every function has its fault, also the last three, which fail only when their results are driven.
    expect![[r#"
        error material::arrays
        error material::bounds
        error material::caller
        error material::cells
        error material::context
        error material::cows
        error material::error
        error material::later
        error material::lazy
        error material::letters
        error material::map
        error material::net
        error material::numbers
        error material::ordered_map
        error material::pinned
        error material::sets
        error material::shared
        error material::system_text
        error material::time
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

#[test]
fn types_of_two_versions_of_one_dependency_are_told_apart() {
    let run = CopiedCrate::testdata("two-versions").provoke(&["--calls", "50k"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error two_versions::both"]);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let api = &run.summary()["api"];
    assert_eq!(api["covered"], api["callable"], "{api:#}");
    // Nobody outside the crate has either version as a dependency of their own.
    expect![[r#"
        <two_versions::Rope as meter::Long>::length: its type or trait cannot be named from outside
        <two_versions::Rope as meter::Long>::length#2: its type or trait cannot be named from outside
    "#]]
    .assert_eq(&reasons(&api["skipped"]));
}
