//! `provoke-bench`: measures Provoke; run as `cargo xtask survey …` and so on.
#![allow(clippy::print_stderr, reason = "measurements print for people")]

use std::process::ExitCode;

use clap::Parser;
use provoke_bench::Args;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Who cannot be told cannot be helped.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    match args.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
