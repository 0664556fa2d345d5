use crate::replay::*;
use provoke_engine::{Activity, Failure, PanicKind, Place, Tier};
use provoke_wire::{Panic, Phase};

fn saved(message: &str) -> SavedProgram {
    SavedProgram {
        id: "3f2a".into(),
        message: message.into(),
        ops: Vec::new(),
        program: String::new(),
        sanitizer: None,
    }
}

fn panicked(message: &str) -> Outcome {
    let panic = Panic {
        statement: 2,
        phase: Phase::Call,
        message: message.into(),
        file: "src/lib.rs".into(),
        line: 1,
        column: 1,
        depth: 0,
        backtrace: String::new(),
    };
    Outcome { ending: Ending::Panicked, panics: vec![panic], ..Outcome::default() }
}

fn incident() -> Incident {
    Incident {
        key: 1,
        event: Failure::Panic(PanicKind::Bounds),
        activity: Activity::Call,
        statement: 2,
        at: 2,
        phase: Phase::Call,
        is_after_panic: false,
        panic: Some(0),
    }
}

fn judgement(message: &str, line: u32) -> Judgement {
    Judgement {
        tier: Tier::Suspicious,
        oracle: "undocumented-panic",
        function: "slab::Slab::at".into(),
        place: Some(Place { file: "src/lib.rs".into(), line, column: 5, function: "at".into() }),
        group: None,
        message: message.into(),
        clause: None,
        is_optional: false,
        trail: Vec::new(),
    }
}

fn known(message: &str) -> ReportedFinding {
    ReportedFinding {
        id: "3f2a".into(),
        tier: Tier::Suspicious,
        oracle: "undocumented-panic".into(),
        function: "slab::Slab::at".into(),
        message: message.into(),
        location: Some("src/lib.rs:3:5".into()),
        calls: 1,
        calls_before_minimizing: 1,
        found_after_seconds: 0.1,
        flaky: false,
        test: None,
        expected: String::new(),
        happened: String::new(),
        explanation: Vec::new(),
        accepted: None,
        minimize_replays: 0,
        n_similar: 0,
        sanitizer: None,
        also_through: Vec::new(),
        trace: Vec::new(),
        operands: Vec::new(),
        test_source: None,
    }
}

fn fate(outcome: Outcome, found: Option<Judgement>, is_same: bool) -> Fate {
    let found = found.map(|judgement| (incident(), judgement));
    let rerun = Rerun { program: Program::default(), outcome, found, is_same };
    rerun.fate(&saved("left: 3"), Some(&known("left: 3")))
}

fn fixed(happened: Option<&str>) -> Fate {
    Fate::Fixed { happened: happened.map(str::to_owned) }
}

#[test]
fn a_finding_that_runs_to_its_end_or_is_refused_is_fixed() {
    assert_eq!(fate(Outcome::default(), None, false), fixed(None));
    let refused = panicked("the key must be below 3");
    assert_eq!(fate(refused, None, false), fixed(Some("panicked: the key must be below 3")));
}

#[test]
fn a_flaky_finding_that_does_not_show_is_not_said_to_be_fixed() {
    let rerun = Rerun { program: Program::default(), outcome: Outcome::default(), found: None, is_same: false };
    let flaky = ReportedFinding { flaky: true, ..known("left: 3") };
    assert!(matches!(rerun.fate(&saved("left: 3"), Some(&flaky)), Fate::Changed(_)));
}

#[test]
fn a_finding_whose_line_moved_is_still_there() {
    assert_eq!(fate(panicked("left: 3"), Some(judgement("left: 3", 3)), true), Fate::StillThere);
    assert_eq!(fate(panicked("left: 3"), Some(judgement("left: 3", 90)), true), Fate::StillThere);
}

#[test]
fn another_message_tier_rule_or_place_is_a_change() {
    let whats = |judgement: Judgement, is_same| match fate(panicked("left: 3"), Some(judgement), is_same) {
        Fate::Changed(changes) => changes.iter().map(|change| change.what).collect::<Vec<_>>().join(", "),
        other => panic!("{other:?}"),
    };
    assert_eq!(whats(judgement("left: 4", 3), true), "message");
    assert_eq!(whats(Judgement { tier: Tier::Error, ..judgement("left: 3", 3) }, true), "tier");
    let elsewhere = Judgement { oracle: "overflow", ..judgement("left: 3", 7) };
    assert_eq!(whats(elsewhere, false), "rule, place");
    let through_another = Judgement { function: "slab::Slab::get".into(), ..judgement("left: 4", 3) };
    assert_eq!(whats(through_another, false), "message, function");
}
