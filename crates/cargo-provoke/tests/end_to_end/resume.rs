//! Runs that somebody ended, and what became of them.

use std::fs;
use std::path::Path;

use crate::copied_crate::CopiedCrate;

/// So many that the search is saved on the way, on any machine.
const CALLS: &str = "8M";

fn is_saved(copied: &CopiedCrate) -> bool {
    copied.path("target/provoke/polynomial/state/search.bin").exists()
}

#[test]
fn a_killed_run_goes_on_and_ends_as_if_nobody_had_killed_it() {
    let copied = CopiedCrate::subject("polynomial");
    let args = ["--calls", CALLS, "--seed", "5", "--without", "regression"];
    let whole = copied.provoke(&args).exits_with(100);

    fs::remove_dir_all(copied.path("target/provoke/polynomial/state")).unwrap();
    copied.provoke_killed_when(&args, || is_saved(&copied));
    for_each_file(&copied.path("target/provoke/polynomial/findings"), &mut |path| {
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(path).unwrap();
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    });

    let resumed = copied.provoke(&[&args[..], &["--resume"]].concat()).exits_with(100);
    assert!(resumed.stderr.contains("    Resuming after "), "{}", resumed.stderr);
    resumed.timeless_summary().assert_same_as(&whole.timeless_summary(), "resumed");

    let other_seed = copied.provoke(&["--calls", CALLS, "--seed", "6", "--resume"]).exits_with(1);
    assert!(other_seed.stderr.contains("the saved run cannot go on"), "{}", other_seed.stderr);
    assert!(other_seed.stderr.contains("--seed 5"), "{}", other_seed.stderr);
}

fn for_each_file(directory: &Path, look_at: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(directory).into_iter().flatten() {
        look_at(&entry.unwrap().path());
    }
}

#[test]
fn without_a_run_to_go_on_with_a_new_one_starts() {
    let copied = CopiedCrate::subject("int-stack");
    let run = copied.provoke(&["--calls", "2k", "--resume"]).exits_with(0);
    assert!(run.stderr.contains("there is no run of `int-stack` to go on with"), "{}", run.stderr);
    let again = copied.provoke(&["--calls", "2k", "--resume"]).exits_with(0);
    again.timeless_summary().assert_same_as(&run.timeless_summary(), "resumed");
}

#[test]
fn a_damaged_saved_search_costs_the_search_and_not_the_findings() {
    let copied = CopiedCrate::subject("sorted-list");
    let args = ["--calls", "50k", "--without", "regression"];
    let whole = copied.provoke(&args).exits_with(100);
    let state = copied.path("target/provoke/sorted-list/state");
    fs::write(state.join("search.bin"), "provoke search 1\nnot really").unwrap();
    let run = copied.provoke(&[&args[..], &["--resume"]].concat()).exits_with(100);
    assert!(run.stderr.contains("the saved search is of no use"), "{}", run.stderr);
    run.timeless_summary().assert_same_as(&whole.timeless_summary(), "resumed");
    // Not even verified again: found before, and kept.
    let short = copied.provoke(&["--calls", "20", "--without", "regression", "--resume"]).exits_with(100);
    assert_eq!(short.verdicts(), whole.verdicts());
}
