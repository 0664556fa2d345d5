//! Tests that say what was observed, many in one file.

use std::collections::BTreeSet;

use expect_test::expect_file;
use provoke_codegen::{
    Check, Claim, OpText, Style, SuiteTest, TestEnding, TestInput, TypeName, emit_suite, should_panic,
};

use crate::builder::{Program, by_mut, by_ref, cp};
use crate::vocabulary;

struct Sample {
    name: &'static str,
    program: Program,
    checks: Vec<Check>,
    attributes: Vec<String>,
}

impl Sample {
    fn new(name: &'static str) -> Sample {
        Sample { name, program: Program::default(), checks: Vec::new(), attributes: Vec::new() }
    }

    /// Claims what follows from the `Debug` text of a result.
    fn check(&mut self, slot: u32, ty: &str, text: &str) {
        let claim = Claim::of(&TypeName::parse(ty), text, &|_, _| true).expect("something can be said");
        self.checks.push(Check { statement: slot as usize, slot, claim });
    }
}

/// Results used once, results used again, results that borrow, and those that nobody uses.
fn pushed() -> Sample {
    let mut sample = Sample::new("vec_push_returns");
    let vec = sample.program.call("vec_new", &[]);
    sample.program.push(vec, 7);
    let len = sample.program.call("len", &[by_ref(vec)]);
    sample.check(len, "usize", "1");
    let slice = sample.program.call("slice", &[by_ref(vec)]);
    let first = sample.program.call("slice_first", &[cp(slice)]);
    sample.check(first, "core::option::Option<&u8>", "Some(7)");
    let popped = sample.program.call("pop", &[by_mut(vec)]);
    sample.check(popped, "core::option::Option<u8>", "Some(7)");
    let is_some = sample.program.call("is_some", &[by_ref(popped)]);
    sample.check(is_some, "bool", "true");
    let again = sample.program.call("pop", &[by_mut(vec)]);
    sample.check(again, "core::option::Option<u8>", "None");
    sample
}

fn parsed() -> Sample {
    let mut sample = Sample::new("parse_returns_err");
    let text = sample.program.text("x");
    let result = sample.program.call("parse", &[cp(text)]);
    sample.check(result, "core::result::Result<u8, core::num::error::ParseIntError>", "Err(ParseIntError)");
    let other = sample.program.text("7");
    let result = sample.program.call("parse", &[cp(other)]);
    sample.check(result, "core::result::Result<u8, core::num::error::ParseIntError>", "Ok(7)");
    sample
}

/// Wide enough for several lines.
fn long() -> Sample {
    let mut sample = Sample::new("split_at_returns");
    let text = sample.program.text("a text that is rather long");
    let place = sample.program.size(14);
    let pair = sample.program.call("split_at", &[cp(text), cp(place)]);
    sample.check(pair, "(&str, &str)", "(\"a text that is\", \" rather long\")");
    sample
}

fn operators() -> Sample {
    let mut sample = Sample::new("comparisons");
    let (a, b) = (sample.program.byte(1), sample.program.byte(2));
    let greater = sample.program.call("is_gt", &[cp(a), cp(b)]);
    sample.check(greater, "bool", "false");
    let nan = sample.program.literal(provoke_wire::Literal::F64(f64::NAN.to_bits()));
    let hypot = sample.program.call("hypot", &[cp(nan), cp(nan)]);
    sample.check(hypot, "f64", "NaN");
    sample
}

fn shown() -> Sample {
    let mut sample = Sample::new("duration_from_secs_returns");
    let seconds = sample.program.literal(provoke_wire::Literal::U64(3));
    let duration = sample.program.call("from_secs", &[cp(seconds)]);
    let claim = Claim::Shows("3s".into());
    sample.checks.push(Check { statement: duration as usize, slot: duration, claim });
    sample
}

/// What is left of an object that a call without a result has changed.
fn left_behind() -> Sample {
    let mut sample = Sample::new("vec_clear_returns");
    let vec = sample.program.small_vec();
    let cleared = sample.program.call("clear", &[by_mut(vec)]);
    sample.checks.push(Check { statement: cleared as usize, slot: vec, claim: Claim::Shows("[]".into()) });
    sample
}

fn panicking() -> Sample {
    let mut sample = Sample::new("vec_insert_panics");
    let vec = sample.program.call("vec_new", &[]);
    let (place, value) = (sample.program.size(5), sample.program.byte(1));
    sample.program.call("insert", &[by_mut(vec), cp(place), cp(value)]);
    sample.attributes = vec![should_panic(Some("insertion index (is 5) should be <= len\nand more"))];
    sample
}

pub fn emitted_suite(ops: &[OpText], style: Style) -> String {
    let samples = [pushed(), parsed(), long(), operators(), shown(), left_behind(), panicking()];
    let tests: Vec<SuiteTest<'_>> = samples
        .iter()
        .map(|sample| SuiteTest {
            input: TestInput {
                test_name: sample.name,
                body: &sample.program.body,
                ops,
                header: &[],
                ending: if sample.attributes.is_empty() { TestEnding::Passes } else { TestEnding::Panics },
                crate_name: "target",
                preamble: &[],
            },
            style,
            checks: &sample.checks,
            attributes: &sample.attributes,
        })
        .collect();
    let suite = emit_suite(&tests, "target", &["// What was seen.".to_string()], &BTreeSet::new());
    for known in &suite.lines {
        let line = suite.source.lines().nth(known.line - 1).expect("every line is there");
        assert_eq!(known.statement.is_some(), line.starts_with("    "), "{line}");
    }
    suite.source
}

#[test]
fn a_suite_says_what_was_observed() {
    let ops = vocabulary::ops();
    expect_file!["golden/suite_pretty.rs"].assert_eq(&emitted_suite(&ops, Style::Pretty));
    expect_file!["golden/suite_explicit.rs"].assert_eq(&emitted_suite(&ops, Style::Explicit));
}

#[test]
fn an_import_that_nobody_needs_is_left_out() {
    let ops = vocabulary::ops();
    let sample = shown();
    let test = SuiteTest {
        input: TestInput {
            test_name: sample.name,
            body: &sample.program.body,
            ops: &ops,
            header: &[],
            ending: TestEnding::Passes,
            crate_name: "target",
            preamble: &[],
        },
        style: Style::Pretty,
        checks: &[],
        attributes: &[],
    };
    let unused = BTreeSet::from(["std::time::Duration".to_string()]);
    assert!(emit_suite(&[test], "target", &[], &BTreeSet::new()).source.starts_with("use std::time::Duration;\n\n"));
    assert!(emit_suite(&[test], "target", &[], &unused).source.starts_with("#[test]\n"));
}
