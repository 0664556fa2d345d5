//! Lines as the parser wants them: without comments, continued ones joined.

use std::borrow::Cow;

use crate::error::{ParseError, Problem};

/// How a line ends that goes on.
const GOES_ON: &str = " \\";

pub struct Lines<'a> {
    rest: std::str::Lines<'a>,
    /// How many were read.
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        Lines { rest: text.lines(), number: 0 }
    }

    /// The number of the last line that was read.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line that says something, without the space around it.
    pub fn next(&mut self) -> Result<Option<Cow<'a, str>>, ParseError> {
        while let Some(line) = self.read() {
            if line.is_empty() || is_comment(line) {
                continue;
            }
            return match line.strip_suffix(GOES_ON) {
                Some(start) => self.join(start).map(|joined| Some(joined.into())),
                None => Ok(Some(line.into())),
            };
        }
        Ok(None)
    }

    /// All of a continued line. Comments in between are skipped.
    fn join(&mut self, start: &str) -> Result<String, ParseError> {
        let mut joined = start.to_string();
        let mut n_read = 1;
        let mut n_comments = 0;
        loop {
            let Some(line) = self.read() else {
                // The mistake is in the line that was the last one to be continued.
                let line = self.number - n_read - n_comments + 1;
                let problem = Problem::NothingFollows;
                return Err(ParseError { line, problem });
            };
            n_read += 1;
            if is_comment(line) {
                n_comments += 1;
                continue;
            }
            joined.push(' ');
            match line.strip_suffix(GOES_ON) {
                Some(part) => joined.push_str(part),
                None => {
                    joined.push_str(line);
                    return Ok(joined);
                }
            }
        }
    }

    fn read(&mut self) -> Option<&'a str> {
        let line = self.rest.next()?;
        self.number += 1;
        Some(line.trim())
    }
}

fn is_comment(line: &str) -> bool {
    line.starts_with([';', '#'])
}
