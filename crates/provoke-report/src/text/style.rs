//! How text looks: colours as cargo has them, and how much is said.

use anstyle::{AnsiColor, Style};

/// How much a user wants to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verbosity {
    /// Findings and errors only.
    Quiet,
    #[default]
    Normal,
    Verbose,
}

/// What rendering depends on besides the event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theme {
    pub verbosity: Verbosity,
    /// The arguments that select the crate under test, so that a printed command can be pasted: `-p slab --release`.
    pub subject_arguments: String,
}

impl Theme {
    /// Another command of the tool about the same build of the same crate: `cargo provoke list -p slab`.
    pub fn command(&self, words: &str) -> String {
        command(words, &self.subject_arguments)
    }
}

/// Another command of the tool about the same build of the same crate.
pub fn command(words: &str, subject_arguments: &str) -> String {
    format!("cargo provoke {words} {subject_arguments}").trim_end().to_string()
}

pub(crate) const VERB: Style = AnsiColor::Green.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();

pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A line with its first word right-aligned, as cargo prints.
pub(crate) fn verb_line(style: Style, verb: &str, rest: &str) -> String {
    format!("{style}{verb:>12}{style:#} {rest}\n")
}

/// The text without its styles: what a file or a test sees.
#[cfg(test)]
pub(crate) fn unstyled(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        let end = rest[start..].find('m').expect("a style ends in m");
        rest = &rest[start + end + 1..];
    }
    plain + rest
}

/// The text as a terminal shows it, below the prompt. The prompt keeps `expect!` from trimming the indentation of the rest.
#[cfg(test)]
pub(crate) fn screen(text: &str) -> String {
    format!("$ cargo provoke\n{}", unstyled(text))
}
