//! From text to a document.

use crate::directive::{Directive, fields};
use crate::document::Ini;
use crate::error::{ParseError, Problem};
use crate::lines::Lines;
use crate::quote::unquote;
use crate::seal;

pub fn parse(text: &str) -> Result<Ini, ParseError> {
    let (content, stated_sum) = seal::split(text);
    let mut lines = Lines::new(content);
    let mut parser = Parser::default();
    while let Some(line) = lines.next()? {
        let problem = parser.line(&line);
        problem.map_err(|problem| parser.error(lines.number(), problem))?;
    }
    if let Some(stated) = stated_sum {
        let problem = seal::verify(content, stated);
        problem.map_err(|problem| parser.error(lines.number() + 1, problem))?;
        if let Some(vault) = &parser.vault {
            parser.ini.set_fields(fields(vault));
        }
    }
    Ok(parser.ini)
}

#[derive(Default)]
struct Parser {
    ini: Ini,
    /// Where entries belong.
    section: String,
    /// What directives add to the numbers of lines.
    base: usize,
    vault: Option<String>,
}

impl Parser {
    fn error(&self, line: usize, problem: Problem) -> ParseError {
        ParseError { line: self.base + line, problem }
    }

    fn line(&mut self, line: &str) -> Result<(), Problem> {
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.strip_suffix(']').ok_or(Problem::OpenSection)?;
            self.section = self.section_name(name.trim());
            self.ini.section_mut(&self.section);
            return Ok(());
        }
        if line.starts_with('!') {
            match Directive::parse(line)? {
                Directive::Rebase(base) => self.base = base,
                Directive::Vault(vault) => self.vault = Some(vault.to_string()),
            }
            return Ok(());
        }
        let (key, value) = line.split_once('=').ok_or(Problem::NoEntry)?;
        let key = key.trim();
        if key.is_empty() {
            return Err(Problem::NoKey);
        }
        let value = unquote(value.trim())?;
        self.ini.section_mut(&self.section).put(key, value);
        Ok(())
    }

    /// A name that starts with a dot goes on where the section before stopped.
    fn section_name(&self, name: &str) -> String {
        if name.as_bytes()[0] == b'.' {
            let name = format!("{}{name}", self.section);
            name.trim_start_matches('.').to_string()
        } else {
            name.to_string()
        }
    }
}
