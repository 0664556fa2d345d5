//! `bench isolation`: what the sandbox costs in calls per second.
//!
//! A run takes some seconds, as those of
//! users do: in one of a second, what counts is how long workers take to start.

use clap::value_parser;

use crate::speed::cost::{self, Ways};
use crate::support::provoke::Provoke;

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Rounds, each with both ways; medians and quartiles are shown
    #[arg(long = "rounds", value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    n_rounds: u32,
    /// Calls of a run
    #[arg(long = "calls", value_name = "N", default_value_t = 25_000_000, value_parser = value_parser!(u32).range(1..))]
    n_calls: u32,
    /// One of subjects/
    #[arg(long, value_name = "NAME", default_value = "bounded-stack")]
    subject: String,
}

/// Builds the tool, measures in rounds and prints a table.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    let ways = Ways { without: &["--sandbox", "off"], with: &["--sandbox", "strict"] };
    let rounds = cost::measure(&provoke, &options.subject, &ways, options.n_rounds, options.n_calls.into())?;
    println!("{}", cost::report(&options.subject, "in the sandbox", &rounds));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = parse::<Options>("bench isolation", &["--rounds", "3", "--subject", "tree-map"]).expect("valid");
        assert_eq!((options.n_rounds, options.n_calls, &*options.subject), (3, 25_000_000, "tree-map"));
        let options = parse::<Options>("bench isolation", &[]).expect("valid");
        assert_eq!((options.n_rounds, &*options.subject), (20, "bounded-stack"));
        for wrong in [
            &["--rounds", "0"][..],
            &["--rounds"],
            &["--calls", "many"],
            &["--calls", "0"],
            &["--calls", "5000000000"],
            &["--colour", "red"],
        ] {
            assert!(parse::<Options>("bench isolation", wrong).is_err(), "{wrong:?}");
        }
    }
}
