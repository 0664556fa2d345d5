//! Values in quotes.

use crate::error::Problem;

/// A value as it stands in a file, quoted or not.
pub fn unquote(value: &str) -> Result<String, Problem> {
    let Some(quoted) = value.strip_prefix('"') else {
        return Ok(value.to_string());
    };
    let mut text = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next() {
            None => return Err(Problem::OpenQuote),
            Some('"') if chars.as_str().is_empty() => return Ok(text),
            Some('"') => return Err(Problem::TextBehindQuote),
            Some('\\') => text.push(match chars.next().unwrap() {
                'n' => '\n',
                't' => '\t',
                c @ ('"' | '\\') => c,
                _ => return Err(Problem::UnknownEscape),
            }),
            Some(c) => text.push(c),
        }
    }
}

/// A value as it is written: in quotes where it would not be read back without.
pub fn quote(value: &str) -> String {
    let is_plain =
        value.trim() == value && !value.starts_with('"') && !value.ends_with('\\') && !value.contains(['\n', '\r']);
    if is_plain {
        return value.to_string();
    }
    let mut quoted = String::from('"');
    for c in value.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' => quoted.extend(['\\', c]),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
