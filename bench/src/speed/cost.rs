//! What something costs in calls per second: runs with it and without it, taking turns.
//!
//! Both ways do exactly the same work, since a number of calls determines a run. Who goes first changes with every round,
//! so that neither always meets the machine as the other left it.

use crate::support::measurement::{Measurement, quantile};
use crate::support::provoke::Provoke;
use crate::support::table;
use crate::workspace_root;

/// The arguments that make the difference.
pub struct Ways<'a> {
    pub without: &'a [&'a str],
    pub with: &'a [&'a str],
}

/// Calls per second of one round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    without: f64,
    with: f64,
}

/// Measures in rounds on a crate of `subjects`. Everything is built before.
pub fn measure(
    provoke: &Provoke,
    subject: &str,
    ways: &Ways<'_>,
    n_rounds: u32,
    n_calls: u64,
) -> Result<Vec<Round>, String> {
    for way in [ways.without, ways.with] {
        rate(provoke, subject, way, 1000)?;
    }
    let mut rounds = Vec::new();
    for number in 1..=n_rounds {
        eprintln!("{subject}: round {number} of {n_rounds}");
        let rate = |way| rate(provoke, subject, way, n_calls);
        rounds.push(if number % 2 == 0 {
            let with = rate(ways.with)?;
            Round { without: rate(ways.without)?, with }
        } else {
            Round { without: rate(ways.without)?, with: rate(ways.with)? }
        });
    }
    Ok(rounds)
}

/// Runs the whole tool with one worker at a time.
fn rate(provoke: &Provoke, subject: &str, way: &[&str], n_calls: u64) -> Result<f64, String> {
    let manifest = workspace_root().join("subjects").join(subject).join("Cargo.toml");
    let mut command = provoke.command();
    command.arg("--manifest-path").arg(manifest).args(way);
    command.args(["--jobs", "1", "--calls", &n_calls.to_string()]);
    let run = provoke.run(command)?;
    let rate = run.summary.as_ref().and_then(|summary| Measurement::from_summary(summary).calls_per_second);
    rate.ok_or_else(|| format!("provoke ended with {}", run.status()))
}

/// A table with the median and the quartiles; `what` it is that costs.
pub fn report(subject: &str, what: &str, rounds: &[Round]) -> String {
    let row = |name: &str, values: Vec<f64>, shown: fn(Option<f64>) -> String| {
        let quarters = [0.25, 0.5, 0.75].map(|share| shown(quantile(values.clone(), share)));
        [vec![name.to_owned()], quarters.to_vec()].concat()
    };
    let percent = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{:.1} %", value * 100.0));
    let of = |value: fn(&Round) -> f64| rounds.iter().map(value).collect::<Vec<f64>>();
    let rows = [
        [subject, "lower quartile", "median", "upper quartile"].map(str::to_owned).to_vec(),
        row("calls/s without", of(|round| round.without), table::count),
        row(&format!("calls/s {what}"), of(|round| round.with), table::count),
        row("cost", of(|round| 1.0 - round.with / round.without), percent),
    ];
    table::render(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_compared_round_by_round() {
        let round = |without, with| Round { without, with };
        let text = report("x", "with it", &[round(100.0, 98.0), round(1000.0, 980.0), round(10.0, 9.8)]);
        let cost = text.lines().find(|line| line.starts_with("cost")).expect("a row for the cost");
        assert_eq!(cost.matches("2.0 %").count(), 3, "{text}");
    }
}
