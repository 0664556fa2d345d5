use super::case::may_take_zero;
use super::*;
use crate::api::{ClausePlace, PreconditionFacts};
use crate::test_support::sample;
use crate::verdict::blamed::function_at;
use crate::verdict::place::{Caller, PlaceOrigin};
use provoke_api::{OpKind, OpRole};
use provoke_oracles::ClauseKind;

/// What a row of the tables below varies.
#[derive(Default)]
struct Facts {
    documents_panics: bool,
    documents_range_panics: bool,
    documents_zero_panics: bool,
    /// The call before obliges its callers to something.
    maker_obliges: bool,
    takes_everything: bool,
    promises_error: bool,
    of_trait: Option<&'static str>,
    name: Option<&'static str>,
    macro_name: Option<&'static str>,
    is_entry_check: bool,
    is_outside: bool,
    is_immodest: bool,
    is_builtin: bool,
    /// The panic stands in another function than the called one.
    is_deep: bool,
    phase: Option<Phase>,
    /// A clause of a contract stands there.
    clause: Option<ClauseKind>,
    clause_text: Option<String>,
    caller: Caller,
    /// What the call is about was written by hand.
    builds_by_hand: bool,
    sets_fields: bool,
    /// The clause was asked before the call, and held.
    is_asked: bool,
}

fn api_with(facts: &Facts) -> Api {
    let mut api = sample::api();
    let name = facts.name.unwrap_or("look");
    if facts.maker_obliges {
        let maker = api.ops.iter().find(|op| op.key == "make").and_then(|op| op.function).unwrap();
        api.functions[maker as usize].states_preconditions = true;
    }
    if facts.builds_by_hand {
        let (make, look) = (key_at(&api, "make"), key_at(&api, "look"));
        api.ops[make].role = OpRole::Constructor;
        if facts.sets_fields {
            api.ops[make].kind = OpKind::StructLiteral;
        }
        let number = api.ops[look].result;
        api.ops[make].args.push(number);
    }
    let op = api.ops.iter_mut().find(|op| op.key == "look").unwrap();
    if facts.is_asked {
        let panic = &panicked(1, Phase::Call).panics[0];
        let place =
            ClausePlace { file: panic.file.clone(), line: panic.line, column: panic.column, is_optional: false };
        api.preconditions.push(PreconditionFacts { function: op.function.unwrap(), text: "n > 0".into(), place });
        op.guards.push(0);
    }
    if facts.is_builtin {
        op.role = OpRole::Builtin;
    }
    if facts.takes_everything {
        let ty = op.args[0] as usize;
        api.types[ty].name = "core::ops::range::RangeFull".into();
    }
    let function = &mut api.functions[op.function.unwrap() as usize];
    function.name = name.into();
    function.documents_panics = facts.documents_panics;
    function.documents_range_panics = facts.documents_range_panics;
    function.documents_zero_panics = facts.documents_zero_panics;
    function.promises_error = facts.promises_error;
    function.of_trait = facts.of_trait.map(str::to_string);
    api
}

fn key_at(api: &Api, key: &str) -> usize {
    api.ops.iter().position(|op| op.key == key).unwrap()
}

