//! Errors of the other crates as the user is told about them.

use provoke_engine::ExecutorError;
use provoke_host::{CargoError, ErrorClass, disk_full_line};
use provoke_model::ReadError;
use provoke_report::{ExitCode, UserError};

use crate::interrupt::Interrupt;

pub fn from_cargo(error: CargoError) -> UserError {
    let exit = match error.class() {
        ErrorClass::Usage => ExitCode::Usage,
        ErrorClass::NothingToTest => ExitCode::NothingCallable,
        ErrorClass::DoesNotBuild => ExitCode::TargetDoesNotBuild,
        ErrorClass::Internal => ExitCode::Bug,
        ErrorClass::Interrupted => ExitCode::Interrupted,
    };
    let text = error.to_string();
    let (message, details) = match text.split_once('\n') {
        Some((message, details)) => (message.to_string(), Some(details.to_string())),
        None => (text, None),
    };
    UserError { message, details, hint: error.hint(), exit }
}

pub fn from_model(error: &ReadError) -> UserError {
    match error {
        ReadError::UnsupportedFormat { .. } => UserError::usage(
            error.to_string(),
            "choose a toolchain with `cargo +VERSION provoke` or `rustup override set VERSION`, or another Provoke",
        ),
        _ => UserError::new(ExitCode::Bug, error.to_string())
            .with_hint("run again with -v to see what cargo and rustdoc said"),
    }
}

pub fn from_executor(error: &ExecutorError, interrupt: &Interrupt) -> UserError {
    if interrupt.is_asked() {
        return Interrupt::error();
    }
    if let Some(line) = disk_full_line(&error.0) {
        return from_cargo(CargoError::DiskFull { message: line.to_string() });
    }
    UserError::new(ExitCode::Bug, format!("the worker cannot be run: {error}"))
        .with_hint("run again with -v to see what cargo and the worker said")
}

/// A file that could not be written or read.
pub fn from_io(path: &std::path::Path, error: &std::io::Error) -> UserError {
    UserError::new(ExitCode::Usage, format!("cannot use {}: {error}", path.display()))
        .with_hint("check that it is a file in a directory that can be written and has room")
}
