//! `bench throughput`: calls per second of Provoke and of what it is measured against.
//!
//! All drivers call the same subjects and take turns, so that whatever else the machine does
//! meets them alike; medians of the rounds are shown. The baselines are compiled with the
//! workers' profile in a workspace of their own, `xtask/baselines`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::measurement::Measurement;
use crate::{table, workspace_root};

const SUBJECTS: [&str; 2] = ["tree-map", "bounded-stack"];

/// What makes the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Driver {
    Native,
    Provoke,
    Proptest,
    Quickcheck,
}

impl Driver {
    const ALL: [Driver; 4] = [Driver::Native, Driver::Provoke, Driver::Proptest, Driver::Quickcheck];

    fn name(self) -> &'static str {
        match self {
            Driver::Native => "native",
            Driver::Provoke => "provoke",
            Driver::Proptest => "proptest",
            Driver::Quickcheck => "quickcheck",
        }
    }
}

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    n_rounds: u32,
    baseline_time: String,
    search_time: String,
    subjects: Vec<&'static str>,
}

impl Options {
    /// Reads the arguments after `bench throughput`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let mut options = Options {
            n_rounds: 5,
            baseline_time: "2s".to_owned(),
            search_time: "5s".to_owned(),
            subjects: SUBJECTS.to_vec(),
        };
        let mut args = args.iter();
        while let Some(&option) = args.next() {
            let value = *args.next().ok_or(format!("`{option}` needs a value"))?;
            match option {
                "--rounds" => {
                    let n_rounds = value.parse().ok().filter(|&n_rounds| n_rounds > 0);
                    options.n_rounds = n_rounds.ok_or(format!("`{value}` is no number of rounds"))?;
                }
                "--time" => options.baseline_time = parse_time(value)?,
                "--search-time" => options.search_time = parse_time(value)?,
                "--subject" => {
                    options.subjects.clear();
                    options.subjects.extend(SUBJECTS.iter().filter(|&&subject| subject == value));
                    if options.subjects.is_empty() {
                        return Err(format!("`{value}` is none of {}", SUBJECTS.join(", ")));
                    }
                }
                _ => return Err(format!("unknown option `{option}`")),
            }
        }
        Ok(options)
    }
}

/// Seconds as in `5s`; kept as text, since others read it.
fn parse_time(value: &str) -> Result<String, String> {
    let seconds = value.strip_suffix('s').and_then(|number| number.parse::<f64>().ok());
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(value.to_owned()),
        _ => Err(format!("`{value}` is no time like `5s`")),
    }
}

/// Builds everything, measures in rounds and prints a table per subject.
pub fn run(options: &Options) -> Result<(), String> {
    let bench = Bench::prepare(options)?;
    for &subject in &options.subjects {
        let mut runs: Vec<(Driver, Vec<Measurement>)> =
            Driver::ALL.iter().map(|&driver| (driver, Vec::new())).collect();
        for round in 1..=options.n_rounds {
            eprintln!("{subject}: round {round} of {}", options.n_rounds);
            for (driver, measurements) in &mut runs {
                measurements.push(bench.measure(*driver, subject)?);
            }
        }
        let medians = runs.iter().map(|(driver, runs)| (*driver, Measurement::median(runs)));
        println!("{}", report(subject, &medians.collect::<Vec<_>>()));
    }
    Ok(())
}

/// Everything built and ready to run.
struct Bench<'a> {
    options: &'a Options,
    root: PathBuf,
    /// Holds the summaries that Provoke writes.
    scratch: tempfile::TempDir,
}

