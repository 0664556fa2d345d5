//! Containers that treat their elements badly are found, each by its own oracle; those that do not are left alone.

use expect_test::expect;
use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn elements_that_are_dropped_twice_used_afterwards_or_lost_are_noticed() {
    let run = CopiedCrate::testdata("droppings").provoke(&["--calls", "1M"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let line = |finding: &Value| {
        let parts = ["tier", "oracle", "function"].map(|part| text(&finding[part]));
        format!("{} {} calls", parts.join(" "), finding["calls"])
    };
    let mut found: Vec<String> = run.findings().iter().map(line).collect();
    found.sort();
    expect![[r#"
        error double-drop droppings::bad::Generous::take_first 4 calls
        error double-drop droppings::bad::Touchy::swap_with_first 4 calls
        error use-after-drop droppings::bad::Haunted::ended_with 6 calls
        error use-after-drop droppings::bad::Loose::first 7 calls
        suspicious leak droppings::bad::Forgetful::truncate 4 calls
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}
