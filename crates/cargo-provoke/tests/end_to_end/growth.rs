//! How coverage and findings grew, as the summary has it.

use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::number;

fn points(summary: &Value) -> Vec<Value> {
    summary["growth"].as_array().expect("a list of points").clone()
}

#[test]
fn growth_never_falls_and_its_last_point_has_the_totals() {
    let copied = CopiedCrate::subject("polynomial");
    let run = copied.provoke(&["--calls", "100k", "--seed", "3", "--without", "regression"]).exits_with(100);
    let summary = run.summary();
    let points = points(summary);
    assert!(points.len() > 3, "{points:?}");
    let names = ["calls", "programs", "edges", "functions", "findings"];
    for pair in points.windows(2) {
        let [before, after] = [&pair[0], &pair[1]].map(|point| names.map(|name| number(&point[name])));
        assert!(before[..2] < after[..2], "{pair:?}");
        assert!(before.iter().zip(&after).all(|(before, after)| before <= after), "{pair:?}");
        assert!(before[2..] != after[2..], "nothing is new in {pair:?}");
    }
    let last = points.last().unwrap();
    assert_eq!(last["edges"], summary["coverage"]["edges"]);
    assert_eq!(last["functions"], summary["api"]["covered"]);
    assert_eq!(number(&last["findings"]), run.findings().len() as u64);
    assert!(number(&last["calls"]) <= number(&summary["search"]["calls"]));
}

#[test]
fn without_counters_functions_and_findings_grow_and_edges_are_not_known() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--calls", "2k", "--without", "counters,regression"]).exits_with(0);
    let points = points(run.summary());
    assert!(!points.is_empty() && points.iter().all(|point| point["edges"].is_null()), "{points:?}");
}
