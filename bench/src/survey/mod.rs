//! `survey`: Provoke over a list of crates, as one table.

pub mod cold_start;
pub mod figures;
pub mod skips;
pub mod survey_table;

use std::path::PathBuf;

use crate::support::crate_list::{self, CrateVersion};
use crate::support::option_value;
use crate::support::provoke::Provoke;
use crate::survey::survey_table::{Entry, SurveyTable, complaint, remark};

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    file: PathBuf,
    seed: u64,
    mode: Mode,
}

/// What is done with every crate.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mode {
    Search { time: String, lists_skips: bool },
    ColdStart { n_runs: u32 },
}

impl Options {
    /// Reads the arguments after `survey`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let (mut file, mut seed, mut time, mut n_cold_runs, mut lists_skips) = (None, 0, None, None, false);
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            let mut value = || args.next().copied().ok_or(format!("`{arg}` needs a value"));
            match arg {
                "--time" => time = Some(option_value::time(value()?)?),
                "--seed" => {
                    let value = value()?;
                    seed = value.parse().map_err(|_| format!("`{value}` is no seed"))?;
                }
                "--cold" => n_cold_runs = Some(option_value::number_of("cold starts", value()?)?),
                "--skips" => lists_skips = true,
                _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if file.is_some() => return Err(format!("one list at a time, not also `{arg}`")),
                _ => file = Some(PathBuf::from(arg)),
            }
        }
        let file = file.ok_or("`survey` needs a list of crates, such as survey/dev.txt")?;
        let mode = match n_cold_runs {
            Some(_) if time.is_some() || lists_skips => {
                return Err("`--cold` does not search, so `--time` and `--skips` mean nothing".to_owned());
            }
            Some(n_runs) => Mode::ColdStart { n_runs },
            None => Mode::Search { time: time.unwrap_or_else(|| "20s".to_owned()), lists_skips },
        };
        Ok(Options { file, seed, mode })
    }
}

/// Runs over the list. An error if a run ended abnormally or a test was rejected, but only after all crates.
pub fn run(options: &Options) -> Result<(), String> {
    let crates = crate_list::read(&options.file)?;
    let provoke = Provoke::build()?;
    match &options.mode {
        Mode::Search { time, lists_skips } => {
            let entries = search(&provoke, &crates, time, options.seed)?;
            if *lists_skips {
                let summaries: Vec<_> = entries.iter().filter_map(|entry| entry.run.summary.as_ref()).collect();
                print!("\n{}", skips::list(summaries));
            }
            complaint(&entries).map_or(Ok(()), Err)
        }
        Mode::ColdStart { n_runs } => cold_start::run(&provoke, &crates, options.seed, *n_runs),
    }
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

    #[test]
    fn options_have_defaults() {
        let search = |time: &str, lists_skips| Mode::Search { time: time.to_owned(), lists_skips };
        let options = |seed, mode| Options { file: PathBuf::from("list"), seed, mode };
        assert_eq!(Options::parse(&["list"]), Ok(options(0, search("20s", false))));
        let all = ["--time", "2s", "list", "--seed", "7", "--skips"];
        assert_eq!(Options::parse(&all), Ok(options(7, search("2s", true))));
        assert_eq!(Options::parse(&["list", "--cold", "3"]), Ok(options(0, Mode::ColdStart { n_runs: 3 })));
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
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
