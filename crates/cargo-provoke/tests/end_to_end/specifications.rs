//! What users specify in their code is asked after every step, and whoever breaks it is told.

use std::fs;

use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

/// What was found, without the crate and the module, as `tier oracle function: message`.
fn found_in(run: &Run, module: &str) -> Vec<String> {
    let of_module = |finding: &Value| {
        let function = text(&finding["function"]).strip_prefix(module)?.strip_prefix("::")?.to_string();
        let (tier, oracle) = (text(&finding["tier"]), text(&finding["oracle"]));
        Some(format!("{tier} {oracle} {function}: {}", text(&finding["message"])))
    };
    let mut found: Vec<String> = run.findings().iter().filter_map(of_module).collect();
    found.sort_unstable();
    found
}

#[test]
fn the_specification_of_the_paper_finds_its_faults_in_the_words_of_three_crates() {
    let copied = CopiedCrate::subject("specified-list");
    let run = copied.provoke(&["--calls", "1M", "--probes", "--without", "regression"]).exits_with(100);
    let summary = run.summary();
    assert_eq!(summary["tests"]["rejected"], 0);
    let always = [
        "error overflow SortedList::get: attempt to subtract with overflow",
        "error probe SortedList::insert_max_again: the greatest comes last",
        "error temporal SortedList::insert: `unchanged_unless` of `stays_as_it_is_when_closed` is broken",
    ];
    for (module, postcondition) in [
        ("with_provoke", "Post-condition of get violated: self.items.last().is_none_or(|last| *last <= greatest)"),
        ("with_contracts", "Post-condition of get violated: self.items.last().is_none_or(|last| *last <= ret)"),
        (
            "with_anodized",
            "postcondition failed: at least one of `self.items.is_empty() || self.max.as_ref().is_some_and(|max| self.items.contains(max))`, `|ref greatest| self.items.last().is_none_or(|last| last <= greatest)`",
        ),
    ] {
        let mut expected = always.map(str::to_string).to_vec();
        expected.push(format!("error postcondition SortedList::get: {postcondition}"));
        expected.sort_unstable();
        assert_eq!(found_in(&run, &format!("specified_list::{module}")), expected, "{module}");
    }
    assert_eq!(run.findings().len(), 12, "and nothing else");
    let contracts = &summary["contracts"];
    let models = contracts["specifications"].as_array().unwrap().iter().filter(|it| it["kind"] == "model");
    let discarded: Vec<u64> = models.map(|model| model["discarded"].as_u64().unwrap()).collect();
    assert!(discarded.len() == 3 && discarded.iter().all(|n| *n > 0), "{discarded:?}");
    let functions = contracts["functions"].as_array().unwrap();
    assert_eq!(functions.len(), 3, "{functions:?}");
    assert!(functions.iter().all(|it| it["satisfied"].as_u64() > Some(0) && it["violated"].as_u64() > Some(0)));
}

#[test]
fn the_test_of_a_broken_history_shows_every_point_of_it() {
    let copied = CopiedCrate::subject("specified-list");
    let only = ["--only", "with_provoke::*", "--calls", "200k", "--without", "regression"];
    let run = copied.provoke(&only).exits_with(100);
    let findings = run.findings();
    let finding = findings.iter().find(|finding| finding["oracle"] == "temporal").expect("it is found");
    let test = copied.path("target/provoke/specified-list").join(text(&finding["test"]));
    let source = fs::read_to_string(test).unwrap();
    for expected in [
        "#![allow(unexpected_cfgs)]\n#![cfg(provoke)]\n",
        "// RUSTFLAGS=\"--cfg provoke\" cargo test\n",
        "let mut watch = Watch::new();\n",
        "    sorted_list.close();\n    sorted_list.__provoke_temporal_stays_as_it_is_when_closed(&mut watch);\n",
        "    assert_eq!(watch.violation(), None);\n}\n",
    ] {
        assert!(source.contains(expected), "{expected}\n{source}");
    }
    assert!(!findings.iter().any(|finding| finding["oracle"] == "probe"), "probes are called on request only");
    let trace = finding["trace"].as_array().unwrap();
    assert!(trace.len() >= 3, "{trace:?}");
    copied.provoke(&["replay", text(&finding["id"])]).exits_with(0);
}

