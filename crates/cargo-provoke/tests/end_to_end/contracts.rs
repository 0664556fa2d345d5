//! Who breaks a contract is to blame for it: callers for preconditions, the crate for everything else.

use std::fs;

use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

/// The fixture says itself what is expected of it, beside the code that is to blame.
#[test]
fn the_crate_is_accused_of_what_it_breaks_and_of_nothing_that_its_callers_break() {
    let copied = CopiedCrate::testdata("ledger");
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
}
