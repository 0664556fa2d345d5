//! Tests the crate in a directory for ten seconds and prints what breaks it.
//!
//! `cargo run --example findings -- path/to/Cargo.toml`

#![allow(clippy::print_stdout)] // An example has nobody else to tell.

use std::process::ExitCode;
use std::time::Duration;

use provoke_run::{Event, Packages, Run, RunSettings, Setup, Subject};

fn main() -> ExitCode {
    // First of all: cargo calls this program back in the role of rustdoc and of rustc.
    if let Some(code) = provoke_run::run_as_wrapper_if_asked() {
        return ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    let manifest_path = std::env::args_os().nth(1).map(Into::into);
    let setup = Setup { subject: Subject::Local { manifest_path, packages: Packages::Default }, ..Setup::default() };
    let settings = RunSettings { time: Some(Duration::from_secs(10)), ..RunSettings::default() };
    let mut observer = |event: &Event| {
        if let Event::PhaseStarted { phase } = event {
            println!("{phase:?}");
        }
    };
    let all = Run::new(setup, settings).run(&mut observer);
    for finding in all.packages.iter().flat_map(|package| &package.summary.findings) {
        println!("{} {}: {}", finding.tier.name(), finding.function, finding.message);
        println!("{}", finding.test_source.as_deref().unwrap_or("(no test)"));
    }
    match all.end {
        Ok(code) => code.into(),
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