impl Bench<'_> {
    fn prepare(options: &Options) -> Result<Bench<'_>, String> {
        let scratch = tempfile::tempdir();
        let bench = Bench {
            options,
            root: workspace_root(),
            scratch: scratch.map_err(|error| format!("no temporary folder: {error}"))?,
        };
        let mut baselines = bench.cargo("build");
        baselines.arg("--manifest-path").arg(bench.baselines_manifest());
        must_succeed(&mut baselines)?;
        let mut provoke = bench.cargo("build");
        provoke.args(["--release", "--package", "cargo-provoke"]);
        must_succeed(&mut provoke)?;
        Ok(bench)
    }

    fn measure(&self, driver: Driver, subject: &str) -> Result<Measurement, String> {
        match driver {
            Driver::Provoke => self.measure_provoke(subject),
            _ => self.measure_baseline(driver, subject),
        }
    }

    fn measure_baseline(&self, driver: Driver, subject: &str) -> Result<Measurement, String> {
        let mut command = self.cargo("run");
        command.arg("--manifest-path").arg(self.baselines_manifest());
        command.args(["--", driver.name(), subject, &self.options.baseline_time]);
        command.stdout(Stdio::piped());
        let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
        if !output.status.success() {
            return Err(format!("baseline {} failed: {}", driver.name(), output.status));
        }
        Ok(Measurement::from_baseline(&String::from_utf8_lossy(&output.stdout)))
    }

    /// Runs the whole tool with one worker. It exits with 100 where it finds the planted bug, so
    /// its summary decides whether the run counts, not its status.
    fn measure_provoke(&self, subject: &str) -> Result<Measurement, String> {
        let summary_path = self.scratch.path().join("summary.json");
        // Whether there was one before does not matter: a stale summary must not be read again.
        let _ = fs::remove_file(&summary_path);
        let manifest = self.root.join("subjects").join(subject).join("Cargo.toml");
        let mut command = self.cargo("run");
        command.args(["--release", "--package", "cargo-provoke", "--", "provoke"]);
        command.arg("--manifest-path").arg(manifest);
        command.args(["--time", &self.options.search_time, "--jobs", "1", "--json"]);
        command.arg(&summary_path).stdout(Stdio::null()).stderr(Stdio::piped());
        let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
        match read_summary(&summary_path) {
            Some(summary) => Ok(Measurement::from_summary(&summary)),
            None => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                let last_line = stderr.lines().last().unwrap_or("it said nothing");
                eprintln!("provoke wrote no summary ({}): {last_line}", output.status);
                Ok(Measurement::default())
            }
        }
    }

    /// A cargo command at the root, saying nothing unless it fails.
    fn cargo(&self, subcommand: &str) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.current_dir(&self.root).args([subcommand, "--quiet"]).stdin(Stdio::null());
        command
    }

    fn baselines_manifest(&self) -> PathBuf {
        self.root.join("xtask").join("baselines").join("Cargo.toml")
    }
}

fn read_summary(path: &Path) -> Option<serde_json::Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn must_succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("cannot run {command:?}: {error}")),
    }
}

/// The medians of one subject as a table, and the two ratios that matter.
fn report(subject: &str, medians: &[(Driver, Measurement)]) -> String {
    let rate_of = |wanted: Driver| {
        let found = medians.iter().find(|(driver, _)| *driver == wanted);
        found.and_then(|(_, median)| median.calls_per_second)
    };
    let (native, proptest) = (rate_of(Driver::Native), rate_of(Driver::Proptest));
    let header = [subject, "calls/s", "/ native", "/ proptest", "replayed"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (driver, median) in medians {
        let rate = median.calls_per_second;
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        rows.push(vec![
            driver.name().to_owned(),
            table::count(rate),
            table::ratio(rate, native),
            table::ratio(rate, proptest),
            median.replayed_share.map_or("-".to_owned(), percent),
        ]);
    }
    let provoke = rate_of(Driver::Provoke);
    format!(
        "{}provoke/native {}, provoke/proptest {}\n",
        table::render(&rows),
        table::ratio(provoke, native),
        table::ratio(provoke, proptest),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = Options::parse(&["--rounds", "1", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, &*options.search_time), (1, "5s"));
        assert_eq!(options.subjects, ["tree-map"]);
        for wrong in [
            &["--rounds", "0"][..],
            &["--rounds"],
            &["--time", "5"],
            &["--search-time", "-1s"],
            &["--subject", "nothing"],
            &["--colour", "red"],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_report_shows_dashes_where_provoke_said_nothing() {
        let rate = |rate| Measurement { calls_per_second: Some(rate), replayed_share: None };
        let mut medians = vec![
            (Driver::Native, rate(1000.0)),
            (Driver::Provoke, Measurement::default()),
            (Driver::Proptest, rate(10.0)),
        ];
        assert!(report("x", &medians).ends_with("provoke/native -, provoke/proptest -\n"));
        medians[1].1 = Measurement { replayed_share: Some(0.5), ..rate(250.0) };
        let text = report("x", &medians);
        assert!(text.contains("provoke       250      0.25        25.0      50 %\n"), "{text}");
        assert!(text.ends_with("provoke/native 0.25, provoke/proptest 25.0\n"));
    }
}
