//! One run of cargo or rustc: where, with what environment, and what its failure means.

use std::env;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use crate::context::CargoContext;
use crate::error::{CargoError, disk_full_line};
use crate::process::{Finished, Lines, Stream, run};

/// What cargo wrote, and whether it was content.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) is_success: bool,
    pub(crate) stderr: String,
}

/// The cargo that called us, or the one on the path, running in `directory`: so the user's `.cargo/config.toml` and,
/// unless the user named a toolchain, `rust-toolchain.toml` apply.
pub(crate) fn cargo(directory: &Path) -> Command {
    let mut command = Command::new(tool("CARGO", "cargo"));
    command.current_dir(directory).env("CARGO_TERM_COLOR", "never").env("CARGO_TERM_PROGRESS_WHEN", "never");
    command
}

/// The program that a variable names, or else the usual name, looked up on the path.
pub(crate) fn tool(variable: &str, name: &str) -> OsString {
    env::var_os(variable).filter(|value| !value.is_empty()).unwrap_or_else(|| name.into())
}

/// Runs `command`, giving each line of its standard output to `on_line` and keeping its standard error.
pub(crate) fn stream(
    command: Command,
    cargo_context: &CargoContext,
    log: Option<&Path>,
    on_line: &mut dyn FnMut(&[u8]),
) -> Result<Answer, CargoError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut log = log.and_then(|path| {
        // The log is a convenience: a run does not fail because it cannot be written.
        let mut file = OpenOptions::new().create(true).append(true).open(path).ok()?;
        writeln!(file, "$ {}", spelled(&command)).ok()?;
        Some(file)
    });
    let mut stderr = Vec::new();
    let (mut out_lines, mut err_lines) = (Lines::default(), Lines::default());
    let mut hear = |line: &[u8]| {
        if let Some(file) = &mut log {
            let _ = file.write_all(line).and_then(|()| file.write_all(b"\n"));
        }
        let line = String::from_utf8_lossy(line);
        match line.trim_start().strip_prefix("Blocking waiting for ") {
            Some(object) => cargo_context.tell_wait(object),
            None => cargo_context.tell(&line),
        }
    };
    let finished = run(command, &cargo_context.interrupt, None, &mut |stream, bytes| match stream {
        Stream::Out => out_lines.push(bytes, &mut *on_line),
        Stream::Err => {
            stderr.extend_from_slice(bytes);
            err_lines.push(bytes, &mut hear);
        }
    });
    out_lines.finish(on_line);
    err_lines.finish(hear);
    match finished {
        Ok(Finished::Exited(status)) => {
            Ok(Answer { is_success: status.success(), stderr: String::from_utf8_lossy(&stderr).into_owned() })
        }
        Ok(Finished::Interrupted) => Err(CargoError::Interrupted),
        Ok(Finished::TimedOut) => {
            Err(CargoError::Internal { message: format!("`{program}` was stopped without a limit") })
        }
        Err(source) => Err(not_runnable(program, source)),
    }
}

/// Runs `command` and keeps all of its standard output.
pub(crate) fn capture(
    command: Command,
    cargo_context: &CargoContext,
    log: Option<&Path>,
) -> Result<(Answer, String), CargoError> {
    let mut out = Vec::new();
    let answer = stream(command, cargo_context, log, &mut |line| {
        out.extend_from_slice(line);
        out.push(b'\n');
    })?;
    Ok((answer, String::from_utf8_lossy(&out).into_owned()))
}

fn not_runnable(program: String, source: io::Error) -> CargoError {
    CargoError::ProgramNotFound { program, source }
}

fn spelled(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Cargo's complaint without progress lines, warnings and the leading `error: `.
pub(crate) fn complaint(stderr: &str) -> String {
    let from_error: Vec<&str> = stderr.lines().skip_while(|line| !line.starts_with("error")).collect();
    let text = if from_error.is_empty() { stderr.trim().to_owned() } else { from_error.join("\n").trim().to_owned() };
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}

/// What a failure of cargo means where no compiler error explains it.
pub(crate) fn explain(stderr: &str, package: &str) -> CargoError {
    let message = complaint(stderr);
    if let Some(line) = disk_full_line(stderr) {
        CargoError::DiskFull { message: line.into() }
    } else if is_about_network(&message) {
        CargoError::NoNetwork { message }
    } else {
        CargoError::DoesNotBuild { package: package.into(), message }
    }
}

pub(crate) fn is_about_network(message: &str) -> bool {
    // `--locked` and `--frozen` are refusals that the user asked for, and mention `--offline` as a remedy.
    if message.contains("to prevent this") {
        return false;
    }
    [
        "spurious network error",
        "Could not resolve host",
        "Couldn't resolve host",
        "Could not connect",
        "Couldn't connect",
        "Failed to connect",
        "failed to download",
        "download of",
        "--offline",
    ]
    .iter()
    .any(|sign| message.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_starts_at_the_error() {
        let stderr = "    Updating index\nwarning: x\nerror: no such thing\n\nCaused by:\n  y\n";
        assert_eq!(complaint(stderr), "no such thing\n\nCaused by:\n  y");
        assert_eq!(complaint("killed\n"), "killed");
    }

    #[test]
    fn a_full_disk_is_not_blamed_on_the_crate() {
        let stderr = "error: failed to write `x`\n\nCaused by:\n  No space left on device (os error 28)\n";
        let error = explain(stderr, "p");
        assert_eq!(error.to_string(), "no space is left on the disk:\nNo space left on device (os error 28)");
    }

    #[test]
    fn a_failed_download_is_not_blamed_on_the_crate() {
        let error = explain("error: failed to download `x`\n", "p");
        assert!(matches!(error, CargoError::NoNetwork { .. }));
        let error = explain("error: could not compile\n", "p");
        assert!(matches!(error, CargoError::DoesNotBuild { .. }));
    }

    #[cfg(unix)]
    #[test]
    fn what_cargo_waits_for_is_told_apart_from_what_it_does() {
        use std::sync::{Arc, Mutex};
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let listener = |kind: &'static str| {
            let told = Arc::clone(&told);
            let listener: crate::context::Listener =
                Arc::new(move |line: &str| told.lock().unwrap().push(format!("{kind}: {line}")));
            Some(listener)
        };
        let cargo_context =
            CargoContext { listener: listener("line"), on_wait: listener("wait"), ..CargoContext::default() };
        let mut command = Command::new("sh");
        command.args(["-c", "echo '    Blocking waiting for file lock on build directory' >&2; echo done >&2"]);
        capture(command, &cargo_context, None).unwrap();
        assert_eq!(*told.lock().unwrap(), ["wait: file lock on build directory", "line: done"]);
    }

    #[test]
    fn a_missing_program_is_named() {
        let command = Command::new("no-such-program-anywhere");
        let error = capture(command, &CargoContext::default(), None).unwrap_err();
        assert!(error.to_string().contains("no-such-program-anywhere"));
    }
}
