//! `repro randoop`: our figures beside those that were published about Randoop, in one run.
//!
//! What takes the least time and says the most comes first.

use clap::ValueEnum;

use crate::repro::bench::Bench;
use crate::repro::trial::Trial;
use crate::repro::{ablations, containers, frontier, predicates, sample};

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// More seeds (hours instead of minutes)
    #[arg(long = "full")]
    is_full: bool,
    /// Only containers, frontier, predicates or ablations
    #[arg(long, value_name = "PART", value_enum, hide_possible_values = true)]
    only: Option<Part>,
    /// Does not use what an earlier run of the same tool found
    #[arg(long = "fresh")]
    is_fresh: bool,
    /// Instead draws the sample of frontier conditions anew (survey/frontier.txt)
    #[arg(long = "draw")]
    draws_sample: bool,
}

/// What there is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Containers,
    Frontier,
    Predicates,
    Ablations,
}

impl Part {
    /// The runs it takes.
    fn trials(self, is_full: bool) -> Vec<Trial> {
        match self {
            Part::Containers => containers::trials(),
            Part::Frontier => frontier::trials(is_full),
            Part::Predicates => predicates::trials(),
            Part::Ablations => ablations::trials(is_full),
        }
    }

    fn report(self, bench: &Bench, is_full: bool) -> Result<String, String> {
        match self {
            Part::Containers => containers::report(bench),
            Part::Frontier => frontier::report(bench, is_full),
            Part::Predicates => predicates::report(bench),
            Part::Ablations => ablations::report(bench, is_full),
        }
    }
}

impl Options {
    fn parts(&self) -> Vec<Part> {
        self.only.map_or(Part::value_variants().to_vec(), |part| vec![part])
    }
}

/// Runs what is missing and prints all.
pub fn run(options: &Options) -> Result<(), String> {
    let mut bench = Bench::open("randoop", options.is_fresh)?;
    if options.draws_sample {
        return sample::draw(&bench);
    }
    let mut trials: Vec<Trial> = Vec::new();
    for part in options.parts() {
        trials.extend(part.trials(options.is_full));
    }
    bench.announce(&trials);
    for part in options.parts() {
        bench.make_missing(&part.trials(options.is_full))?;
        let text = part.report(&bench, options.is_full)?;
        println!("\n{text}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;
    use std::collections::BTreeSet;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = parse::<Options>("repro randoop", &[]).expect("valid");
        assert_eq!((&options.parts()[..], options.is_fresh, options.is_full), (Part::value_variants(), false, false));
        let options = parse::<Options>("repro randoop", &["--full", "--only", "frontier"]).expect("valid");
        assert_eq!((options.parts(), options.is_full), (vec![Part::Frontier], true));
        for wrong in [&["--only"][..], &["--only", "all"], &["--time", "5s"], &["frontier"]] {
            assert!(parse::<Options>("repro randoop", wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn more_time_keeps_what_there_is() {
        let keys = |is_full| -> BTreeSet<String> {
            let trials = Part::value_variants().iter().flat_map(|part| part.trials(is_full));
            trials.map(|trial| trial.key()).collect()
        };
        assert!(keys(false).is_subset(&keys(true)));
    }
}
