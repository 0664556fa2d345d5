//! `--sandbox`: what is done where the system cannot lock code under test in.

use provoke_host::Sandbox;
use provoke_report::{Event, UserError};

use crate::events::Events;
use crate::settings::SandboxMode;

/// The sandbox that the user asked for. Warns once if it has holes that were not asked for.
pub fn set_up(mode: SandboxMode, events: &Events) -> Result<Sandbox, UserError> {
    if mode == SandboxMode::Off {
        return Ok(Sandbox::off());
    }
    let sandbox = Sandbox::available();
    if let Some(Holes { message, hint }) = holes(mode, &sandbox.missing())? {
        events.emit(Event::Warning { message, hint: Some(hint) });
    }
    Ok(sandbox)
}

#[derive(Debug, PartialEq, Eq)]
struct Holes {
    message: String,
    hint: String,
}

/// What a sandbox without these parts of the kernel does not prevent.
fn holes(mode: SandboxMode, missing: &[&str]) -> Result<Option<Holes>, UserError> {
    let risk = match missing {
        [] => return Ok(None),
        ["Landlock"] => "functions that write or delete files do so",
        ["seccomp"] => "functions that use the network or start programs do so",
        _ => "functions that delete files, use the network or start programs do so",
    };
    let parts = missing.join(" and ");
    if mode == SandboxMode::Strict {
        return Err(UserError::usage(
            format!("this system has no {parts}, which `--sandbox strict` needs"),
            "use a Linux kernel from 5.13 on that has both, or `--sandbox auto` for what there is",
        ));
    }
    Ok(Some(Holes {
        message: format!("the sandbox is incomplete, because this system has no {parts}: {risk}"),
        hint: "leave such functions out with `--omit`, or use a Linux kernel from 5.13 on that has both".into(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_a_warning_or_an_error_and_never_silent() {
        for mode in [SandboxMode::Auto, SandboxMode::Strict] {
            assert_eq!(holes(mode, &[]), Ok(None));
        }
        let holes_of = |missing: &[&str]| holes(SandboxMode::Auto, missing).unwrap().unwrap().message;
        assert!(holes_of(&["Landlock"]).contains("no Landlock: functions that write or delete files"));
        assert!(holes_of(&["seccomp"]).contains("no seccomp: functions that use the network"));
        assert!(holes_of(&["Landlock", "seccomp"]).contains("no Landlock and seccomp: "));
        let error = holes(SandboxMode::Strict, &["Landlock"]).unwrap_err();
        assert_eq!(error.exit, provoke_report::ExitCode::Usage);
        assert!(error.hint.is_some());
    }
}
