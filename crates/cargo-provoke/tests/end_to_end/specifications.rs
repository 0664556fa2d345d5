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
