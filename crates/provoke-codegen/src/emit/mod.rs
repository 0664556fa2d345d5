//! From a program to the Rust source of a `#[test]` that reads as if written by hand.
//!
//! Two styles: the pretty one leaves types to inference, nests calls and folds repetitions; the explicit one spells types out and
//! nests nothing but literals and changes of view. Where rustc does not understand the pretty text, it should understand the explicit.

mod around;
mod closure;
mod imports;
mod inference;
mod layout;
mod mutability;
mod names;
mod piece;
mod printer;
mod suite;
mod template;
mod uses;
pub mod values;

use crate::emit::values::escape;
use provoke_wire::{Body, StatementKind};

use crate::OpText;
use around::{FinalClaim, Hang};
use imports::Imports;
use names::VariableNames;
use printer::{PrintedLine, Printer};
use values::element::{Element, counts};

pub use suite::{Suite, SuiteLine, SuiteTest, emit_suite, should_panic};
pub use values::check::{Ability, Check, Claim};
pub(crate) use values::literal::{Demand, literal_text};

/// What a test is made from.
#[derive(Clone, Copy, Debug)]
pub struct TestInput<'a> {
    pub test_name: &'a str,
    pub body: &'a Body,
    /// By number of operation; one for each that the body calls.
    pub ops: &'a [OpText],
    /// Comment lines above the test: what was expected, what happened, where.
    pub header: &'a [String],
    pub ending: TestEnding,
    /// As the test names it.
    pub crate_name: &'a str,
    /// Lines before everything else: `#![allow(deprecated)]`, `extern crate slab;`.
    pub preamble: &'a [String],
}

/// How the test ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestEnding {
    /// The last statement panics.
    Panics,
    /// The last statement kills the process.
    Aborts,
    /// The last statement does not return.
    Hangs { seconds: u64 },
    /// The last statement is a drop, and that panics.
    PanicsOnDrop,
    /// All goes well, and what is asserted holds.
    Passes,
    /// Some tracked element is dropped twice, at the latest when everything is dropped.
    DropsTwice {
        /// The last statement panics.
        panics: bool,
    },
    /// Some tracked element is never dropped.
    Leaks,
    /// The last statement uses a tracked element that is not alive, which panics.
    UsesAfterDrop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Pretty,
    Explicit,
}

/// VariableNames that the frame of a hanging test uses.
const HANG_NAMES: [&str; 2] = ["done", "finished"];
/// Indent of the body of a function.
const INDENT: usize = 4;

