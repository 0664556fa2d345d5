//! What the tool is asked to do, and what is printed of it.

pub mod json_file;
pub mod lcov_file;

use std::path::Path;
use std::sync::Arc;

use provoke_report::{ExitCode, UserError, render_list, render_replay, render_totals};
use provoke_run::{FunctionFilter, PackageReplay, Replay, Run, RunSettings, Setup};

use crate::cli::options::{Command, Options};
use crate::commands::json_file::JsonFile;
use crate::commands::lcov_file::LcovFile;
use crate::console::Console;

pub fn execute(options: Options, console: &Arc<Console>) -> Result<ExitCode, UserError> {
    let setup = options.setup;
    match options.command {
        Command::Run { settings, json, lcov } => run(setup, *settings, json.as_deref(), lcov.as_deref(), console),
        Command::List { functions } => list(&setup, &functions, console),
        Command::Replay(which) => replay(&setup, &which, console),
    }
}

fn run(
    setup: Setup,
    settings: RunSettings,
    json: Option<&Path>,
    lcov: Option<&Path>,
    console: &Console,
) -> Result<ExitCode, UserError> {
    let mut json = json.map(JsonFile::open).transpose()?;
    let mut lcov = lcov.map(LcovFile::open).transpose()?;
    let outcome = Run::new(setup, settings).run(&mut |event: &_| console.emit(event));
    for package in outcome.packages {
        if let Some(json) = &mut json {
            json.add(package.summary);
        }
        if let Some(lcov) = &mut lcov {
            lcov.add(package.reached);
        }
    }
    if let Some(json) = json {
        json.write(outcome.n_asked_for)?;
    }
    if let Some(lcov) = lcov {
        lcov.write()?;
    }
    outcome.end
}

fn list(setup: &Setup, functions: &FunctionFilter, console: &Console) -> Result<ExitCode, UserError> {
    let outcome = provoke_run::list(setup, functions, &mut |event: &_| console.emit(event));
    for rows in &outcome.packages {
        console.print(&render_list(rows));
    }
    outcome.end
}

fn replay(setup: &Setup, which: &Replay, console: &Console) -> Result<ExitCode, UserError> {
    let outcome = provoke_run::replay(setup, which, &mut |event: &_| console.emit(event));
    let mut replayed = Vec::new();
    for package in outcome.packages {
        match package {
            PackageReplay::One(one) => console.print(&render_replay(&one, console.theme())),
            PackageReplay::All(all) => replayed.extend(all),
        }
    }
    if matches!(which, Replay::All { .. }) && outcome.n_asked_for > 0 {
        console.print(&render_totals(&replayed));
    }
    outcome.end
}
