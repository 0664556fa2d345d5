//! Every way in which a call can end gets the verdict that the policy gives it, and none of them disturbs the tool.

use std::fs;

use expect_test::{Expect, expect};

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

#[track_caller]
fn assert_verdicts(run: &Run, expected: Expect) {
    let mut lines: Vec<String> = run
        .findings()
        .iter()
        .map(|finding| {
            format!("{} {} {}\n", text(&finding["tier"]), text(&finding["oracle"]), text(&finding["function"]))
        })
        .collect();
    lines.sort();
    expected.assert_eq(&lines.concat());
    let summary = run.summary();
    assert_eq!(summary["tests"]["rejected"], 0, "{}", run.stderr);
    assert_eq!(summary["api"]["covered"], summary["api"]["functions"], "{:#}", summary["api"]);
    assert!(run.findings().iter().all(|finding| finding["flaky"] == false));
}

#[test]
fn each_outcome_has_its_verdict() {
    let copied = CopiedCrate::behaviour("outcomes");
    let before = copied.files();
    let run = copied.provoke(&["--calls", "2k"]).exits_with(100);
    assert_eq!(copied.files(), before, "calls that write files do so elsewhere");
    assert_verdicts(
        &run,
        expect![[r#"
        error crash outcomes::DropsBadlyOnTheWay::panics_twice
        error crash outcomes::aborts
        error crash outcomes::reads_nowhere
        error debug-assert outcomes::breaks_a_debug_assertion
        error drop-panics <outcomes::drops::DropsBadly as Drop>::drop
        error error-promised outcomes::try_to_halve
        error overflow outcomes::sums_too_narrowly
        error stack-overflow outcomes::overflows_the_stack
        error unreachable outcomes::reaches_the_unreachable
        suspicious overflow outcomes::adds_plainly
        suspicious overflow outcomes::counts_up_late
        suspicious undocumented-panic outcomes::indexes_without_a_word
        suspicious undocumented-panic outcomes::panics_with_a_number
    "#]],
    );
    let again = copied.provoke(&["--calls", "5k", "--seed", "1"]).exits_with(100);
    assert_eq!(again.verdicts(), run.verdicts(), "seed 1 against seed 0");
}

#[test]
fn a_place_that_aborts_is_one_finding_whatever_leads_there() {
    let run = CopiedCrate::behaviour("shared-abort").provoke(&["--calls", "2k"]).exits_with(100);
    let [finding] = run.findings() else { panic!("{:#?}", run.findings()) };
    assert_eq!((text(&finding["tier"]), text(&finding["oracle"])), ("error", "crash"));
    assert!(text(&finding["location"]).starts_with("src/lib.rs:"), "{finding:#}");
    assert_eq!((text(&finding["function"]), &finding["calls"]), ("shared_abort::fold_all", &1.into()));
    assert_eq!(finding["also_through"], serde_json::json!(["shared_abort::Folder::fold", "shared_abort::fold_once"]));
    assert_eq!(run.summary()["tests"]["rejected"], 0);
}

#[test]
fn calls_that_do_not_return_are_errors_and_those_that_wait_are_not() {
    let copied = CopiedCrate::behaviour("hangs");
    let run = copied.provoke(&["--calls", "90"]).exits_with(100);
    assert_verdicts(
        &run,
        expect![[r#"
            error endless-loop hangs::never_returns
            error endless-loop hangs::never_wakes_up
            error endless-loop hangs::tries_for_ever
        "#]],
    );
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let finding = &run.findings()[0];
    let test = copied.path("target/provoke/hangs").join(text(&finding["test"]));
    let test = fs::read_to_string(test).unwrap();
    assert!(test.contains("recv_timeout"), "a test must end even if the call does not:\n{test}");
}

#[test]
fn a_search_gets_its_time_however_long_it_takes_to_look_into_what_it_meets() {
    let run = CopiedCrate::behaviour("hangs").provoke(&["--time", "4s", "--without", "regression"]).exits_with(100);
    let summary = run.summary();
    let searched = summary["seconds"]["search"].as_f64().unwrap();
    assert!(searched >= 4.0, "searched for {searched} of 4 seconds: {}", summary["seconds"]);
    assert_eq!(summary["search"]["stopped_by"], "time");
}

#[test]
fn a_run_in_which_nothing_returns_is_no_success_and_names_what_held_it() {
    let manifest = "[package]\nname = \"patient\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let source = "pub fn wait_for_news() {\n    loop {\n        std::thread::sleep(std::time::Duration::from_millis(20));\n    }\n}\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", source)]);
    let run = copied.provoke(&["--calls", "5"]).exits_with(4);
    assert_eq!(run.summary()["api"]["covered"], 0);
    assert_eq!(run.summary()["search"]["held_by"], "patient::wait_for_news");
    assert!(run.stderr.contains("patient::wait_for_news took the time"), "{}", run.stderr);
}

const SPOILED: &str = r#"
#[derive(Debug, Default)]
pub struct Food {
    is_spoiled: bool,
}

impl Food {
    pub fn new() -> Food {
        Food { is_spoiled: false }
    }

    pub fn spoil(&mut self, germs: u8) {
        self.is_spoiled = true;
        if germs > 200 {
            std::process::abort();
        }
    }

    pub fn eat(self) {
        if self.is_spoiled {
            std::process::abort();
        }
    }
}

pub fn bite(stone: bool) {
    if stone {
        std::process::abort();
    }
}
"#;

#[test]
fn a_crash_after_a_call_that_crashes_on_its_own_is_counted_there() {
    let manifest = "[package]\nname = \"spoiled\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", SPOILED)]);
    let run = copied.provoke(&["--calls", "100k"]).exits_with(100);
    let mut found: Vec<String> =
        run.findings().iter().map(|finding| format!("{} {}", finding["function"], finding["also_through"])).collect();
    found.sort();
    expect![[r#"
        "spoiled::Food::spoil" ["spoiled::Food::eat"]
        "spoiled::bite" []
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

const TORN: &str = r#"
#[derive(Debug)]
pub struct Pile {
    n_sheets: usize,
    is_torn: bool,
}

impl Pile {
    pub fn new(n_sheets: usize) -> Pile {
        Pile { n_sheets, is_torn: false }
    }

    /// # Panics
    ///
    /// If there is no such sheet.
    pub fn take(&mut self, sheet: usize) {
        self.is_torn = true;
        assert!(sheet < self.n_sheets, "no such sheet");
        self.n_sheets -= 1;
        self.is_torn = false;
    }
}

impl Drop for Pile {
    fn drop(&mut self) {
        if self.is_torn {
            std::process::abort();
        }
    }
}
"#;

#[test]
fn a_crash_while_cleaning_up_after_a_panic_is_the_fault_of_the_call_that_panicked() {
    let manifest = "[package]\nname = \"torn\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", TORN)]);
    let run = copied.provoke(&["--calls", "100k"]).exits_with(100);
    assert_verdicts(
        &run,
        expect![[r#"
            error crash torn::Pile::take
        "#]],
    );
}
