//! The regression suite: what it says, what it must not say, and that it can be had in the package's own tests.

use std::fs;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, number, text};

const TESTS: &str = "tests/provoke_regression.rs";

/// Every covered function is called by some test.
#[track_caller]
fn assert_covers(run: &Run, source: &str) {
    for function in run.summary()["api"]["covered_functions"].as_array().expect("a list of functions") {
        let name = text(function).rsplit("::").next().unwrap();
        assert!(source.contains(&format!("{name}(")), "{name} is called by no test:\n{source}");
    }
}

/// The assertions about what any of these functions returned.
fn assertions<'s>(source: &'s str, functions: &[&str]) -> Vec<&'s str> {
    let is_about = |line: &&str| functions.iter().any(|function| line.contains(function));
    source.lines().filter(|line| line.trim_start().starts_with("assert")).filter(is_about).collect()
}

#[test]
fn the_suite_says_what_the_crate_does_and_nothing_that_changes_from_run_to_run() {
    let copied = CopiedCrate::behaviour("regression-assertions");
    let run = copied.provoke(&["--calls", "20k", "--seed", "5", "--write-tests"]).exits_with(0);
    let source = fs::read_to_string(copied.path(TESTS)).unwrap();
    let kept = fs::read_to_string(copied.path("target/provoke/regression-assertions/regression.rs")).unwrap();
    assert_eq!(source, kept);
    let tests = &run.summary()["tests"];
    assert_eq!(number(&tests["regression"]) as usize, source.matches("#[test]\n").count());
    assert_eq!((number(&tests["rejected"]), number(&tests["regression_left_out"])), (0, 0));
    assert_covers(&run, &source);
    assert!(
        source.contains("#[should_panic(expected = \"there is no book there\")]\nfn shelf_at_panics() {"),
        "{source}"
    );
    for ending in ["take_returns_some", "take_returns_none", "halve_returns_ok", "halve_returns_err"] {
        assert!(source.contains(ending), "no test for {ending}:\n{source}");
    }
    assert_eq!(assertions(&source, &["address", "ticket"]), [""; 0], "{source}");
    let command_line = "cargo provoke --calls 20k --seed 5 --write-tests";
    let origin = format!("// Written by cargo-provoke {} with seed 5: {command_line}\n", env!("CARGO_PKG_VERSION"));
    assert!(source.contains(&origin), "{source}");

    let tested = copied.cargo(&["test", "--offline", "--test", "provoke_regression"]).exits_with(0);
    assert!(!tested.stderr.contains("warning"), "{}", tested.stderr);
    assert_eq!(copied.tests_that_rustfmt_would_change(), [""; 0]);
    let changed = fs::read_to_string(copied.path("src/lib.rs")).unwrap().replace("n / 2", "n / 3");
    fs::write(copied.path("src/lib.rs"), changed.replace("self.books.pop()", "None")).unwrap();
    let tested = copied.cargo(&["test", "--offline", "--test", "provoke_regression"]).exits_with(101);
    assert!(tested.stdout.contains("test shelf_take_returns_some ... FAILED"), "{}", tested.stdout);
}

#[test]
fn hash_order_clocks_and_addresses_are_not_asserted_and_a_suite_is_repeatable() {
    let copied = CopiedCrate::behaviour("nondeterminism");
    let suite = || {
        let run = copied.provoke(&["--calls", "20k", "--quiet"]).exits_with(100);
        let source = fs::read_to_string(copied.path("target/provoke/nondeterminism/regression.rs")).unwrap();
        assert_covers(&run, &source);
        source
    };
    let first = suite();
    let by_chance = ["last_digit_of_the_time", "time_for_nothing", "address_of_a_value", "address_of_a_function"];
    assert_eq!(assertions(&first, &by_chance), [""; 0], "{first}");
    assert_eq!(suite(), first);
}

#[test]
fn tests_are_laid_out_by_the_settings_of_the_package_or_plainly_where_there_is_no_rustfmt() {
    let copied = CopiedCrate::behaviour("regression-assertions");
    fs::write(copied.path("rustfmt.toml"), "max_width = 60\ntab_spaces = 2\n").unwrap();
    let suite = |variables: &[(&str, &str)]| {
        copied.provoke_with(&["--calls", "2k", "--write-tests", "--quiet"], variables).exits_with(0);
        fs::read_to_string(copied.path("tests/provoke_regression.rs")).unwrap()
    };
    let plain = suite(&[("RUSTFMT", "no-such-program-anywhere")]);
    assert!(plain.contains("\n    let "), "{plain}");
    assert_ne!(copied.tests_that_rustfmt_would_change(), [""; 0]);
    let formatted = suite(&[]);
    assert!(formatted.contains("\n  let "), "{formatted}");
    assert_eq!(copied.tests_that_rustfmt_would_change(), [""; 0]);
}

#[test]
fn a_suite_can_be_left_out() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--calls", "1k", "--without", "regression"]).exits_with(0);
    assert!(run.summary()["tests"]["regression"].is_null());
    assert!(!copied.path("target/provoke/int-stack/regression.rs").exists());
    assert!(!run.stderr.contains("regression"), "{}", run.stderr);
}

#[test]
fn without_time_there_is_no_suite() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--time", "20ms"]);
    // On a busy machine no call is made in that time, which is no success.
    assert!([Some(0), Some(4)].contains(&run.code), "{}", run.stderr);
    assert_eq!(run.summary()["tests"]["regression"], 0);
    assert!(!copied.path("target/provoke/int-stack/regression.rs").exists());
}
