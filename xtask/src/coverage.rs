//! `bench coverage`: what it costs to measure coverage, in calls per second.
//!
//! Both ways take turns and do exactly the same work, since a number of calls determines a run. Who goes first changes
//! with every round, so that neither always meets the machine as the other left it.

use crate::measurement::{Measurement, quantile};
use crate::provoke::Provoke;
use crate::{option_value, table, workspace_root};

/// One that is generic and one that is not, both small: what costs time there is what happens around the calls.
const SUBJECTS: [&str; 2] = ["tree-map", "bounded-stack"];

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    n_rounds: u32,
    n_calls: u64,
    subjects: Vec<String>,
}

impl Options {
    /// Reads the arguments after `bench coverage`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let mut options = Options { n_rounds: 10, n_calls: 5_000_000, subjects: SUBJECTS.map(str::to_owned).to_vec() };
        let mut args = args.iter();
        while let Some(&option) = args.next() {
            let value = *args.next().ok_or(format!("`{option}` needs a value"))?;
            match option {
                "--rounds" => options.n_rounds = option_value::number_of("rounds", value)?,
                "--calls" => options.n_calls = option_value::number_of("calls", value)?.into(),
                "--subject" => options.subjects = vec![value.to_owned()],
                _ => return Err(format!("unknown option `{option}`")),
            }
        }
        Ok(options)
    }
}

/// Calls per second of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    /// In a worker that was compiled without counters.
    plain: f64,
    counted: f64,
}

/// Builds the tool, measures in rounds and prints a table per subject.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    for subject in &options.subjects {
        let measure = |without: &str, n_calls| measure(&provoke, subject, without, n_calls);
        // Both workers are built before anything is measured.
        for without in [PLAIN, COUNTED] {
            measure(without, 1000)?;
        }
        let mut rounds = Vec::new();
        for number in 1..=options.n_rounds {
            eprintln!("{subject}: round {number} of {}", options.n_rounds);
            rounds.push(if number % 2 == 0 {
                let counted = measure(COUNTED, options.n_calls)?;
                Round { plain: measure(PLAIN, options.n_calls)?, counted }
            } else {
                Round { plain: measure(PLAIN, options.n_calls)?, counted: measure(COUNTED, options.n_calls)? }
            });
        }
        println!("{}", report(subject, &rounds));
    }
    Ok(())
}

/// What is left out. That both searches take the same way is what makes them comparable.
const PLAIN: &str = "regression,counters";
const COUNTED: &str = "regression,coverage";

/// Runs the whole tool with one worker at a time.
fn measure(provoke: &Provoke, subject: &str, without: &str, n_calls: u64) -> Result<f64, String> {
    let manifest = workspace_root().join("subjects").join(subject).join("Cargo.toml");
    let mut command = provoke.command();
    command.arg("--manifest-path").arg(manifest);
    command.args(["--without", without, "--sanitizer", "none", "--jobs", "1", "--calls", &n_calls.to_string()]);
    let run = provoke.run(command)?;
    let rate = run.summary.as_ref().and_then(|summary| Measurement::from_summary(summary).calls_per_second);
    rate.ok_or_else(|| format!("provoke ended with {}", run.status()))
}

fn report(subject: &str, rounds: &[Round]) -> String {
    let row = |name: &str, values: Vec<f64>, shown: fn(Option<f64>) -> String| {
        let quarters = [0.25, 0.5, 0.75].map(|share| shown(quantile(values.clone(), share)));
        [vec![name.to_owned()], quarters.to_vec()].concat()
    };
    let percent = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{:.1} %", value * 100.0));
    let of = |value: fn(&Round) -> f64| rounds.iter().map(value).collect::<Vec<f64>>();
    let rows = [
        [subject, "lower quartile", "median", "upper quartile"].map(str::to_owned).to_vec(),
        row("calls/s without", of(|round| round.plain), table::count),
        row("calls/s with coverage", of(|round| round.counted), table::count),
        row("cost", of(|round| 1.0 - round.counted / round.plain), percent),
    ];
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = Options::parse(&["--rounds", "3", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, options.n_calls), (3, 5_000_000));
        assert_eq!(options.subjects, ["tree-map"]);
        assert_eq!(Options::parse(&[]).expect("valid").subjects, SUBJECTS);
        for wrong in [&["--rounds", "0"][..], &["--rounds"], &["--calls", "many"], &["--colour", "red"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_cost_is_compared_round_by_round() {
        let round = |plain, counted| Round { plain, counted };
        let text = report("x", &[round(100.0, 98.0), round(1000.0, 980.0), round(10.0, 9.8)]);
        let cost = text.lines().find(|line| line.starts_with("cost")).expect("a row for the cost");
        assert_eq!(cost.matches("2.0 %").count(), 3, "{text}");
    }
}
