//! The same seed and the same number of calls give the same summary, however often and by however many workers.

use crate::copied_crate::CopiedCrate;

fn assert_repeatable(copied: &CopiedCrate, calls: &str) {
    let summary = |jobs: &str| {
        let run = copied.provoke(&["--calls", calls, "--seed", "3", "--jobs", jobs, "--quiet"]).exits_with(100);
        assert_eq!(run.summary()["seed"], 3);
        run.timeless_summary()
    };
    let first = summary("1");
    summary("1").assert_same_as(&first, "twice in a row");
    summary("2").assert_same_as(&first, "with two workers");
    summary("3").assert_same_as(&first, "with three workers");
}

#[test]
fn a_run_is_a_function_of_its_options() {
    assert_repeatable(&CopiedCrate::subject("polynomial"), "100k");
}

#[test]
fn hash_keys_clocks_and_addresses_are_fixed() {
    assert_repeatable(&CopiedCrate::behaviour("nondeterminism"), "100k");
}

#[test]
fn what_comes_and_goes_does_so_the_same_way_every_time() {
    assert_repeatable(&CopiedCrate::behaviour("hidden-state"), "30k");
}

#[test]
fn workers_that_die_change_nothing() {
    assert_repeatable(&CopiedCrate::behaviour("outcomes"), "1k");
}

#[test]
fn where_the_crate_lies_changes_nothing() {
    let summary = |copied: &CopiedCrate| {
        copied.provoke(&["--calls", "3M", "--quiet", "--without", "regression"]).exits_with(100).timeless_summary()
    };
    let far_away = CopiedCrate::subject_as("ini", "a/directory/with/a/much/longer/name/than/the/other/one");
    summary(&CopiedCrate::subject("ini")).assert_same_as(&summary(&far_away), "far away");
}

#[test]
fn another_seed_takes_another_path() {
    let copied = CopiedCrate::subject("int-stack");
    let search = |seed: &str| {
        let run = copied.provoke(&["--calls", "20k", "--seed", seed, "--quiet"]).exits_with(0);
        run.summary()["search"]["components"].clone()
    };
    assert_ne!(search("0"), search("1"));
}