fn verdict(message: &str, facts: Facts) -> Verdict {
    let api = api_with(&facts);
    let text = if facts.builds_by_hand { "n = 7u8; x = make n; look &x" } else { "n = 7u8; x = make; look &x" };
    let mut body = sample::body(&api, text);
    if facts.is_immodest {
        body.push_literal(&provoke_wire::Literal::I32(-1001));
    }
    let outcome = Outcome {
        ending: Ending::Panicked,
        panics: vec![Panic {
            statement: if facts.phase.is_some() { 1 } else { 2 },
            phase: facts.phase.unwrap_or(Phase::Call),
            message: message.into(),
            file: "/home/u/slab/src/lib.rs".into(),
            line: 4,
            column: 5,
            depth: 0,
            backtrace: String::new(),
        }],
        ..Outcome::default()
    };
    let triage = triage(&outcome, &api, &body);
    assert!(!triage.is_legal);
    let name = facts.name.unwrap_or("look");
    let function = if facts.is_deep { "grow" } else { name };
    let scene = Scene {
        whereabouts: Whereabouts {
            place: (!facts.is_outside).then(|| Place {
                file: "src/lib.rs".into(),
                line: 4,
                column: 5,
                function: function.into(),
            }),
            origin: Some(if facts.is_outside { PlaceOrigin::Harness } else { PlaceOrigin::Target }),
            caller: facts.caller,
            ..Whereabouts::default()
        },
        site: Some(SiteFacts {
            macro_name: facts.macro_name.map(str::to_string),
            is_entry_check: facts.is_entry_check,
            function: Some(function.into()),
            clause: facts.clause,
            clause_text: facts.clause_text,
            is_optional: false,
            is_in_spec: false,
        }),
        uses_large_values: false,
        trail: Vec::new(),
        stated_at: None,
        spoilt_clause: None,
    };
    let Some(incident) = triage.incidents.first() else {
        return Verdict::Illegal("sorted out at once");
    };
    judge(incident, &outcome, &api, &body, Some(&scene))
}

/// `error debug-assert`, `suspicious overflow`, or `-`.
fn short(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Legal => "legal".into(),
        Verdict::Illegal(_) => "-".into(),
        Verdict::Finding(j) => format!("{} {}", j.tier.name(), j.oracle),
    }
}

const OVERFLOW: &str = "attempt to add with overflow";
const BOUNDS: &str = "index out of bounds: the len is 2 but the index is 5";
const ASSERT: &str = "assertion failed: ok";

macro_rules! rows {
    ($($message:expr, { $($field:ident: $value:expr),* } => $expected:expr;)*) => {
        $(assert_eq!(
            short(&verdict($message, Facts { $($field: $value,)* ..Facts::default() })),
            $expected,
            "{} {}", $message, stringify!($($field: $value),*)
        );)*
    };
}

#[test]
fn panics_fall_into_the_tiers_of_the_policy() {
    rows! {
        // A panic that nobody announces.
        BOUNDS, {} => "suspicious undocumented-panic";
        "called `Option::unwrap()` on a `None` value", {} => "suspicious undocumented-panic";
        BOUNDS, { documents_panics: true } => "-";
        // No place is outside of `..`.
        BOUNDS, { documents_panics: true, documents_range_panics: true } => "-";
        BOUNDS, { documents_panics: true, takes_everything: true } => "-";
        BOUNDS, { documents_panics: true, documents_range_panics: true, takes_everything: true } => "suspicious undocumented-panic";
        // No other number is zero.
        OVERFLOW, { documents_panics: true } => "-";
        OVERFLOW, { documents_panics: true, documents_zero_panics: true } => "error overflow";
        OVERFLOW, { documents_panics: true, documents_zero_panics: true, is_immodest: true } => "suspicious overflow";
        BOUNDS, { documents_panics: true, documents_zero_panics: true } => "-";
        BOUNDS, { of_trait: Some("Index") } => "-";
        BOUNDS, { of_trait: Some("IndexMut<usize>") } => "-";
        BOUNDS, { name: Some("unwrap_left") } => "-";
        BOUNDS, { name: Some("expectation") } => "suspicious undocumented-panic";
        // A promise of an error value.
        BOUNDS, { promises_error: true } => "error error-promised";
        BOUNDS, { promises_error: true, documents_panics: true } => "-";
        ASSERT, { promises_error: true, macro_name: Some("assert") } => "error error-promised";
        ASSERT, { promises_error: true, macro_name: Some("assert"), is_entry_check: true } => "-";
        "capacity overflow", { promises_error: true } => "-";
        OVERFLOW, { promises_error: true, is_immodest: true } => "suspicious error-promised";
        // Arithmetic.
        OVERFLOW, {} => "error overflow";
        OVERFLOW, { is_immodest: true } => "suspicious overflow";
        OVERFLOW, { of_trait: Some("Add") } => "-";
        OVERFLOW, { of_trait: Some("core::ops::AddAssign<i32>") } => "-";
        OVERFLOW, { documents_panics: true } => "-";
        "attempt to divide by zero", { of_trait: Some("Div") } => "-";
        BOUNDS, { of_trait: Some("Add") } => "suspicious undocumented-panic";
        // What the author holds impossible.
        ASSERT, { macro_name: Some("debug_assert") } => "error debug-assert";
        ASSERT, { macro_name: Some("debug_assert"), is_entry_check: true } => "-";
        ASSERT, { macro_name: Some("debug_assert"), documents_panics: true } => "-";
        ASSERT, { macro_name: Some("debug_assert"), documents_panics: true, is_deep: true } => "error debug-assert";
        ASSERT, { macro_name: Some("debug_assert"), of_trait: Some("Add") } => "error debug-assert";
        "must stay sorted", { macro_name: Some("debug_assert"), of_trait: Some("Index") } => "error debug-assert";
        "must stay sorted", { macro_name: Some("debug_assert"), documents_panics: true, is_deep: true } => "error debug-assert";
        "internal error: entered unreachable code", {} => "error unreachable";
        "internal error: entered unreachable code", { maker_obliges: true } => "suspicious unreachable";
        // Explicit refusals.
        ASSERT, { macro_name: Some("assert"), is_entry_check: true } => "-";
        ASSERT, { macro_name: Some("assert") } => "suspicious undocumented-panic";
        "no such day", { macro_name: Some("panic"), is_entry_check: true } => "-";
        "no such day", { macro_name: Some("panic") } => "suspicious undocumented-panic";
        ASSERT, { macro_name: Some("assert"), documents_panics: true, is_deep: true } => "-";
        "not yet implemented", {} => "-";
        "not implemented: later", { promises_error: true } => "-";
        // Not the target's.
        BOUNDS, { is_outside: true } => "-";
        BOUNDS, { is_builtin: true } => "-";
        // Dropping and looking.
        BOUNDS, { phase: Some(Phase::Cleanup) } => "error drop-panics";
        BOUNDS, { phase: Some(Phase::Observe) } => "error observer-panics";
        BOUNDS, { phase: Some(Phase::Cleanup), documents_panics: true } => "error drop-panics";
        BOUNDS, { phase: Some(Phase::Cleanup), is_outside: true } => "-";
    }
}

