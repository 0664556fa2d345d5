//! What the options of `run` do to a whole run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn written_tests_fail_as_promised_and_nothing_else_changes() {
    let copied = CopiedCrate::subject("sorted-list");
    let before = copied.files();
    let run = copied.provoke(&["--calls", "50k", "--json", "../copy.json"]).exits_with(100);
    assert_eq!(copied.files(), before, "a run leaves sources and Cargo.lock alone");
    let copy = fs::read_to_string(copied.path("../copy.json")).unwrap();
    assert_eq!(&serde_json::from_str::<Value>(&copy).unwrap(), run.summary());

    let run = copied.provoke(&["--calls", "50k", "--write-tests"]).exits_with(100);
    let id = text(&run.findings()[0]["id"]);
    let test = copied.path("tests").join(format!("provoke_{id}.rs"));
    let mut after = copied.files();
    let suite = copied.path("tests/provoke_regression.rs");
    for written in [&test, &suite] {
        assert!(after.remove(written).is_some(), "{} is written", written.display());
    }
    assert_eq!(after, before, "nothing else is");
    let origin = "cargo provoke --calls 50k --write-tests\n";
    assert!(fs::read_to_string(&test).unwrap().lines().next().unwrap().ends_with(origin.trim_end()));

    let tested = copied.cargo(&["test", "--offline", "--test", &format!("provoke_{id}")]).exits_with(101);
    let message = text(&run.findings()[0]["message"]);
    assert!(tested.stdout.contains(message), "{message} is not in\n{}", tested.stdout);
    assert!(!tested.stderr.contains("warning"), "{}", tested.stderr);
}

#[test]
fn deny_decides_which_findings_make_the_exit_code() {
    let copied = CopiedCrate::behaviour("outcomes");
    let exits_with = |deny: &str, calls: &str, code: i32| {
        let run = copied.provoke(&["--deny", deny, "--calls", calls]).exits_with(code);
        assert!(!run.findings().is_empty());
    };
    exits_with("none", "500", 0);
    exits_with("suspicious", "500", 100);
    let suspicious = CopiedCrate::of_files(&[
        ("Cargo.toml", "[package]\nname = \"subject\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("src/lib.rs", "pub fn at(place: u8) -> u8 {\n    [2, 3, 5][usize::from(place)]\n}\n"),
    ]);
    for (deny, code) in [("error", 0), ("suspicious", 100), ("none", 0)] {
        let run = suspicious.provoke(&["--deny", deny, "--calls", "200"]).exits_with(code);
        assert_eq!(run.verdicts(), ["suspicious subject::at"]);
    }
}

#[test]
fn a_release_build_has_no_assertions_to_break() {
    let copied = CopiedCrate::subject("bounded-stack");
    let run = copied.provoke(&["--calls", "50k", "--release"]).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
}

#[test]
fn every_strategy_finds_what_is_easy() {
    let copied = CopiedCrate::subject("bounded-stack");
    for arguments in [["--strategy", "walk"], ["--strategy", "legal"], ["--without", "pruning"], ["--same", "none"]] {
        let run = copied.provoke(&[&["--calls", "100k"], &arguments[..]].concat()).exits_with(100);
        assert!(run.verdicts().contains(&"error bounded_stack::BoundedStack::push".to_owned()), "{arguments:?}");
    }
}

#[test]
fn a_time_limit_ends_the_search() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--time", "500ms"]).exits_with(0);
    assert_eq!(run.summary()["search"]["stopped_by"], "time");
    let run = copied.provoke(&["--calls", "1k"]).exits_with(0);
    assert_eq!(run.summary()["search"]["stopped_by"], "calls");
}

#[test]
fn a_search_ends_when_there_is_nothing_new_to_try() {
    let tiny = CopiedCrate::of_files(&[
        ("Cargo.toml", "[package]\nname = \"subject\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("src/lib.rs", "pub fn nothing() {}\npub fn not(b: bool) -> bool {\n    !b\n}\n"),
    ]);
    let run = tiny.provoke(&["--time", "10m"]).exits_with(0);
    assert_eq!(run.summary()["search"]["stopped_by"], "exhausted");
    assert_eq!(run.summary()["api"]["covered"], 2);
}

#[test]
fn ctrl_c_ends_the_search_and_keeps_what_was_found() {
    let copied = CopiedCrate::subject("sorted-list");
    let run = copied.provoke_until("rerun: cargo provoke replay", &["--time", "10m"]).exits_with(100);
    assert_eq!(run.verdicts(), ["error sorted_list::SortedList::get"]);
    assert_eq!(run.summary()["search"]["stopped_by"], "interrupt");
    let id = text(&run.findings()[0]["id"]);
    copied.provoke(&["replay", id]).exits_with(0);

    let correct = CopiedCrate::subject("int-stack");
    let run = correct.provoke_until("Searching for calls", &["--time", "10m"]).exits_with(130);
    assert_eq!(run.findings(), [Value::Null; 0]);
    let building = CopiedCrate::subject("int-stack");
    building.provoke_until("Building harness", &["--time", "10m"]).exits_with(130);
}

#[test]
fn a_workspace_is_tested_package_by_package() {
    let copied = CopiedCrate::behaviour("surroundings");
    let run =
        copied.provoke(&["--workspace", "--calls", "200", "--offline", "--json", "target/ci/all.json"]).exits_with(0);
    let all: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(copied.path("target/ci/all.json")).unwrap()).unwrap();
    let packages: Vec<&str> = all.iter().map(|summary| text(&summary["package"])).collect();
    assert_eq!(packages, ["member", "provoke-surroundings-helper"]);
    for package in ["member", "provoke-surroundings-helper"] {
        assert!(run.stderr.contains(&format!("    Finished {package} v0.1.0 in ")), "{}", run.stderr);
        assert!(copied.path("target/provoke").join(package).join("summary.json").exists());
    }
}

