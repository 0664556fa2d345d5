//! `bench coverage`: what it costs to measure coverage, in calls per second.

use crate::speed::cost::{self, Ways};
use crate::support::option_value;
use crate::support::provoke::Provoke;

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

/// Builds the tool, measures in rounds and prints a table per subject.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    // That both searches take the same way is what makes them comparable.
    let ways = Ways {
        without: &["--sanitizer", "none", "--without", "regression,counters"],
        with: &["--sanitizer", "none", "--without", "regression,coverage"],
    };
    for subject in &options.subjects {
        let rounds = cost::measure(&provoke, subject, &ways, options.n_rounds, options.n_calls)?;
        println!("{}", cost::report(subject, "with coverage", &rounds));
    }
    Ok(())
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
}
