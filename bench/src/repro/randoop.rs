//! `repro randoop`: our figures beside those that were published about Randoop, in one run.
//!
//! What takes the least time and says the most comes first.

use crate::repro::bench::Bench;
use crate::repro::trial::Trial;
use crate::repro::{ablations, containers, frontier, predicates, sample};

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    parts: Vec<Part>,
    is_fresh: bool,
    is_full: bool,
    draws_sample: bool,
}

/// What there is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Containers,
    Frontier,
    Predicates,
    Ablations,
}

impl Part {
    const ALL: [Part; 4] = [Part::Containers, Part::Frontier, Part::Predicates, Part::Ablations];

    fn name(self) -> &'static str {
        match self {
            Part::Containers => "containers",
            Part::Frontier => "frontier",
            Part::Predicates => "predicates",
            Part::Ablations => "ablations",
        }
    }

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
    /// Reads the arguments after `repro randoop`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let mut options = Options { parts: Part::ALL.to_vec(), is_fresh: false, is_full: false, draws_sample: false };
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            match arg {
                "--fresh" => options.is_fresh = true,
                "--full" => options.is_full = true,
                "--draw" => options.draws_sample = true,
                "--only" => {
                    let name = *args.next().ok_or("`--only` needs a value")?;
                    let part = Part::ALL.into_iter().find(|part| part.name() == name);
                    options.parts = vec![part.ok_or(format!("`{name}` is no part of it"))?];
                }
                _ => return Err(format!("unknown option `{arg}`")),
            }
        }
        Ok(options)
    }
}

/// Runs what is missing and prints all.
pub fn run(options: &Options) -> Result<(), String> {
    let mut bench = Bench::open("randoop", options.is_fresh)?;
    if options.draws_sample {
        return sample::draw(&bench);
    }
    let mut trials: Vec<Trial> = Vec::new();
    for part in &options.parts {
        trials.extend(part.trials(options.is_full));
    }
    bench.announce(&trials);
    for part in &options.parts {
        bench.make_missing(&part.trials(options.is_full))?;
        let text = part.report(&bench, options.is_full)?;
        println!("\n{text}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn options_have_defaults_and_refuse_nonsense() {
        let options = Options::parse(&[]).expect("valid");
        assert_eq!((&options.parts[..], options.is_fresh, options.is_full), (&Part::ALL[..], false, false));
        let options = Options::parse(&["--full", "--only", "frontier"]).expect("valid");
        assert_eq!((options.parts, options.is_full), (vec![Part::Frontier], true));
        for wrong in [&["--only"][..], &["--only", "all"], &["--time", "5s"], &["frontier"]] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn more_time_keeps_what_there_is() {
        let keys = |is_full| -> BTreeSet<String> {
            let trials = Part::ALL.iter().flat_map(|part| part.trials(is_full));
            trials.map(|trial| trial.key()).collect()
        };
        assert!(keys(false).is_subset(&keys(true)));
    }
}
