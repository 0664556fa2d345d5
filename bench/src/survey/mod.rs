//! `survey`: Provoke over a list of crates, as one table.

mod cold_start;
mod figures;
mod skips;
mod survey_table;

use std::path::PathBuf;

use clap::value_parser;

use crate::support::crate_list::{self, CrateVersion};
use crate::support::option_value;
use crate::support::provoke::Provoke;
use crate::survey::survey_table::{Entry, SurveyTable, complaint, remark};

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// A list of crates such as survey/dev.txt, one name@version a line
    file: PathBuf,
    /// How long it searches in each
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = option_value::time)]
    time: String,
    /// Where the searches start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Also lists why functions are skipped or not covered
    #[arg(long = "skips")]
    lists_skips: bool,
    /// Instead compares N cold starts with plain builds, and shows the medians
    #[arg(
        long = "cold",
        value_name = "N",
        value_parser = value_parser!(u32).range(1..),
        conflicts_with_all = ["time", "lists_skips"]
    )]
    n_cold_starts: Option<u32>,
}

/// Runs over the list. An error if a run ended abnormally or a test was rejected, but only after all crates.
pub fn run(options: &Options) -> Result<(), String> {
    let crates = crate_list::read(&options.file)?;
    let provoke = Provoke::build()?;
    if let Some(n_cold_starts) = options.n_cold_starts {
        return cold_start::run(&provoke, &crates, options.seed, n_cold_starts);
    }
    let entries = search(&provoke, &crates, &options.time, options.seed)?;
    if options.lists_skips {
        let summaries: Vec<_> = entries.iter().filter_map(|entry| entry.run.summary.as_ref()).collect();
        print!("\n{}", skips::list(summaries));
    }
    complaint(&entries).map_or(Ok(()), Err)
}

/// Searches in every crate and prints the table as it grows.
fn search(provoke: &Provoke, crates: &[CrateVersion], time: &str, seed: u64) -> Result<Vec<Entry>, String> {
    let names: Vec<String> = crates.iter().map(CrateVersion::to_string).collect();
    let table = SurveyTable::new(&names);
    print!("{}", table.header());
    let mut entries = Vec::new();
    for name in names {
        let mut command = provoke.command();
        command.args(["--crate", &name, "--time", time, "--seed", &seed.to_string()]);
        let entry = Entry::new(name, provoke.run(command)?);
        print!("{}", table.row(&entry));
        entries.push(entry);
    }
    println!("{}{}", table.totals(&entries), remark(&entries));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;

    #[test]
    fn options_have_defaults() {
        let plain = Options {
            file: PathBuf::from("list"),
            time: "20s".to_owned(),
            seed: 0,
            lists_skips: false,
            n_cold_starts: None,
        };
        assert_eq!(parse("survey", &["list"]), Ok(plain.clone()));
        let all = Options { time: "2s".to_owned(), seed: 7, lists_skips: true, ..plain.clone() };
        assert_eq!(parse("survey", &["--time", "2s", "list", "--seed", "7", "--skips"]), Ok(all));
        let cold = Options { n_cold_starts: Some(3), ..plain };
        assert_eq!(parse("survey", &["list", "--cold", "3"]), Ok(cold));
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in [
            &[][..],
            &["--skips"],
            &["a", "b"],
            &["a", "--time", "5"],
            &["a", "--time"],
            &["a", "--seed", "-1"],
            &["a", "--cold", "0"],
            &["a", "--cold", "1", "--skips"],
            &["a", "--cold", "1", "--time", "5s"],
            &["a", "--colour", "red"],
        ] {
            assert!(parse::<Options>("survey", wrong).is_err(), "{wrong:?}");
        }
    }
}