#[test]
fn who_broke_a_clause_is_to_blame_for_it() {
    const PRE: Option<ClauseKind> = Some(ClauseKind::Precondition);
    const POST: Option<ClauseKind> = Some(ClauseKind::Postcondition);
    const INVARIANT: Option<ClauseKind> = Some(ClauseKind::Invariant);
    let message = "Pre-condition of look violated: n > 0";
    rows! {
        message, { clause: PRE, caller: Caller::Program } => "-";
        message, { clause: PRE, caller: Caller::Program, promises_error: true } => "-";
        message, { clause: PRE, caller: Caller::Program, is_asked: true } => "error precondition";
        message, { clause: PRE, caller: Caller::Program, is_deep: true } => "suspicious precondition";
        message, { clause: PRE, caller: Caller::Unknown, is_asked: true } => "error precondition";
        message, { clause: PRE, caller: Caller::Target } => "error precondition";
        // What is announced, or what everybody expects, may come from a clause as well.
        message, { clause: PRE, caller: Caller::Target, documents_panics: true } => "-";
        message, { clause: PRE, caller: Caller::Target, documents_panics: true, is_asked: true } => "error precondition";
        message, { clause: PRE, caller: Caller::Target, of_trait: Some("Div") } => "-";
        message, { clause: PRE, caller: Caller::Target, of_trait: Some("Index") } => "-";
        message, { clause: POST, caller: Caller::Program, documents_panics: true } => "error postcondition";
        message, { clause: PRE, caller: Caller::Target, is_entry_check: true } => "error precondition";
        message, { clause: PRE, caller: Caller::Unknown } => "suspicious precondition";
        message, { clause: POST, caller: Caller::Program } => "error postcondition";
        message, { clause: POST, caller: Caller::Target } => "error postcondition";
        message, { clause: POST, of_trait: Some("Index") } => "error postcondition";
        message, { clause: POST, caller: Caller::Program, builds_by_hand: true } => "error postcondition";
        message, { clause: POST, builds_by_hand: true, sets_fields: true } => "suspicious postcondition";
        message, { clause: PRE, caller: Caller::Target, builds_by_hand: true } => "error precondition";
        message, { clause: PRE, caller: Caller::Target, builds_by_hand: true, sets_fields: true } => "suspicious precondition";
        message, { clause: PRE, caller: Caller::Program, builds_by_hand: true, sets_fields: true } => "-";
        message, { clause: INVARIANT, caller: Caller::Program } => "error invariant";
        message, { clause: INVARIANT, caller: Caller::Program, builds_by_hand: true } => "suspicious invariant";
        // What callers must do in words is no part of the clauses.
        message, { clause: POST, maker_obliges: true } => "suspicious postcondition";
    }
}