/// A whole file: imports, header, the test.
pub fn emit_test(input: &TestInput<'_>, style: Style) -> String {
    let mut imports = Imports::new(input.crate_name);
    let claim = FinalClaim::of(input.ending, &mut imports);
    let hang = match input.ending {
        TestEnding::Hangs { seconds } => Some(Hang::new(seconds, &mut imports)),
        _ => None,
    };
    let indent = if hang.is_some() || claim.is_some() { 2 * INDENT } else { INDENT };
    let is_dropped_anyway = claim.is_some() && style == Style::Pretty;
    let undropped = if is_dropped_anyway { without_final_drop(input.body) } else { None };
    let input = &TestInput { body: undropped.as_ref().unwrap_or(input.body), ..*input };
    let (lines, mut imports) = print_main(input, style, &[], imports, indent);
    let code = code_lines(&folded(lines), input.ending, indent);
    let items = if imports.name_element() || counts(input.ending) {
        let text: String = code.iter().map(|(_, line)| line.as_str()).collect();
        Element::new(input.body, input.ops, &text, style, input.ending, &mut imports).items()
    } else {
        String::new()
    };
    let mut out = String::new();
    add_paragraph(&mut out, input.preamble);
    add_paragraph(&mut out, &imports.lines());
    for line in header_lines(input.header) {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str(&format!("#[test]\nfn {}() {{", input.test_name));
    if !code.is_empty() || hang.is_some() {
        out.push('\n');
    }
    let [begin, end] = match (&hang, &claim) {
        (Some(hang), _) => hang.around(),
        (None, Some(claim)) => claim.around(),
        (None, None) => Default::default(),
    };
    out.push_str(&begin);
    for (_, line) in &code {
        out.push_str(&format!("{line}\n"));
    }
    out.push_str(&end);
    if !items.is_empty() {
        out.push('\n');
    }
    for line in items.lines() {
        out.push_str(&if line.is_empty() { "\n".to_string() } else { format!("    {line}\n") });
    }
    out.push_str("}\n");
    out
}

/// Lines with an empty one behind them, if there are any.
fn add_paragraph(out: &mut String, lines: &[String]) {
    for line in lines {
        out.push_str(&format!("{line}\n"));
    }
    if !lines.is_empty() {
        out.push('\n');
    }
}

/// The program without the drop at its end, if it has one: the end of the block does the same.
fn without_final_drop(body: &Body) -> Option<Body> {
    let last = body.statements.last()?;
    let mut shorter = body.clone();
    shorter.truncate(body.statements.len() - 1);
    (last.kind == StatementKind::Drop).then_some(shorter)
}

/// Each line of code with the statement it belongs to; a call written inside another belongs to the outer one.
pub fn emit_statements(input: &TestInput<'_>, style: Style) -> Vec<(usize, String)> {
    let (lines, _) = print_main(input, style, &[], Imports::new(input.crate_name), 0);
    code_lines(&lines, input.ending, 0)
}

fn print_main(
    input: &TestInput<'_>,
    style: Style,
    checks: &[Check],
    imports: Imports,
    indent: usize,
) -> (Vec<PrintedLine>, Imports) {
    let mut names = VariableNames::new();
    reserve_imported(input.body, input.ops, &mut names);
    if matches!(input.ending, TestEnding::Hangs { .. }) {
        for name in HANG_NAMES {
            names.reserve(name);
        }
    }
    Printer::new(input.ops, style, names, imports, indent).with_checks(checks).main(input.body)
}

/// A variable must not hide an imported function.
fn reserve_imported(body: &Body, ops: &[OpText], names: &mut VariableNames) {
    for statement in &body.statements {
        if statement.kind == StatementKind::Call {
            for path in &ops[statement.op as usize].imports {
                names.reserve(imports::name_of(path));
            }
        }
    }
    for nested in &body.bodies {
        reserve_imported(nested, ops, names);
    }
}

/// Four or more equal statements in a row become a loop. The last statement of the test stays by itself: it is the one that fails.
fn folded(mut lines: Vec<PrintedLine>) -> Vec<PrintedLine> {
    let last = lines.pop();
    let mut lines = printer::with_loops(lines);
    lines.extend(last);
    lines
}

fn code_lines(lines: &[PrintedLine], ending: TestEnding, indent: usize) -> Vec<(usize, String)> {
    let mut code: Vec<(usize, String)> = Vec::new();
    for line in lines {
        let text = layout::format_statement(&line.text, indent);
        code.extend(text.lines().map(|part| (line.statement, part.to_string())));
    }
    let remark = match ending {
        TestEnding::Aborts => " // aborts the test process",
        TestEnding::Hangs { .. } => " // does not return",
        _ => "",
    };
    if let Some((_, last)) = code.last_mut() {
        last.push_str(remark);
    }
    code
}

/// Comments of at most a hundred columns.
fn header_lines(header: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for text in header.iter().flat_map(|text| text.trim_end().split('\n')) {
        let mut line = "//".to_string();
        let mut is_fresh = true;
        for word in escape::in_comment(text).split(' ') {
            if !is_fresh && line.chars().count() + 1 + word.chars().count() > layout::MAX_WIDTH {
                lines.push(std::mem::replace(&mut line, "//".to_string()));
            }
            line.push(' ');
            line.push_str(word);
            is_fresh = false;
        }
        lines.push(line);
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}
