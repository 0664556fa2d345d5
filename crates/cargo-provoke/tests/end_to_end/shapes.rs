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
    let copied = CopiedCrate::behaviour("shapes");
    let run = copied.provoke(&["--calls", "300k"]).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    let api = &run.summary()["api"];
    expect![[r#"
        shapes::hidden::Nameless::value: its type or trait cannot be named from outside
    "#]]
    .assert_eq(&reasons(&api["skipped"]));
    assert_eq!(reasons(&api["uncovered"]), "");
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
    let run = CopiedCrate::behaviour("std-values").provoke(&["--calls", "300k"]).exits_with(100);
    let summary = run.summary();
    assert_eq!(summary["tests"]["rejected"], 0);
    assert_eq!(summary["api"]["covered"], summary["api"]["functions"]);
    let found = run.verdicts();
    // Every function has its fault, also the last three, which fail only when their results are driven.
    expect![[r#"
        error std_values::arrays
        error std_values::bounds
        error std_values::caller
        error std_values::cells
        error std_values::context
        error std_values::cows
        error std_values::error
        error std_values::later
        error std_values::lazy
        error std_values::letters
        error std_values::map
        error std_values::net
        error std_values::numbers
        error std_values::ordered_map
        error std_values::pinned
        error std_values::sets
        error std_values::shared
        error std_values::system_text
        error std_values::time
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

#[test]
fn types_of_two_versions_of_one_dependency_are_told_apart() {
    let run = CopiedCrate::behaviour("two-versions").provoke(&["--calls", "50k"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error two_versions::both"]);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let api = &run.summary()["api"];
    assert_eq!(api["covered"], api["callable"], "{api:#}");
    assert_eq!(reasons(&api["skipped"]), "");
}

#[test]
fn types_and_traits_of_a_dependency_are_made_and_met_and_named() {
    let copied = CopiedCrate::behaviour("types-of-dependencies");
    let before = copied.files();
    let run = copied.provoke(&["--calls", "2M", "--offline"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error types_of_dependencies::refill"]);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let api = &run.summary()["api"];
    // The dependency's own functions are called, but are not what is tested.
    assert_eq!((&api["functions"], &api["covered"]), (&4.into(), &4.into()), "{api:#}");
    assert_eq!(copied.files(), before);

    // A test of the package can name what the package depends on.
    copied.provoke(&["--calls", "2M", "--offline", "--write-tests"]).exits_with(100);
    let id = text(&run.findings()[0]["id"]);
    let test = std::fs::read_to_string(copied.path(&format!("tests/provoke_{id}.rs"))).unwrap();
    assert!(test.contains("use meters::Gauge;"), "{test}");
    let tests = copied.cargo(&["test", "--offline", "--tests"]);
    assert!(tests.stdout.contains("an open gauge at three"), "{}\n{}", tests.stdout, tests.stderr);
}
