//! What Provoke adds to a plain build of a crate before its search starts, with nothing built before (`survey --cold`).
//!
//! Everything is downloaded first, and both are told to stay offline, so that the network is not measured.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use crate::support::cargo::cargo;
use crate::support::crate_list::CrateVersion;
use crate::support::measurement::median;
use crate::support::provoke::{self, Provoke};
use crate::support::table;
use crate::survey::figures::Figures;

/// One cold start.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ColdStart {
    /// Of a plain `cargo build`.
    build_seconds: f64,
    /// From starting Provoke until its search started.
    start_seconds: f64,
}

/// Measures every crate `n_runs` times and prints the medians.
pub fn run(provoke: &Provoke, crates: &[CrateVersion], seed: u64, n_runs: u32) -> Result<(), String> {
    let longest = crates.iter().map(|krate| krate.to_string().len()).max().unwrap_or(0);
    let widths = [longest, 7, 7, 10];
    let header = ["crate", "build s", "start s", "difference"];
    print!("{}", table::line(&header.map(str::to_owned), &widths));
    let mut failed = Vec::new();
    for krate in crates {
        let cold_starts: Result<Vec<ColdStart>, String> = (0..n_runs).map(|_| measure(provoke, krate, seed)).collect();
        match cold_starts {
            Ok(cold_starts) => print!("{}", table::line(&row(krate, &cold_starts), &widths)),
            Err(message) => {
                println!("{krate:<longest$}  {message}");
                failed.push(krate.to_string());
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("{} could not be measured: {}", failed.len(), failed.join(", ")))
}

fn row(krate: &CrateVersion, cold_starts: &[ColdStart]) -> Vec<String> {
    let build = median(cold_starts.iter().map(|cold_start| cold_start.build_seconds).collect());
    let start = median(cold_starts.iter().map(|cold_start| cold_start.start_seconds).collect());
    let difference = build.zip(start).map(|(build, start)| start - build);
    let seconds = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    vec![krate.to_string(), seconds(build), seconds(start), seconds(difference)]
}

fn measure(provoke: &Provoke, krate: &CrateVersion, seed: u64) -> Result<ColdStart, String> {
    let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let build_seconds = plain_build(krate, scratch.path())?;
    let mut command = provoke.command();
    command.env("CARGO_TARGET_DIR", scratch.path().join("provoke-target"));
    command.args(["--crate", &krate.to_string(), "--calls", "1000", "--seed", &seed.to_string(), "--offline"]);
    let run = provoke.run(command)?;
    let figures = run.summary.as_ref().and_then(Figures::from_summary);
    match figures {
        Some(figures) if run.is_normal() && figures.n_rejected > 0 => {
            Err(format!("{} tests were rejected", figures.n_rejected))
        }
        Some(figures) if run.is_normal() => {
            // The summary's clock starts when the crate is resolved; that, too, is waiting for the search.
            let around = (run.wall_seconds - figures.seconds.total).max(0.0);
            Ok(ColdStart { build_seconds, start_seconds: around + figures.seconds.before_search() })
        }
        _ => Err(run.status()),
    }
}

/// The seconds of `cargo build` in a package that needs nothing but the crate.
fn plain_build(krate: &CrateVersion, scratch: &Path) -> Result<f64, String> {
    let package = scratch.join("plain");
    let write = |path: &str, text: &str| {
        let path = package.join(path);
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(package.join("src")).map_err(|error| format!("cannot make {}: {error}", package.display()))?;
    write("Cargo.toml", &manifest(krate))?;
    write("src/lib.rs", "")?;
    let in_package = |subcommand: &str, arguments: &[&str]| {
        let mut command = cargo(subcommand);
        command.current_dir(&package).args(arguments).env("CARGO_TARGET_DIR", scratch.join("plain-target"));
        let output = command.stdout(Stdio::null()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
        let complaint = || provoke::last_line(&String::from_utf8_lossy(&output.stderr));
        if output.status.success() { Ok(()) } else { Err(format!("cargo {subcommand} failed: {}", complaint())) }
    };
    in_package("fetch", &[])?;
    let started = Instant::now();
    in_package("build", &["--offline"])?;
    Ok(started.elapsed().as_secs_f64())
}

fn manifest(krate: &CrateVersion) -> String {
    let CrateVersion { name, version } = krate;
    format!(
        "[workspace]\n\n[package]\nname = \"plain-build\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
         [dependencies]\n{name} = \"={version}\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_the_medians_and_what_lies_between_them() {
        let krate = CrateVersion { name: "slab".to_owned(), version: "0.4.4".to_owned() };
        let cold_start = |build_seconds, start_seconds| ColdStart { build_seconds, start_seconds };
        let cold_starts = [cold_start(1.0, 9.0), cold_start(2.0, 5.0), cold_start(30.0, 6.5)];
        assert_eq!(row(&krate, &cold_starts), ["slab@0.4.4", "2.00", "6.50", "4.50"]);
        assert_eq!(row(&krate, &[]), ["slab@0.4.4", "-", "-", "-"]);
    }

    #[test]
    fn the_plain_package_needs_exactly_that_version() {
        let krate = CrateVersion { name: "slab".to_owned(), version: "0.4.4".to_owned() };
        assert!(manifest(&krate).ends_with("[dependencies]\nslab = \"=0.4.4\"\n"));
    }
}
