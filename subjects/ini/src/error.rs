//! What can be wrong with a file, a value or a name.

use std::error::Error;
use std::fmt;

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Problem {
    /// Neither a section, nor an entry, nor a comment.
    NoEntry,
    /// An entry without a key.
    NoKey,
    /// A section that is not closed.
    OpenSection,
    /// A quoted value that is not closed.
    OpenQuote,
    /// Something behind a closing quote.
    TextBehindQuote,
    /// A backslash before a character that needs none.
    UnknownEscape,
    /// A line that goes on where the file ends.
    NothingFollows,
    /// A directive that the reader does not know.
    UnknownDirective,
    /// A directive whose argument is missing, or is no number in range.
    BadArgument,
    /// A checksum that is no number.
    BadSum,
    /// A checksum of something else.
    WrongSum,
}

/// Why a value could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ValueError {
    /// There is no such entry.
    Missing,
    /// The entry holds something else.
    WrongType(String),
}

/// A section or key that could not be written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameError(pub String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::NoEntry => "neither a section nor an entry",
            Problem::NoKey => "an entry without a key",
            Problem::OpenSection => "the section is not closed",
            Problem::OpenQuote => "the quote is not closed",
            Problem::TextBehindQuote => "there is text behind the quote",
            Problem::UnknownEscape => "unknown escape",
            Problem::NothingFollows => "nothing follows the backslash",
            Problem::UnknownDirective => "unknown directive",
            Problem::BadArgument => "bad argument of a directive",
            Problem::BadSum => "the checksum is no number",
            Problem::WrongSum => "the checksum is wrong",
        })
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::Missing => f.write_str("no such entry"),
            ValueError::WrongType(text) => write!(f, "{text:?} is of another type"),
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} cannot be a name", self.0)
    }
}

impl Error for ParseError {}
impl Error for ValueError {}
impl Error for NameError {}
