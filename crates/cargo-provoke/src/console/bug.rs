//! A panic of the tool itself: said in three lines, with the exit code for it.

use provoke_report::{ExitCode, UserError};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the tool; a panic anywhere in it is reported once, as a bug in Provoke.
pub fn guard(run: impl FnOnce() -> ExitCode) -> ExitCode {
    std::panic::set_hook(Box::new(print_once));
    exit_code_of(run)
}

fn exit_code_of(run: impl FnOnce() -> ExitCode) -> ExitCode {
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(ExitCode::Bug)
}

/// One thread's panic often makes another one panic that waits for it; only the first says why.
fn print_once(info: &PanicHookInfo<'_>) {
    static IS_PRINTED: AtomicBool = AtomicBool::new(false);
    if IS_PRINTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let location = info.location().map(ToString::to_string);
    let backtrace = Backtrace::capture();
    let backtrace = (backtrace.status() == BacktraceStatus::Captured).then_some(backtrace);
    let error = bug(
        info.payload_as_str().unwrap_or("a panic without a message"),
        location.as_deref(),
        backtrace.map(|backtrace| backtrace.to_string()),
    );
    if std::io::stderr().is_terminal() {
        // The live line may be in the way.
        let _ = std::io::stderr().write_all(b"\r\x1b[2K");
    }
    let _ = anstream::stderr().write_all(error.render().as_bytes());
}

fn bug(message: &str, location: Option<&str>, backtrace: Option<String>) -> UserError {
    let mut details = format!("at {}", location.unwrap_or("an unknown place"));
    if let Some(backtrace) = backtrace {
        details.push('\n');
        details.push_str(&backtrace);
    }
    UserError::new(ExitCode::Bug, format!("this is a bug in Provoke: {message}")).with_details(details).with_hint(
        "please report it with these lines and the command you ran; RUST_BACKTRACE=1 adds where it came from",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_one_line_with_its_place_and_what_to_do() {
        let text = bug("index out of bounds", Some("src/x.rs:1:2"), None).render();
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "error: this is a bug in Provoke: index out of bounds");
        assert_eq!(lines[1], "    at src/x.rs:1:2");
        assert!(lines[2].starts_with("hint: please report"));
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_panic_ends_in_its_own_exit_code() {
        assert_eq!(exit_code_of(|| panic!("on purpose")), ExitCode::Bug);
        assert_eq!(exit_code_of(|| ExitCode::Findings), ExitCode::Findings);
    }
}
