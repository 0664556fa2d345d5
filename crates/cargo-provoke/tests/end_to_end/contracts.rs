//! Who breaks a contract is to blame for it: callers for preconditions, the crate for everything else.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

#[test]
fn the_crate_is_accused_of_what_it_breaks_and_of_nothing_that_its_callers_break() {
    let copied = CopiedCrate::behaviour("contracts-of-contracts");
    let run = finds_what_is_expected(&copied, &["src/lib.rs", "src/situations.rs"], 41);
    let operands = |about: &str| operands(&run, about);
    assert_eq!(operands("with_balance violated"), "balance = 7");
    assert_eq!(operands("code != 3"), "code = 3");
    assert_eq!(operands("of weigh violated"), "load = 100");
    assert_eq!(operands("ret.is_some() -> n < 80"), "n = 88");
    // What it was when the promise was broken, nobody has seen.
    assert_eq!(operands("ret == self.frozen"), "self = Account { balance: 0, frozen: false } before the call");
    let doubled = operands("self.value <= 100");
    assert!(doubled.starts_with("self = Meter { value: ") && doubled.ends_with(" } before the call"), "{doubled}");
    // It is not `relies_on_a_promise` that promises it.
    assert_eq!(operands("ret != 70"), "");
    for finding in run.findings().iter().filter(|finding| finding["oracle"] == "precondition") {
        assert_eq!(finding["operands"], json!([]), "the crate passed something else than the program did: {finding}");
    }
    assert!(run.stderr.contains("\n             called with balance = 7\n"), "{}", run.stderr);
    let frozen = run.findings().iter().find(|finding| text(&finding["message"]).contains("self.frozen")).unwrap();
    let replayed = copied.provoke(&["replay", text(&frozen["id"])]).exits_with(0);
    let with = "\n with: self = Account { balance: 0, frozen: false } (before the call)\n";
    assert!(replayed.stdout.contains(with), "{}", replayed.stdout);
}

