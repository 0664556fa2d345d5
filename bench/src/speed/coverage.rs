//! `bench coverage`: what it costs to measure coverage, in calls per second.

use clap::value_parser;

use crate::speed::cost::{self, Ways};
use crate::support::provoke::Provoke;

/// One that is generic and one that is not, both small: what costs time there is what happens around the calls.
const SUBJECTS: [&str; 2] = ["tree-map", "bounded-stack"];

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Rounds, each with both ways; medians and quartiles are shown
    #[arg(long = "rounds", value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    n_rounds: u32,
    /// Calls of a run
    #[arg(long = "calls", value_name = "N", default_value_t = 5_000_000, value_parser = value_parser!(u32).range(1..))]
    n_calls: u32,
    /// One of subjects/ [default: tree-map, then bounded-stack]
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
}

impl Options {
    fn subjects(&self) -> Vec<&str> {
        self.subject.as_deref().map_or(SUBJECTS.to_vec(), |subject| vec![subject])
    }
}

/// Builds the tool, measures in rounds and prints a table per subject.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    // That both searches take the same way is what makes them comparable.
    let ways = Ways {
        without: &["--sanitizer", "none", "--without", "regression,counters"],
        with: &["--sanitizer", "none", "--without", "regression,coverage"],
    };
    for subject in options.subjects() {
        let rounds = cost::measure(&provoke, subject, &ways, options.n_rounds, options.n_calls.into())?;
        println!("{}", cost::report(subject, "with coverage", &rounds));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = parse::<Options>("bench coverage", &["--rounds", "3", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, options.n_calls), (3, 5_000_000));
        assert_eq!(options.subjects(), ["tree-map"]);
        let options = parse::<Options>("bench coverage", &[]).expect("valid");
        assert_eq!((options.n_rounds, options.subjects()), (10, SUBJECTS.to_vec()));
        for wrong in [&["--rounds", "0"][..], &["--rounds"], &["--calls", "many"], &["--colour", "red"]] {
            assert!(parse::<Options>("bench coverage", wrong).is_err(), "{wrong:?}");
        }
    }
}
