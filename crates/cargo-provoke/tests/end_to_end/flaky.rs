//! What comes and goes: hidden state becomes one long program, chance is said to be chance, and no test is claimed for it.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

#[track_caller]
fn finding<'a>(run: &'a Run, function: &str) -> &'a Value {
    let found = run.findings().iter().find(|finding| finding["function"] == function);
    found.unwrap_or_else(|| panic!("no finding of {function}:\n{}", run.stderr))
}

fn first_remark(finding: &Value) -> &str {
    text(&finding["explanation"][0])
}

#[test]
fn hidden_state_and_chance_are_told_apart() {
    let copied = CopiedCrate::behaviour("hidden-state");
    let run = copied.provoke(&["--calls", "100k", "--seed", "3"]).exits_with(100);
    let expected =
        ["error hidden_state::Diver::dive", "error hidden_state::draw_ticket", "suspicious hidden_state::toss"];
    assert_eq!(run.verdicts(), expected);
    let tests = &run.summary()["tests"];
    assert_eq!((&tests["failing"], &tests["rejected"]), (&Value::from(2), &Value::from(0)), "{}", run.stderr);

    let tickets = finding(&run, "hidden_state::draw_ticket");
    assert_eq!(tickets["flaky"], false);
    assert_eq!(
        first_remark(tickets),
        "the crate keeps hidden state: what earlier calls left behind in the process matters"
    );
    let test = copied.path("target/provoke/hidden-state").join(text(&tickets["test"]));
    expect![[r#"
        // Expected: an internal `debug_assert!` states what the author holds impossible.
        // Happened: the roll holds two tickets
        // at src/lib.rs:18:5
        #[test]
        fn draw_ticket_debug_assert() {
            let _ = hidden_state::draw_ticket(0);
            let _ = hidden_state::draw_ticket(0);
            let _ = hidden_state::draw_ticket(0);
        }
    "#]]
    .assert_eq(&fs::read_to_string(test).unwrap());
    let replay = copied.provoke(&["replay", text(&tickets["id"])]).exits_with(0);
    assert!(replay.stdout.contains("=> panicked: the roll holds two tickets\n"), "{}", replay.stdout);

    let toss = finding(&run, "hidden_state::toss");
    assert_eq!((&toss["flaky"], &toss["test"]), (&Value::from(true), &Value::Null));
    assert_eq!(first_remark(toss), "it comes and goes with random numbers or the clock");
    assert!(run.stderr.contains("hidden_state::toss at src/lib.rs:50:5 (flaky)"), "{}", run.stderr);
}

#[test]
fn other_seeds_tell_the_same_story() {
    let copied = CopiedCrate::behaviour("hidden-state");
    for seed in ["1", "2"] {
        let run = copied.provoke(&["--calls", "100k", "--seed", seed, "--quiet"]).exits_with(100);
        assert_eq!(run.summary()["tests"]["rejected"], 0, "seed {seed}: {}", run.stderr);
        assert_eq!(finding(&run, "hidden_state::draw_ticket")["calls"], 3, "seed {seed}");
        assert_eq!(finding(&run, "hidden_state::toss")["flaky"], true, "seed {seed}");
    }
}