/// The operands of the finding about a clause, one behind the other.
fn operands(run: &Run, about: &str) -> String {
    let is_meant = |finding: &&Value| text(&finding["message"]).contains(about);
    let finding = run.findings().iter().find(is_meant).unwrap_or_else(|| panic!("nothing about {about}"));
    let one = |operand: &Value| {
        let moment = if operand["before_call"] == true { " before the call" } else { "" };
        format!("{} = {}{moment}", text(&operand["name"]), text(&operand["value"]))
    };
    finding["operands"].as_array().unwrap().iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn contracts_that_are_checked_on_demand_are_checked() {
    let copied = CopiedCrate::behaviour("contracts-of-anodized");
    let run = finds_what_is_expected(&copied, &["src/lib.rs"], 16);
    for finding in run.findings() {
        let test = copied.path("target/provoke/contracts-of-anodized").join(text(&finding["test"]));
        let source = fs::read_to_string(test).unwrap();
        let command = "\n// RUSTFLAGS=\"--cfg anodized_panic --cfg anodized_print\" cargo test\n";
        assert!(source.contains(command), "{source}");
    }
    let operands = |about: &str| operands(&run, about);
    assert_eq!(operands("cistern.level == level"), "level = 7");
    assert_eq!(operands("shown >= load"), "load = 100");
    assert_eq!(operands("-> Spec!(Pair)"), "", "it is about the result alone, and there is none");
    let contracts = &run.summary()["contracts"];
    assert_eq!(contracts["postconditions"], json!({ "stated": 12, "checked": 12 }));
    assert_eq!(contracts["invariants"], json!({ "stated": 2, "checked": 2 }));
    // Of several that it may be, all are told what they are about.
    let either = operands("at least one of `|is_open|");
    assert!(either.starts_with("self = Cistern { level: 0, is_open: false } before the call, code = "), "{either}");
}

/// The fixture says itself what is expected of it, beside the code that is to blame, and where nobody but callers can be.
fn finds_what_is_expected(copied: &CopiedCrate, files: &[&str], least_situations: usize) -> Run {
    let sources: Vec<String> = files.iter().map(|file| fs::read_to_string(copied.path(file)).unwrap()).collect();
    let marked = |mark: &str| -> Vec<&str> {
        let lines = sources.iter().flat_map(|source| source.lines());
        lines.filter_map(|line| line.trim_start().strip_prefix(mark)).collect()
    };
    let mut expected = marked("// expected: ");
    expected.sort_unstable();
    let n_situations = expected.len() + marked("// callers only: ").len();
    assert!(n_situations >= least_situations, "{n_situations} situations");
    let run = copied.provoke(&["--calls", "1M"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let line = |finding: &Value| {
        format!("{} {}: {}", text(&finding["tier"]), text(&finding["oracle"]), text(&finding["message"]))
    };
    let mut found: Vec<String> = run.findings().iter().map(line).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    run
}

/// What is told about the clauses of a function: whether each is asked before the call, and what is wrong with it.
type Clauses<'a> = Vec<(&'a str, bool, &'a str)>;

fn clauses(function: &Value) -> Clauses<'_> {
    let clauses = function["clauses"].as_array().unwrap().iter();
    fn told(clause: &Value) -> (&str, bool, &str) {
        let trouble = clause["trouble"].as_str().unwrap_or_default();
        (text(&clause["text"]), clause["asked_before"] == true, trouble.split(" (").next().unwrap())
    }
    clauses.map(told).collect()
}

#[test]
fn preconditions_are_asked_before_the_call_where_that_is_possible() {
    let copied = CopiedCrate::behaviour("guarded-preconditions");
    let run = copied.provoke(&["--calls", "300k", "--without", "regression"]).exits_with(100);
    let summary = run.summary();
    assert_eq!(summary["tests"]["rejected"], 0);
    let found: Vec<String> = run.findings().iter().map(|finding| text(&finding["message"]).to_string()).collect();
    assert_eq!(found, ["Pre-condition of down violated: n != 13"], "nobody else breaks anything");
    assert_eq!(run.findings()[0]["operands"], json!([]), "it was 14 that the program passed");
    let contracts = &summary["contracts"];
    let functions = contracts["functions"].as_array().unwrap();
    let told: Vec<(&str, Clauses<'_>)> =
        functions.iter().map(|function| (text(&function["function"]), clauses(function))).collect();
    let expected = [
        ("guarded_preconditions::Door::pass", vec![("width > 10", true, "")]),
        ("guarded_preconditions::Hatch::climb", vec![("self.is_open", false, "")]),
        ("guarded_preconditions::House::enter", vec![("self.len() < Self::MOST", true, "")]),
        (
            "guarded_preconditions::House::nth_from",
            vec![("!self.is_empty()", true, ""), ("n < self.len() -> size_of::<T>() > 0", true, "")],
        ),
        ("guarded_preconditions::House::swap", vec![("self.guests.len() > 1", false, "")]),
        ("guarded_preconditions::cellar::Cellar::light", vec![("self.depth < 3", false, "")]),
        ("guarded_preconditions::down", vec![("n != 13", true, "")]),
        (
            "guarded_preconditions::greet",
            vec![
                ("hour < CLOSING_HOUR", true, ""),
                ("!name.is_empty() && *name != *\"\"", true, ""),
                ("name != \"no  body\"", true, ""),
            ],
        ),
        ("guarded_preconditions::open", vec![("knock() || n > 1000", true, "says something else when asked again")]),
        ("guarded_preconditions::rest", vec![("wait_for(n)", true, "does not come to an end, or ends the process")]),
        ("guarded_preconditions::third", vec![("list[2] > 0", true, "panics itself")]),
        ("guarded_preconditions::unlock", vec![("key.wrapping_mul(key) == SECRET", false, "")]),
    ];
    assert_eq!(told, expected);
    assert_eq!(contracts["never_met"], json!(["guarded_preconditions::unlock"]));
    let unchecked = |function: &&Value| function["clauses"].as_array().unwrap().iter().any(|it| it["checked"] == false);
    let unchecked: Vec<&str> = functions.iter().filter(unchecked).map(|it| text(&it["function"])).collect();
    assert_eq!(unchecked, ["guarded_preconditions::Hatch::climb"]);
    let told = "Unchecked 1 function called whatever the preconditions say, which this build leaves out: guarded_preconditions::Hatch::climb";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    for function in functions.iter().filter(|it| text(&it["function"]) != unchecked[0]) {
        let count = |field: &str| function[field].as_u64().unwrap();
        assert!(count("attempts") > 0 && count("violated") > 0, "{function}");
        assert_eq!(count("attempts"), count("satisfied") + count("violated"), "{function}");
    }
    let uncovered = summary["api"]["uncovered"].as_array().unwrap();
    let reason = |function: &str| uncovered.iter().find(|entry| entry["function"] == function).unwrap();
    assert_eq!(
        reason("guarded_preconditions::unlock")["reason"],
        "no call met its precondition `key.wrapping_mul(key) == SECRET`"
    );
    assert!(run.stderr.contains("Untested 1 function"), "{}", run.stderr);
    assert!(run.stderr.contains("warning: the precondition `list[2] > 0` at src/lib.rs:"), "{}", run.stderr);
}

#[test]
fn a_clause_that_goes_wrong_when_it_is_checked_is_told_and_accuses_nobody() {
    let copied = CopiedCrate::behaviour("faulty-clauses");
    // With most seeds `both` is met in time: its clause panics at the same place, and few of those
    // panics are looked into.
    let run = copied.provoke(&["--calls", "60k", "--seed", "2", "--without", "regression"]).exits_with(100);
    let own = [
        "faulty_clauses::Balance::own_bug",
        "faulty_clauses::Scales::both",
        "faulty_clauses::Scales::own_bug",
        "faulty_clauses::Scales::own_overflow",
    ];
    let found = |run: &Run| -> BTreeSet<String> {
        run.findings().iter().map(|finding| text(&finding["function"]).to_string()).collect()
    };
    assert_eq!(found(&run), own.map(str::to_string).into());
    let spoilt = run.summary()["contracts"]["spoilt_clauses"].as_array().unwrap().clone();
    let told: BTreeSet<(&str, &str, &str)> =
        spoilt.iter().map(|it| (text(&it["function"]), text(&it["kind"]), text(&it["trouble"]))).collect();
    let expected = [
        ("", "invariant", "panics itself"),
        ("both", "postcondition", "panics itself"),
        ("breaks_another", "postcondition", "panics itself"),
        ("counts_readings", "postcondition", "changes what it is about"),
        ("helper_panics", "postcondition", "panics itself"),
        ("looks_back", "postcondition", "panics itself"),
        ("never_ends", "postcondition", "does not come to an end"),
        ("nth", "postcondition", "panics itself"),
        ("overflows", "postcondition", "overflows the stack"),
        ("overflows_in_writing", "postcondition", "overflows the stack"),
        ("panics_about_the_past", "postcondition", "panics itself"),
        ("panics_on_entry", "precondition", "panics itself"),
        ("reads_nothing", "postcondition", "changes what it is about"),
        ("tallies_for_ever", "postcondition", "does not come to an end"),
    ];
    assert_eq!(told, BTreeSet::from(expected));
    assert_eq!(spoilt.len(), expected.len() + 1, "one of them with each crate");
    let clause = "the postcondition `self.swing(0) < 5` at src/lib.rs:";
    assert!(run.stderr.contains(&format!("warning: {clause}")), "{}", run.stderr);
    // Stacks are larger there, and signals are handled by others as well.
    let sanitized =
        copied.provoke(&["--calls", "30k", "--seed", "2", "--sanitizer", "address", "--without", "regression"]);
    assert_eq!(found(&sanitized.exits_with(100)), own.map(str::to_string).into());
    let n_hints = run.stderr.matches("hint: a clause should be true or false in every state").count();
    assert_eq!(n_hints, 1, "{}", run.stderr);
}