#[test]
fn a_clause_that_the_message_does_not_name_is_named_beside_it() {
    let words = |clause_text: Option<&str>, clause| {
        let facts = Facts { clause, clause_text: clause_text.map(str::to_string), ..Facts::default() };
        match verdict("postcondition failed", facts) {
            Verdict::Finding(judgement) => judgement.words(),
            other => panic!("{other:?}"),
        }
    };
    let broken = Some(ClauseKind::Postcondition);
    assert_eq!(words(Some("|n| n > 0"), broken), "postcondition failed: |n| n > 0");
    assert_eq!(words(None, broken), "postcondition failed");
    assert_eq!(words(Some("|n| n > 0"), None), "postcondition failed");
}

#[test]
fn ways_to_a_clause_are_told_apart() {
    let mut api = api_with(&Facts::default());
    let body = sample::body(&api, "x = make; look &x");
    let key_of = |api: &Api, depth: u32, message: &str| {
        let mut outcome = panicked(1, Phase::Call);
        outcome.panics[0].depth = depth;
        outcome.panics[0].message = message.into();
        triage(&outcome, api, &body).incidents[0].key
    };
    let key = |api: &Api, depth: u32| key_of(api, depth, "out of reach");
    let other = |api: &Api| key_of(api, 100, "out of order");
    assert_eq!((key(&api, 100), other(&api)), (key(&api, 200), key(&api, 100)), "it is about no clause");
    for said in ["precondition failed", "Pre-condition of look violated: n > 0"] {
        assert_ne!(key_of(&api, 100, said), key_of(&api, 200, said), "wherever it stands, it says so: {said}");
    }
    let file = "/home/u/slab/src/lib.rs".into();
    api.clauses.push(ClausePlace { file, line: 4, column: 5, is_optional: false });
    assert_ne!(key(&api, 100), key(&api, 200));
    assert_ne!(key(&api, 100), other(&api), "clauses may share a place");
    assert_eq!(key(&api, 100_000), key(&api, 200_000), "there is no end to them");
}

#[test]
fn without_the_source_nobody_is_accused_of_an_explicit_panic() {
    let facts = Facts { promises_error: true, ..Facts::default() };
    let api = api_with(&facts);
    let body = sample::body(&api, "x = make; look &x");
    let outcome = panicked(1, Phase::Call);
    let triage = triage(&outcome, &api, &body);
    let place = Some(Place::default());
    let scene = Scene {
        whereabouts: Whereabouts {
            place,
            origin: Some(PlaceOrigin::Target),
            via: Some("panic_fmt".into()),
            ..Whereabouts::default()
        },
        site: None,
        uses_large_values: false,
        trail: Vec::new(),
        stated_at: None,
        spoilt_clause: None,
    };
    let verdict = judge(&triage.incidents[0], &outcome, &api, &body, Some(&scene));
    assert_eq!(short(&verdict), "suspicious error-promised");
}

fn panicked(statement: u32, phase: Phase) -> Outcome {
    Outcome {
        ending: Ending::Panicked,
        panics: vec![Panic {
            statement,
            phase,
            message: "boom".into(),
            file: "/home/u/slab/src/lib.rs".into(),
            line: 4,
            column: 5,
            depth: 0,
            backtrace: String::new(),
        }],
        ..Outcome::default()
    }
}

fn death(ending: Ending, text: &str, last_output: &str) -> String {
    death_in(Facts::default(), ending, text, last_output)
}

