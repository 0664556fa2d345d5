//! Whatever program shows a finding first, the minimiser arrives at the same size, and nothing single is left to remove.

use std::fs;

use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::{number, text};

/// What the minimiser made of each of so many other programs that show the only finding.
fn trials(copied: &CopiedCrate, package: &str, args: &[&str], n_trials: usize) -> Vec<Value> {
    let n = n_trials.to_string();
    let run = copied.provoke(&[args, &["--trials", &n, "--quiet"]].concat()).exits_with(100);
    assert_eq!(run.findings().len(), 1, "{}", run.stderr);
    let log = copied.path("target/provoke").join(package).join("log/trials.json");
    let log: Value = serde_json::from_str(&fs::read_to_string(log).unwrap()).unwrap();
    let trials = log.as_array().expect("a list of trials").clone();
    assert_eq!(trials.len(), n_trials, "enough programs came along");
    for trial in &trials {
        assert_eq!(trial["id"], run.findings()[0]["id"]);
        assert_eq!(trial["is_minimal"], true, "{trial:#}");
        assert!(number(&trial["replays"]) <= 10_000, "{trial:#}");
    }
    trials
}

#[test]
fn any_program_with_the_bug_of_add_comes_down_to_six_statements() {
    let copied = CopiedCrate::subject("polynomial");
    let trials = trials(&copied, "polynomial", &["--calls", "4M", "--strategy", "directed", "--only", "Poly::add"], 50);
    for trial in &trials {
        assert_eq!(text(&trial["function"]), "polynomial::Poly::add");
        assert!(number(&trial["statements"]) <= 6, "{trial:#}");
        assert!(number(&trial["calls"]) <= 6, "{trial:#}");
    }
    let longest = trials.iter().map(|trial| number(&trial["calls_before_minimizing"])).max();
    assert!(longest > Some(20), "they were not that short from the start: {longest:?}");
}

#[test]
fn any_program_with_the_bug_of_the_sorted_list_comes_down_to_four_calls() {
    let copied = CopiedCrate::subject("sorted-list");
    for trial in trials(&copied, "sorted-list", &["--calls", "300k"], 20) {
        assert_eq!(number(&trial["calls"]), 4, "{trial:#}");
    }
}
