//! Many tests in one file, which share their imports.

use std::collections::BTreeSet;

use crate::emit::imports::Imports;
use crate::emit::values::check::Check;
use crate::emit::values::escape;
use crate::emit::{INDENT, Style, TestInput, code_lines, folded, header_lines, print_main};

/// One test of a suite.
#[derive(Clone, Copy, Debug)]
pub struct SuiteTest<'a> {
    /// Its preamble is not used: the file has one for all.
    pub input: TestInput<'a>,
    pub style: Style,
    pub checks: &'a [Check],
    /// Lines behind `#[test]`.
    pub attributes: &'a [String],
}

/// Which statement of which test a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    /// Counted from one.
    pub line: usize,
    pub test: usize,
    /// `None`: the line is around the statements.
    pub statement: Option<usize>,
}

/// The text of a file, and where in it everything is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    pub source: String,
    pub lines: Vec<SuiteLine>,
}

impl Suite {
    pub fn at(&self, line: usize) -> Option<SuiteLine> {
        self.lines.iter().copied().find(|known| known.line == line)
    }
}

/// Longer messages are cut: a part of it is enough to tell panics apart.
const MAX_MESSAGE: usize = 60;

/// `#[should_panic(expected = "…")]`
pub fn should_panic(message: Option<&str>) -> String {
    let first_line = message.and_then(|message| message.lines().next()).unwrap_or_default();
    let start: String = first_line.chars().take(MAX_MESSAGE).collect();
    match start.trim() {
        "" => "#[should_panic]".to_string(),
        text => format!("#[should_panic(expected = \"{}\")]", escape::in_string(text)),
    }
}

/// A whole file. `preamble` comes before everything else, followed by an empty line. `unused_imports`: paths that turned out
/// not to be needed.
pub fn emit_suite(
    tests: &[SuiteTest<'_>],
    crate_name: &str,
    preamble: &[String],
    unused_imports: &BTreeSet<String>,
) -> Suite {
    let mut imports = Imports::new(crate_name);
    let mut bodies = Vec::with_capacity(tests.len());
    for test in tests {
        let (lines, gathered) = print_main(&test.input, test.style, test.checks, imports, INDENT);
        imports = gathered;
        bodies.push(code_lines(&folded(lines), test.input.ending, INDENT));
    }
    let mut text: Vec<String> = preamble.to_vec();
    let mut uses = imports.lines();
    uses.retain(|line| !unused_imports.iter().any(|path| *line == format!("use {path};")));
    if !text.is_empty() && !uses.is_empty() {
        text.push(String::new());
    }
    text.extend(uses);
    let mut lines = Vec::new();
    for (place, (test, body)) in tests.iter().zip(&bodies).enumerate() {
        if !text.is_empty() {
            text.push(String::new());
        }
        let mut push = |line: String, statement: Option<usize>| {
            text.push(line);
            lines.push(SuiteLine { line: text.len(), test: place, statement });
        };
        for line in header_lines(test.input.header) {
            push(line, None);
        }
        push("#[test]".to_string(), None);
        for attribute in test.attributes {
            push(attribute.clone(), None);
        }
        let name = test.input.test_name;
        push(format!("fn {name}() {{{}", if body.is_empty() { "}" } else { "" }), None);
        for (statement, line) in body {
            push(line.clone(), Some(*statement));
        }
        if !body.is_empty() {
            push("}".to_string(), None);
        }
    }
    Suite { source: text.join("\n") + "\n", lines }
}
