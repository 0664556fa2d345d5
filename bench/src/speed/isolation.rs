//! `bench isolation`: what the sandbox costs in calls per second.
//!
//! A run takes some seconds, as those of
//! users do: in one of a second, what counts is how long workers take to start.

use crate::speed::cost::{self, Ways};
use crate::support::option_value;
use crate::support::provoke::Provoke;

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

/// Builds the tool, measures in rounds and prints a table.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    let ways = Ways { without: &["--sandbox", "off"], with: &["--sandbox", "strict"] };
    let rounds = cost::measure(&provoke, &options.subject, &ways, options.n_rounds, options.n_calls)?;
    println!("{}", cost::report(&options.subject, "in the sandbox", &rounds));
    Ok(())
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
}