fn death_in(facts: Facts, ending: Ending, text: &str, last_output: &str) -> String {
    let api = api_with(&facts);
    let body = sample::body(&api, text);
    let outcome = Outcome { ending, last_output: last_output.into(), ..Outcome::default() };
    let triage = triage(&outcome, &api, &body);
    assert!(!triage.is_legal);
    match triage.incidents.first() {
        None => "-".into(),
        Some(incident) => short(&judge(incident, &outcome, &api, &body, None)),
    }
}

#[test]
fn a_dead_worker_is_judged_by_how_it_died() {
    let (statement, phase) = (1, Phase::Call);
    let modest = "x = make; look &x";
    let long = format!("x = make; look &x; \"{}\"", "a".repeat(1001));
    let signal = |signal| Ending::Signal { statement, phase, signal };
    assert_eq!(death(signal(11), modest, ""), "error crash");
    assert_eq!(death(signal(11), &long, ""), "error crash");
    assert_eq!(death(signal(6), modest, ""), "error crash");
    assert_eq!(death(signal(6), modest, "memory allocation of 99 bytes failed\n"), "-");
    assert_eq!(death(signal(9), modest, ""), "-");
    assert_eq!(death(Ending::StackOverflow { statement, phase }, modest, ""), "error stack-overflow");
    assert_eq!(death(Ending::StackOverflow { statement, phase }, &long, ""), "-");
    assert_eq!(death(Ending::TimedOut { statement, phase }, modest, ""), "error endless-loop");
    assert_eq!(death(Ending::TimedOut { statement, phase }, &long, ""), "-");
    assert_eq!(death(Ending::MemoryExhausted { statement, phase }, modest, ""), "-");
    let code = 0;
    assert_eq!(death(Ending::Exit { statement, phase, code }, modest, ""), "-");
}

#[test]
fn a_loop_of_the_harness_and_a_function_that_waits_are_not_endless_loops() {
    let ending = Ending::TimedOut { statement: 1, phase: Phase::Call };
    let builtin = Facts { is_builtin: true, ..Facts::default() };
    assert_eq!(death_in(builtin, ending, "x = make; look &x", ""), "-");
    for (name, expected) in [("recv_timeout", "-"), ("wait", "-"), ("waiter", "error endless-loop")] {
        let facts = Facts { name: Some(name), ..Facts::default() };
        assert_eq!(death_in(facts, ending, "x = make; look &x", ""), expected, "{name}");
    }
}

#[test]
fn a_program_that_ran_to_its_end_is_legal_and_costs_nothing() {
    let api = sample::api();
    let body = sample::body(&api, "x = make");
    let triage = triage(&Outcome::default(), &api, &body);
    assert!(triage.is_legal && triage.incidents.is_empty());
}

#[test]
fn an_explicit_drop_and_the_clean_up_are_the_same_incident() {
    let api = sample::api();
    let incident = |text, outcome: Outcome| {
        let body = sample::body(&api, text);
        triage(&outcome, &api, &body).incidents.remove(0)
    };
    let implicit = incident("x = make", panicked(0, Phase::Cleanup));
    let explicit = incident("7u8; x = make; drop x", panicked(2, Phase::Call));
    assert_eq!(implicit.key, explicit.key);
    assert_eq!((explicit.activity, explicit.statement, explicit.at), (Activity::Drop, 1, 2));
    let called = incident("x = make", panicked(0, Phase::Call));
    assert_ne!(implicit.key, called.key);
}

#[test]
fn an_expected_panic_does_not_hide_what_goes_wrong_in_the_clean_up() {
    let facts = Facts { documents_panics: true, ..Facts::default() };
    let api = api_with(&facts);
    let body = sample::body(&api, "x = make; look &x");
    let mut outcome = panicked(1, Phase::Call);
    outcome.panics[0].message = BOUNDS.into();
    outcome.panics.extend(panicked(0, Phase::Cleanup).panics);
    let triage = triage(&outcome, &api, &body);
    let [incident] = &triage.incidents[..] else {
        panic!("{triage:?}");
    };
    assert_eq!((incident.activity, incident.panic), (Activity::Drop, Some(1)));
}

