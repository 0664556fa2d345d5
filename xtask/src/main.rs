//! `cargo xtask …`: what developers of Provoke run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "developer tasks print for people")]

use std::ffi::OsString;
use std::process::ExitCode;

use xtask::{measuring, tidy};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
    let result = match words[..] {
        ["tidy"] => tidy(),
        [task, ..] if measuring::has(task) => Err(measuring::run(&args)),
        [] | ["help" | "--help" | "-h"] => {
            println!("{}", usage());
            return ExitCode::SUCCESS;
        }
        _ => Err(format!("unknown task `{}`\n\n{}", words.join(" "), usage())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let mut usage = "usage: cargo xtask TASK\n\ntasks:\n".to_owned();
    let own = [("tidy", "Checks the rules that the repository keeps about itself")];
    for (task, purpose) in own.iter().chain(&measuring::TASKS) {
        usage += &format!("  {task:<18}{purpose}\n");
    }
    usage + "\n`cargo xtask TASK --help` shows the options of a task that measures"
}

fn tidy() -> Result<(), String> {
    let breaches = tidy::breaches(&xtask::workspace_root())?;
    if breaches.is_empty() {
        println!("the repository keeps its rules");
        return Ok(());
    }
    Err(breaches.join("\n"))
}
