//! `--until plateau`: a search that ends when going on is hardly worth it.

use crate::copied_crate::CopiedCrate;
use crate::run::number;

#[test]
fn a_search_stops_where_nothing_new_comes_whoever_runs_it() {
    let copied = CopiedCrate::subject("bounded-stack");
    let args = ["--until", "plateau", "--calls", "1G", "--without", "regression", "--sanitizer", "none"];
    let run = |jobs: &str| copied.provoke(&[&args[..], &["--jobs", jobs]].concat());
    let one = run("1");
    let summary = one.summary();
    let search = &summary["search"];
    assert_eq!(search["stopped_by"], "plateau");
    assert!(one.stderr.contains(" · stopped at a plateau"), "{}", one.stderr);
    assert!(one.stderr.contains("Outlook nothing new in the last "), "{}", one.stderr);
    let discovery = &search["discovery"];
    assert_eq!(discovery["new_in_second_half"], 0);
    assert_eq!(discovery["programs"], search["programs"]);
    // The last new thing came in the first quarter.
    assert!(4 * number(&discovery["programs_since_new"]) >= 3 * number(&search["programs"]), "{discovery}");
    let two = run("2");
    two.timeless_summary().assert_same_as(&one.timeless_summary(), "with two workers");
    assert_eq!(two.code, one.code, "with two workers");
}

#[test]
fn an_unknown_goal_and_one_that_cannot_be_seen_are_refused() {
    let copied = CopiedCrate::subject("bounded-stack");
    let complaint = copied.provoke(&["--until", "dawn"]).refuses_with(1);
    assert!(complaint.contains("invalid value `dawn` for `--until`"), "{complaint}");
    assert!(complaint.contains("it can be plateau"), "{complaint}");
    let complaint = copied.provoke(&["--until", "plateau", "--without", "counters"]).refuses_with(1);
    assert!(complaint.contains("leave out `--without counters`"), "{complaint}");
}
