//! `cargo provoke`: finds call sequences that break a crate and hands back the failing tests.

mod cli;
mod commands;
mod console;

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

use clap::Parser;
use clap::error::ErrorKind;
use provoke_report::{Event, ExitCode};

use crate::cli::args::Args;
use crate::cli::options::Options;
use crate::cli::usage_error;
use crate::console::{Console, bug, color, ctrl_c};

fn main() -> std::process::ExitCode {
    // First of all: cargo calls this binary back in the role of rustdoc.
    if let Some(code) = provoke_run::run_as_wrapper_if_asked() {
        return std::process::ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    let argv = without_cargos_word(std::env::args_os().collect());
    bug::guard(|| run(argv)).into()
}

fn run(argv: Vec<OsString>) -> ExitCode {
    let args = match Args::try_parse_from(&argv) {
        Ok(args) => args,
        Err(error) => return end_without_running(&error, &argv),
    };
    let options = Options::from_args(args).typed(argv.get(1..).unwrap_or_default());
    let console = Arc::new(Console::new(&options));
    let listener = Arc::clone(&console);
    let result = ctrl_c::listen(&options.setup.interrupt, move || listener.emit(&Event::StopAsked))
        .and_then(|()| commands::execute(options, &console));
    result.unwrap_or_else(|error| {
        console.error(&error);
        error.exit
    })
}

/// Cargo starts `cargo-provoke provoke …`; by hand it is `cargo-provoke …`.
fn without_cargos_word(mut argv: Vec<OsString>) -> Vec<OsString> {
    if argv.get(1).is_some_and(|word| word == "provoke") {
        argv.remove(1);
    }
    argv
}

/// Prints help or version, or says what is wrong with the command line.
fn end_without_running(error: &clap::Error, argv: &[OsString]) -> ExitCode {
    let asked = color::asked_for(argv);
    // Who closes standard output early has read enough; who closed standard error cannot be told.
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let mut stdout = std::io::stdout();
        let text = error.render().ansi().to_string();
        let text = color::for_stream(&text, color::is_colored(&stdout, asked));
        let _ = stdout.write_all(text.as_bytes());
        return ExitCode::Success;
    }
    let error = usage_error::usage_error(error);
    let mut stderr = std::io::stderr();
    let text = color::for_stream(&error.render(), color::is_colored(&stderr, asked));
    let _ = stderr.write_all(text.as_bytes());
    error.exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargos_own_word_is_skipped_once() {
        let strip = |line: &str| {
            let argv = line.split(' ').map(OsString::from).collect();
            let words: Vec<_> = without_cargos_word(argv);
            words.join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(strip("cargo-provoke provoke list"), "cargo-provoke list");
        assert_eq!(strip("cargo-provoke list"), "cargo-provoke list");
        assert_eq!(strip("cargo-provoke provoke provoke"), "cargo-provoke provoke");
        assert_eq!(strip("cargo-provoke"), "cargo-provoke");
    }
}
