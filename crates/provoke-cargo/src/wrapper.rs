//! The tool in the role of rustdoc.
//!
//! Rustdoc writes JSON on a stable toolchain only with `RUSTC_BOOTSTRAP=1`. Set for cargo, that variable would also reach
//! build scripts and rustc, and make crates believe that they are on nightly. So cargo is told that this very executable
//! is rustdoc, and the variable is set here, for the one process that needs it.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::Command;

/// Names the real rustdoc to the wrapper.
pub(crate) const REAL_RUSTDOC: &str = "PROVOKE_WRAP_RUSTDOC";
/// Tells the wrapper where the JSON goes, instead of where cargo would have it.
pub(crate) const RUSTDOC_OUT: &str = "PROVOKE_RUSTDOC_OUT";

/// If cargo called this executable as rustdoc, runs the real one and returns the exit code to end with.
///
/// To be called first in `main`, before any argument is looked at.
pub fn run_as_wrapper_if_asked() -> Option<i32> {
    let real = env::var_os(REAL_RUSTDOC)?;
    let mut command = Command::new(&real);
    command.env_remove(REAL_RUSTDOC).env_remove(RUSTDOC_OUT);
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    if args.iter().any(|arg| arg == "--output-format") {
        command.env("RUSTC_BOOTSTRAP", "1");
        command.args(redirected(args, env::var_os(RUSTDOC_OUT).as_deref()));
    } else {
        command.args(args);
    }
    Some(run_in_place(command))
}

/// Only returns if the program could not be run.
#[cfg(unix)]
fn run_in_place(mut command: Command) -> i32 {
    use std::io::Write;
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    let program = command.get_program().to_string_lossy().into_owned();
    // Cargo shows this to the user; there is no one else to tell.
    let _ = writeln!(std::io::stderr(), "error: cannot run `{program}`: {error}");
    127
}

#[cfg(not(unix))]
fn run_in_place(mut command: Command) -> i32 {
    command.status().ok().and_then(|status| status.code()).unwrap_or(127)
}

fn redirected(args: Vec<OsString>, out: Option<&OsStr>) -> Vec<OsString> {
    let Some(out) = out else { return args };
    let mut is_value = false;
    args.into_iter()
        .map(|arg| {
            let arg = if is_value { out.to_owned() } else { arg };
            is_value = !is_value && ["-o", "--output", "--out-dir"].iter().any(|o| arg == *o);
            arg
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_output_directory_is_replaced() {
        let args = ["--edition=2021", "-o", "target/doc", "-L", "x"].map(OsString::from);
        assert_eq!(redirected(args.to_vec(), Some(OsStr::new("-o"))), ["--edition=2021", "-o", "-o", "-L", "x"]);
        assert_eq!(redirected(args.to_vec(), None), args);
    }
}
