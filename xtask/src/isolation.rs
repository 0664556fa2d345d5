//! `bench isolation`: what the sandbox costs in calls per second.
//!
//! Both ways take turns and do exactly the same work, since a number of calls determines a run. Who goes first changes
//! with every round, so that neither always meets the machine as the other left it. A run takes some seconds, as those of
//! users do: in one of a second, what counts is how long workers take to start.

use crate::measurement::{Measurement, quantile};
use crate::provoke::Provoke;
use crate::{option_value, table, workspace_root};

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    n_rounds: u32,
    n_calls: u64,
    subject: String,
}

impl Options {
    /// Reads the arguments after `bench isolation`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let mut options = Options { n_rounds: 20, n_calls: 25_000_000, subject: "bounded-stack".to_owned() };
        let mut args = args.iter();
        while let Some(&option) = args.next() {
            let value = *args.next().ok_or(format!("`{option}` needs a value"))?;
            match option {
                "--rounds" => options.n_rounds = option_value::number_of("rounds", value)?,
                "--calls" => options.n_calls = option_value::number_of("calls", value)?.into(),
                "--subject" => options.subject = value.to_owned(),
                _ => return Err(format!("unknown option `{option}`")),
            }
        }
        Ok(options)
    }
}

/// Calls per second of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    free: f64,
    confined: f64,
}

/// Builds the tool, measures in rounds and prints a table.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    let mut rounds = Vec::new();
    // The harness is built before anything is measured.
    measure(&provoke, options, "off", 1000)?;
    for number in 1..=options.n_rounds {
        eprintln!("{}: round {number} of {}", options.subject, options.n_rounds);
        let measure = |mode| measure(&provoke, options, mode, options.n_calls);
        rounds.push(if number % 2 == 0 {
            let confined = measure("strict")?;
            Round { free: measure("off")?, confined }
        } else {
            Round { free: measure("off")?, confined: measure("strict")? }
        });
    }
    println!("{}", report(&options.subject, &rounds));
    Ok(())
}

/// Runs the whole tool with one worker at a time.
fn measure(provoke: &Provoke, options: &Options, mode: &str, n_calls: u64) -> Result<f64, String> {
    let manifest = workspace_root().join("subjects").join(&options.subject).join("Cargo.toml");
    let mut command = provoke.command();
    command.arg("--manifest-path").arg(manifest);
    command.args(["--sandbox", mode, "--jobs", "1", "--calls", &n_calls.to_string()]);
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
        row("calls/s without", of(|round| round.free), table::count),
        row("calls/s in the sandbox", of(|round| round.confined), table::count),
        row("cost", of(|round| 1.0 - round.confined / round.free), percent),
    ];
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = Options::parse(&["--rounds", "3", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, options.n_calls, &*options.subject), (3, 25_000_000, "tree-map"));
        for wrong in [&["--rounds", "0"][..], &["--rounds"], &["--calls", "many"], &["--colour", "red"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_cost_is_compared_round_by_round() {
        let round = |free, confined| Round { free, confined };
        let text = report("x", &[round(100.0, 98.0), round(1000.0, 980.0), round(10.0, 9.8)]);
        let cost = text.lines().find(|line| line.starts_with("cost")).expect("a row for the cost");
        assert_eq!(cost.matches("2.0 %").count(), 3, "{text}");
    }
}
