//! `bench throughput`: calls per second of Provoke and of what it is measured against.
//!
//! All drivers call the same subjects and take turns, so that whatever else the machine does
//! meets them alike; medians of the rounds are shown. The baselines are compiled with the
//! workers' profile in a workspace of their own, `bench/baselines`.

use std::path::PathBuf;
use std::process::Stdio;

use clap::value_parser;

use crate::support::cargo::{cargo, must_succeed};
use crate::support::measurement::Measurement;
use crate::support::provoke::Provoke;
use crate::support::{option_value, table};
use crate::workspace_root;

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
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Rounds, of which the medians are shown
    #[arg(long = "rounds", value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(1..))]
    n_rounds: u32,
    /// How long each of the others runs in a round
    #[arg(long = "time", value_name = "TIME", default_value = "2s", value_parser = option_value::time)]
    baseline_time: String,
    /// How long Provoke searches in a round
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = option_value::time)]
    search_time: String,
    /// Only tree-map or only bounded-stack
    #[arg(long, value_name = "NAME", hide_possible_values = true, value_parser = SUBJECTS)]
    subject: Option<String>,
}

impl Options {
    fn subjects(&self) -> Vec<&str> {
        self.subject.as_deref().map_or(SUBJECTS.to_vec(), |subject| vec![subject])
    }
}

/// Builds everything, measures in rounds and prints a table per subject.
pub fn run(options: &Options) -> Result<(), String> {
    let bench = Bench::prepare(options)?;
    for subject in options.subjects() {
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
    provoke: Provoke,
}

impl Bench<'_> {
    fn prepare(options: &Options) -> Result<Bench<'_>, String> {
        must_succeed(cargo("build").arg("--manifest-path").arg(baselines_manifest()))?;
        Ok(Bench { options, provoke: Provoke::build()? })
    }

    fn measure(&self, driver: Driver, subject: &str) -> Result<Measurement, String> {
        match driver {
            Driver::Provoke => self.measure_provoke(subject),
            _ => self.measure_baseline(driver, subject),
        }
    }

    fn measure_baseline(&self, driver: Driver, subject: &str) -> Result<Measurement, String> {
        let mut command = cargo("run");
        command.arg("--manifest-path").arg(baselines_manifest());
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
        let manifest = workspace_root().join("subjects").join(subject).join("Cargo.toml");
        let mut command = self.provoke.command();
        command.arg("--manifest-path").arg(manifest);
        command.args(["--time", &self.options.search_time, "--jobs", "1"]);
        let run = self.provoke.run(command)?;
        match &run.summary {
            Some(summary) => Ok(Measurement::from_summary(summary)),
            None => {
                eprintln!("provoke ended with {}", run.status());
                Ok(Measurement::default())
            }
        }
    }
}

fn baselines_manifest() -> PathBuf {
    workspace_root().join("bench").join("baselines").join("Cargo.toml")
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
    use crate::tasks::parse;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = parse::<Options>("bench throughput", &["--rounds", "1", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, &*options.baseline_time, &*options.search_time), (1, "2s", "5s"));
        assert_eq!(options.subjects(), ["tree-map"]);
        let options = parse::<Options>("bench throughput", &[]).expect("valid");
        assert_eq!((options.n_rounds, options.subjects()), (5, SUBJECTS.to_vec()));
        for wrong in [
            &["--rounds", "0"][..],
            &["--rounds"],
            &["--time", "5"],
            &["--search-time", "-1s"],
            &["--subject", "nothing"],
            &["--colour", "red"],
        ] {
            assert!(parse::<Options>("bench throughput", wrong).is_err(), "{wrong:?}");
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