#[test]
fn modest_is_up_to_a_thousand_of_anything() {
    use provoke_wire::Literal;
    let with = |literal: Literal| {
        let mut body = Body::default();
        body.push_literal(&literal);
        is_modest(&body)
    };
    assert!(with(Literal::I32(-1000)) && !with(Literal::I32(-1001)));
    assert!(with(Literal::U64(1000)) && !with(Literal::U64(1001)));
    assert!(with(Literal::F64(1000f64.to_bits())) && !with(Literal::F64(1000.5f64.to_bits())));
    assert!(!with(Literal::F32(f32::NAN.to_bits())) && !with(Literal::F32(f32::INFINITY.to_bits())));
    assert!(with(Literal::Char('\u{10ffff}')));
    assert!(with(Literal::Str("a".repeat(1000))) && !with(Literal::String("a".repeat(1001))));
    let mut body = Body::default();
    for _ in 0..1000 {
        body.push_literal(&Literal::Unit);
    }
    assert!(is_modest(&body));
    body.push_literal(&Literal::Unit);
    assert!(!is_modest(&body));
}

#[test]
fn a_process_that_aborts_says_why() {
    let table = [
        ("", None),
        ("free(): double free detected in tcache 2\n", Some("free(): double free detected in tcache 2")),
        (
            "\nthread 'main' (7) panicked at src/lib.rs:1:2:\nunsafe precondition(s) violated: slice\n\nnote: run\n",
            Some("unsafe precondition(s) violated: slice"),
        ),
        ("only chatter of the crate\n", None),
    ];
    for (output, words) in table {
        assert_eq!(last_words(output), words, "{output}");
    }
}

#[test]
fn a_crash_while_cleaning_up_after_a_panic_is_blamed_on_the_call_that_panicked() {
    let api = sample::api();
    let body = sample::body(&api, "n = 7u8; x = make; look &x");
    let died = |panics| Outcome {
        ending: Ending::Signal { statement: 1, phase: Phase::Cleanup, signal: 6 },
        panics,
        ..Outcome::default()
    };
    let panic = Panic {
        statement: 2,
        phase: Phase::Call,
        message: "refused".into(),
        file: "src/lib.rs".into(),
        line: 1,
        column: 1,
        depth: 0,
        backtrace: String::new(),
    };
    let blamed = |outcome: &Outcome| {
        let incidents = triage(outcome, &api, &body).incidents;
        let crash = incidents.into_iter().find(|incident| incident.event == Failure::Signal(6)).unwrap();
        (crash.activity, crash.statement, crash.at)
    };
    assert_eq!(blamed(&died(Vec::new())), (Activity::Drop, 1, 1));
    assert_eq!(blamed(&died(vec![panic])), (Activity::Call, 2, 1));
}

fn tracked(api: &Api, text: &str, outcome: Outcome) -> String {
    let body = sample::body(api, text);
    let triage = triage(&outcome, api, &body);
    match triage.incidents.last() {
        None => "-".into(),
        Some(incident) => match judge(incident, &outcome, api, &body, None) {
            Verdict::Finding(found) => format!("{} {} {}", found.tier.name(), found.oracle, found.function),
            other => short(&other),
        },
    }
}

fn faulty(kind: FaultKind, statement: u32, phase: Phase) -> Outcome {
    Outcome { fault: Some(provoke_wire::Fault { kind, statement, phase }), ..Outcome::default() }
}

#[test]
fn faults_of_tracked_elements_are_blamed_on_the_last_call_before_they_show() {
    let api = sample::api();
    let text = "x = make; look &x; drop x; y = make";
    let explicit = faulty(FaultKind::DoubleDrop, 2, Phase::Call);
    assert_eq!(tracked(&api, text, explicit), "error double-drop sample::look");
    let in_the_end = faulty(FaultKind::DoubleDrop, 0, Phase::Cleanup);
    assert_eq!(tracked(&api, text, in_the_end), "error double-drop sample::make");
    let used = faulty(FaultKind::UseAfterDrop, 1, Phase::Call);
    assert_eq!(tracked(&api, text, used), "error use-after-drop sample::look");
    let leak = faulty(FaultKind::Leak, 0, Phase::Call);
    assert_eq!(tracked(&api, "x = make; look &x", leak), "suspicious leak sample::look");
    let nobody = faulty(FaultKind::DoubleDrop, 0, Phase::Cleanup);
    assert_eq!(tracked(&api, "7u8", nobody), "-");
}