#[test]
fn what_is_broken_is_told_and_what_is_kept_is_not() {
    let copied = CopiedCrate::behaviour("in-code-specs");
    let files = ["src/lib.rs", "src/lives.rs", "src/values.rs"];
    let sources: Vec<String> = files.iter().map(|file| fs::read_to_string(copied.path(file)).unwrap()).collect();
    let lines = sources.iter().flat_map(|source| source.lines());
    let mut expected: Vec<&str> = lines.filter_map(|line| line.trim_start().strip_prefix("// expected: ")).collect();
    expected.sort_unstable();
    let run = copied.provoke(&["--calls", "1M"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let line = |finding: &Value| {
        let function = text(&finding["function"]);
        let function = function.strip_prefix("in_code_specs::").or(function.strip_prefix("<in_code_specs::Steps as "));
        let (tier, oracle) = (text(&finding["tier"]), text(&finding["oracle"]));
        format!("{tier} {oracle} {}: {}", function.unwrap(), text(&finding["message"]))
    };
    let mut found: Vec<String> = run.findings().iter().map(line).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(
        run.stderr.contains("the law `is_dark` is not asked: nobody outside of the crate can call it"),
        "{}",
        run.stderr
    );
    let specifications = run.summary()["contracts"]["specifications"].as_array().unwrap();
    let (laws, others): (Vec<&Value>, Vec<&Value>) = specifications.iter().partition(|it| it["kind"] == "law");
    assert!(laws.iter().all(|law| law["asked"].as_u64().is_some_and(|n| n > 0)), "{laws:?}");
    assert!(others.iter().all(|other| other["asked"].is_null()), "{others:?}");
    let functions = run.summary()["contracts"]["functions"].as_array().unwrap();
    let asked_before = |it: &Value| (text(&it["function"]).to_string(), it["clauses"][0]["asked_before"] == true);
    let asked_before: Vec<(String, bool)> = functions.iter().map(asked_before).collect();
    let expected =
        [("in_code_specs::Bridge::enter", false), ("in_code_specs::Well::draw", false), ("in_code_specs::half", true)];
    assert_eq!(asked_before, expected.map(|(function, is_asked)| (function.to_string(), is_asked)));
    let suite = fs::read_to_string(copied.path("target/provoke/in-code-specs/regression.rs")).unwrap();
    assert!(suite.contains("in_code_specs::half(") && !suite.contains("__provoke_"), "{suite}");
}

/// Each of the specifications is no good in a way of its own.
const BAD_SPECIFICATIONS: &str = r#"
use std::cell::Cell;

#[derive(Debug, Default, Clone)]
pub struct Fickle(Cell<u8>);

impl Fickle {
    pub fn new() -> Fickle {
        Fickle(Cell::new(0))
    }

    #[provoke::invariant]
    fn changes_its_mind(&self) -> bool {
        self.0.set(self.0.get().wrapping_add(1));
        self.0.get() % 2 == 1
    }
}

#[derive(Debug, Default, Clone)]
pub struct Nervous(u8);

impl Nervous {
    pub fn new(n: u8) -> Nervous {
        Nervous(n)
    }

    #[provoke::invariant]
    fn panics(&self) -> bool {
        [true, true][usize::from(self.0)]
    }

    #[provoke::temporal]
    fn states_something_else_each_time(&self, watch: &mut provoke::Watch) {
        if self.0 == 0 { watch.always(true) } else { watch.unless(true, false) }
    }

    pub fn set(&mut self, n: u8) {
        self.0 = n;
    }
}

#[derive(Debug, Default, Clone)]
pub struct Moody(u8);

impl Moody {
    pub fn new(n: u8) -> Moody {
        Moody(n)
    }

    #[provoke::model]
    fn panics(&self, _: provoke::Step<'_>) -> bool {
        100 / self.0 > 0
    }

    #[provoke::law]
    fn divides(n: u8) -> bool {
        100 / n <= 100
    }
}

#[derive(Debug)]
pub struct Nobody(());

#[provoke::law]
fn nobody_is_there(_: Nobody) -> bool {
    false
}
"#;

#[test]
fn a_specification_that_is_no_good_is_told_and_accuses_nobody() {
    let provoke = concat!(env!("CARGO_MANIFEST_DIR"), "/../provoke");
    let manifest = format!(
        "[package]\nname = \"fickle\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         provoke = {{ path = {provoke:?} }}\n\n[workspace]\n"
    );
    let copied = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", BAD_SPECIFICATIONS)]);
    let run = copied.provoke(&["--calls", "100k", "--without", "regression"]).exits_with(0);
    assert_eq!(run.findings(), [Value::Null; 0]);
    assert_eq!(run.summary()["api"]["covered"], 4, "what cannot be asked stands in nobody's way");
    let asked = run.summary()["contracts"]["specifications"].as_array().unwrap().clone();
    let told = |it: &Value| {
        let trouble = it["trouble"].as_str().unwrap_or_default().split(" (").next().unwrap();
        format!("{} {}: {trouble}", text(&it["kind"]), text(&it["specification"]))
    };
    assert_eq!(
        asked.iter().map(told).collect::<Vec<_>>(),
        [
            "invariant fickle::Fickle::changes_its_mind: says something else when asked again",
            "law fickle::Moody::divides: panics itself",
            "model fickle::Moody::panics: panics itself",
            "invariant fickle::Nervous::panics: panics itself",
            "temporal fickle::Nervous::states_something_else_each_time: panics itself",
            "law fickle::nobody_is_there: was never asked: nothing made all that it is about",
        ]
    );
    assert!(
        run.stderr
            .contains("warning: the invariant `fickle::Fickle::changes_its_mind` says something else when asked again"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_specification_that_does_not_come_to_an_end_is_told() {
    let provoke = concat!(env!("CARGO_MANIFEST_DIR"), "/../provoke");
    let manifest = format!(
        "[package]\nname = \"slow\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         provoke = {{ path = {provoke:?} }}\n\n[workspace]\n"
    );
    let source = "#[derive(Debug, Clone)]\npub struct Slow(u8);\n\nimpl Slow {\n    pub fn new(n: u8) -> Slow {\n        Slow(n)\n    }\n\n    \
         #[provoke::invariant]\n    fn ends(&self) -> bool {\n        while self.0 == 7 {\n            std::hint::spin_loop();\n        }\n        true\n    }\n}\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", source)]);
    let run = copied.provoke(&["--calls", "10k", "--without", "regression"]).exits_with(0);
    assert_eq!(run.findings(), [Value::Null; 0]);
    assert!(
        run.stderr.contains("warning: the invariant `slow::Slow::ends` does not come to an end, or ends the process"),
        "{}",
        run.stderr
    );
}