#[test]
fn only_and_omit_choose_the_functions_that_are_tested() {
    let copied = CopiedCrate::behaviour("outcomes");
    let verdicts = |args: &[&str]| copied.provoke(&[&["--calls", "500", "--deny", "none"], args].concat()).verdicts();
    assert_eq!(verdicts(&["--only", "indexes_*"]), ["suspicious outcomes::indexes_without_a_word"]);
    let both = ["--only", "indexes_*", "--only", "adds_plainly", "--omit", "*_without_*"];
    assert_eq!(verdicts(&both), ["suspicious outcomes::adds_plainly"]);
    let all_but_two = verdicts(&["--omit", "aborts", "--omit", "DropsBadly"]);
    assert!(!all_but_two.is_empty());
    assert!(!all_but_two.iter().any(|verdict| verdict.ends_with("::aborts")), "{all_but_two:?}");
}

const DOORS: &str = "\
pub struct Key(usize);

impl Key {
    pub fn right() -> Key {
        Key(1)
    }

    pub fn wrong() -> Key {
        Key(9)
    }
}

pub struct Bell(usize);

impl Bell {
    pub fn new() -> Bell {
        Bell(2)
    }

    pub fn rings(&self) -> usize {
        self.0
    }
}

pub struct Door(u8);

impl Door {
    pub fn open(key: Key, times: usize) -> Door {
        Door([0u8, 1, 2][key.0].wrapping_add(times as u8))
    }

    pub fn width(&self) -> u8 {
        self.0
    }
}
";

#[test]
fn what_is_omitted_is_never_called_and_only_calls_others_for_arguments_alone() {
    let manifest = "[package]\nname = \"doors\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", DOORS)]);
    let provoke = |args: &[&str]| copied.provoke(&[&["--calls", "50k", "--deny", "none"], args].concat()).exits_with(0);
    let run = provoke(&["--omit", "Key::wrong", "--omit", "Bell"]);
    assert_eq!(run.verdicts(), [""; 0]);
    let api = &run.summary()["api"];
    assert_eq!((&api["functions"], &api["callable"]), (&json!(6), &json!(3)));
    let names = ["doors::Door::open", "doors::Door::width", "doors::Key::right"];
    assert_eq!(api["covered_functions"].as_array().unwrap().iter().map(text).collect::<BTreeSet<_>>(), names.into());
    let skipped = ["doors::Bell::new", "doors::Bell::rings", "doors::Key::wrong"]
        .map(|function| json!({ "function": function, "reason": "omitted on the command line", "help": null }));
    assert_eq!(api["skipped"], json!(skipped));
    // The plan is the same, but what makes a key is gone.
    let run = provoke(&["--omit", "Key::*"]);
    let api = &run.summary()["api"];
    let reasons: BTreeMap<&str, &str> =
        api["uncovered"].as_array().unwrap().iter().map(|it| (text(&it["function"]), text(&it["reason"]))).collect();
    assert!(reasons["doors::Door::open"].contains("Key"), "{reasons:?}");

    let run = provoke(&["--only", "Door::*"]);
    assert_eq!(run.verdicts(), ["suspicious doors::Door::open"]);
    let api = &run.summary()["api"];
    let covered: BTreeSet<&str> = api["covered_functions"].as_array().unwrap().iter().map(text).collect();
    // Numbers are written down: nobody has to ring for them.
    assert_eq!(covered, [&names[..], &["doors::Key::wrong"]].concat().into_iter().collect());
}

const LOCKS: &str = "
/// Neither of its impls can be derived.
pub struct Lock(bool);

impl Default for Lock {
    fn default() -> Lock {
        panic!(\"made out of nothing\")
    }
}

impl Clone for Lock {
    fn clone(&self) -> Lock {
        panic!(\"copied {}\", self.0)
    }
}

impl Lock {
    pub fn new() -> Lock {
        Lock(true)
    }

    pub fn is_closed(&self) -> bool {
        self.0
    }
}
";

#[test]
fn default_values_and_clones_are_not_made_where_their_functions_are_omitted() {
    let manifest = "[package]\nname = \"locks\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", LOCKS)]);
    let verdicts = |args: &[&str]| copied.provoke(&[&["--calls", "20k", "--deny", "none"], args].concat()).verdicts();
    let clone = "error <locks::Lock as Clone>::clone";
    assert_eq!(verdicts(&[]), [clone, "error <locks::Lock as Default>::default"]);
    let default = ["--omit", "<locks::Lock as Default>::default"];
    assert_eq!(verdicts(&default), [clone]);
    assert_eq!(verdicts(&[&default[..], &["--omit", "<locks::Lock as Clone>::clone"]].concat()), [""; 0]);
}
