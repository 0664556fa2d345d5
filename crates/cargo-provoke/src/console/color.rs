//! Whether text is coloured, by cargo's rules: `--color`, then `CARGO_TERM_COLOR`, then what the stream and `NO_COLOR` say.

use crate::cli::args::Color;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use std::ffi::OsString;

/// Whether this stream shall see ANSI styles; `asked` is what `--color` says.
pub fn is_colored<S: RawStream>(stream: &S, asked: Option<Color>) -> bool {
    let variable = std::env::var("CARGO_TERM_COLOR").ok();
    match asked.or_else(|| parse(&variable?)).unwrap_or(Color::Auto) {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
    }
}

/// The text as a stream shall get it.
pub fn for_stream(text: &str, is_colored: bool) -> String {
    if is_colored { text.to_string() } else { anstream::adapter::strip_str(text).to_string() }
}

/// What `--color` says on a command line that could not be parsed, or that asks for help.
pub fn asked_for(argv: &[OsString]) -> Option<Color> {
    let mut words = argv.iter().filter_map(|word| word.to_str());
    let value = loop {
        let word = words.next()?;
        match word.strip_prefix("--color") {
            Some("") => break words.next()?,
            Some(value) if value.starts_with('=') => break &value[1..],
            _ => {}
        }
    };
    parse(value)
}

fn parse(value: &str) -> Option<Color> {
    Color::from_str(value, false).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_is_found_on_any_command_line() {
        let asked = |line: &str| {
            let argv: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            asked_for(&argv)
        };
        assert_eq!(asked("provoke --help"), None);
        assert_eq!(asked("provoke --color never --nonsense"), Some(Color::Never));
        assert_eq!(asked("provoke --nonsense --color=always"), Some(Color::Always));
        assert_eq!(asked("provoke --color"), None);
        assert_eq!(asked("provoke --color blue"), None);
        assert_eq!(asked("provoke --colors never"), None);
    }

    #[test]
    fn styles_vanish_where_they_are_not_wanted() {
        assert_eq!(for_stream("\u{1b}[1mbold\u{1b}[0m", false), "bold");
        assert_eq!(for_stream("\u{1b}[1mbold\u{1b}[0m", true), "\u{1b}[1mbold\u{1b}[0m");
    }
}