#[test]
fn a_leak_that_is_announced_is_meant_and_no_leak_spoils_a_program() {
    let outcome = || faulty(FaultKind::Leak, 0, Phase::Call);
    let mut documented = sample::api();
    documented.functions.iter_mut().for_each(|facts| facts.documents_leaks = facts.name == "look");
    assert_eq!(tracked(&documented, "x = make; look &x", outcome()), "-");
    assert_eq!(tracked(&documented, "x = make", outcome()), "suspicious leak sample::make");
    let mut named = sample::api();
    named.functions.iter_mut().for_each(|facts| facts.name = format!("{}_into_raw", facts.name));
    assert_eq!(tracked(&named, "x = make", outcome()), "-");
    assert!(is_legal(&outcome()) && !is_legal(&faulty(FaultKind::DoubleDrop, 0, Phase::Call)));
}

#[test]
fn what_a_panic_left_behind_is_blamed_on_the_call_that_panicked() {
    let api = api_with(&Facts { documents_panics: true, ..Facts::default() });
    let mut outcome = panicked(1, Phase::Call);
    outcome.fault = Some(provoke_wire::Fault { kind: FaultKind::DoubleDrop, statement: 0, phase: Phase::Cleanup });
    assert_eq!(tracked(&api, "x = make; look &x", outcome.clone()), "error double-drop sample::look");
    let body = sample::body(&api, "x = make; look &x");
    let found = triage(&outcome, &api, &body).incidents.pop();
    assert!(found.is_some_and(|incident| incident.is_after_panic && incident.phase == Phase::Call));
}

#[test]
fn what_the_sandbox_refused_excuses_what_comes_of_it_and_nothing_before() {
    let api = sample::api();
    let body = sample::body(&api, "x = make; look &x");
    let n_incidents = |(at, phase): (u32, Phase), (blocked_at, blocked_phase): (u32, Phase)| {
        let what = provoke_wire::Forbidden::ReadFiles;
        let blocked = Some(Blocked { what, statement: blocked_at, phase: blocked_phase });
        let outcome =
            Outcome { ending: Ending::Signal { statement: at, phase, signal: 6 }, blocked, ..Outcome::default() };
        triage(&outcome, &api, &body).incidents.len()
    };
    let (call, cleanup) = (Phase::Call, Phase::Cleanup);
    assert_eq!(n_incidents((1, call), (1, call)), 0);
    assert_eq!(n_incidents((1, call), (0, call)), 0);
    assert_eq!(n_incidents((0, cleanup), (1, call)), 0);
    assert_eq!(n_incidents((0, call), (1, call)), 1);
    assert_eq!(n_incidents((1, call), (0, cleanup)), 1);
    let blocked = Blocked { what: provoke_wire::Forbidden::Network, statement: 1, phase: call };
    let outcome = Outcome { blocked: Some(blocked), ..Outcome::default() };
    assert!(!triage(&outcome, &api, &body).is_legal, "outside of the sandbox, it does something else");
    assert_eq!(
        function_at(&api, &body, 1, call),
        api.functions[api.ops[body.statements[1].op as usize].function.unwrap() as usize].path
    );
}

#[test]
fn a_number_is_zero_or_not_if_it_stands_in_the_program() {
    let api = sample::api();
    let may_take_zero = |text: &str, call: usize| may_take_zero(&api, &sample::body(&api, text), call);
    assert!(may_take_zero("n = 0u8; number =n", 1));
    assert!(!may_take_zero("n = 7u8; number =n", 1));
    // What was worked out may be anything.
    assert!(may_take_zero("x = make; n = look &x; number =n", 2));
    assert!(!may_take_zero("n = 0u8; x = make; look &x", 2));
}
