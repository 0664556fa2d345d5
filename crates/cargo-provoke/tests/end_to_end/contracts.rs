//! Who breaks a contract is to blame for it: callers for preconditions, the crate for everything else.

use std::fs;

use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

#[test]
fn the_crate_is_accused_of_what_it_breaks_and_of_nothing_that_its_callers_break() {
    finds_what_is_expected(&CopiedCrate::testdata("ledger"));
}

#[test]
fn contracts_that_are_checked_on_demand_are_checked() {
    let copied = CopiedCrate::testdata("cistern");
    let run = finds_what_is_expected(&copied);
    for finding in run.findings() {
        let test = copied.path("target/provoke/cistern").join(text(&finding["test"]));
        let source = fs::read_to_string(test).unwrap();
        let command = "\n// RUSTFLAGS=\"--cfg anodized_panic --cfg anodized_print\" cargo test\n";
        assert!(source.contains(command), "{source}");
    }
}

/// The fixture says itself what is expected of it, beside the code that is to blame.
fn finds_what_is_expected(copied: &CopiedCrate) -> Run {
    let source = fs::read_to_string(copied.path("src/lib.rs")).unwrap();
    let mut expected: Vec<&str> =
        source.lines().filter_map(|line| line.trim_start().strip_prefix("// expected: ")).collect();
    expected.sort_unstable();
    assert!(expected.len() >= 10, "{expected:?}");
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
