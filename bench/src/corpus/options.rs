//! What a corpus run is asked for on the command line.

use std::path::{Path, PathBuf};

use crate::corpus::quick;
use crate::support::option_value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which file lists the bugs, if that is said.
    pub file: Option<PathBuf>,
    pub seeds: Vec<u64>,
    pub filter: String,
    pub time: String,
    pub is_fresh: bool,
    /// Only the bugs of a fixed list.
    pub is_quick: bool,
    /// An executable of the tool, instead of the one of this checkout.
    pub tool: Option<PathBuf>,
    /// Options that the tool is given in every trial.
    pub passed_on: Vec<String>,
}

impl Options {
    /// Reads the arguments after `corpus`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let (mut file, mut seeds, mut filter, mut time, mut tool) = (None, None, "", None, None);
        let (mut is_fresh, mut is_quick) = (false, false);
        let passed_on = args.iter().position(|arg| *arg == "--");
        let (args, passed_on) = passed_on.map_or((args, &[][..]), |at| (&args[..at], &args[at + 1..]));
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            let mut value = || args.next().copied().ok_or(format!("`{arg}` needs a value"));
            match arg {
                "--seeds" => seeds = Some(option_value::seeds(value()?)?),
                "--filter" => filter = value()?,
                "--time" => time = Some(option_value::time(value()?)?),
                "--fresh" => is_fresh = true,
                "--quick" => is_quick = true,
                "--tool" => tool = Some(PathBuf::from(value()?)),
                _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if file.is_some() => return Err(format!("one corpus at a time, not also `{arg}`")),
                _ => file = Some(PathBuf::from(arg)),
            }
        }
        let (usual_seeds, usual_time) = if is_quick { (quick::SEEDS, quick::TIME) } else { (&[0][..], "60s") };
        Ok(Options {
            file,
            seeds: seeds.unwrap_or_else(|| usual_seeds.to_vec()),
            filter: filter.to_owned(),
            time: time.unwrap_or_else(|| usual_time.to_owned()),
            is_fresh,
            is_quick,
            tool,
            passed_on: passed_on.iter().map(|arg| (*arg).to_owned()).collect(),
        })
    }

    /// Where results belong that were had with these options: beside those of others.
    pub fn results_directory(&self) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name: String = self.passed_on.join(" ").chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        Path::new(if self.is_quick { "quick" } else { "results" }).join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Options {
        Options {
            file: Some(PathBuf::from("bugs.toml")),
            seeds: vec![0],
            filter: String::new(),
            time: "60s".to_owned(),
            is_fresh: false,
            is_quick: false,
            tool: None,
            passed_on: Vec::new(),
        }
    }

    #[test]
    fn options_have_defaults() {
        assert_eq!(Options::parse(&["bugs.toml"]), Ok(plain()));
        assert_eq!(plain().results_directory(), Path::new("results"));
        let passed_on = Options::parse(&["bugs.toml", "--", "--sanitizer", "address"]).unwrap();
        assert_eq!(passed_on.passed_on, ["--sanitizer", "address"]);
        assert_eq!(passed_on.results_directory(), Path::new("results/--sanitizer_address"));
        let args = ["--seeds", "0,7", "--filter", "slab", "bugs.toml", "--time", "5s", "--fresh", "--tool", "old"];
        let all = Options {
            seeds: vec![0, 7],
            filter: "slab".to_owned(),
            time: "5s".to_owned(),
            is_fresh: true,
            tool: Some(PathBuf::from("old")),
            ..plain()
        };
        assert_eq!(Options::parse(&args), Ok(all));
    }

    #[test]
    fn a_quick_run_has_defaults_of_its_own_that_others_override() {
        let quick = Options { is_quick: true, time: "15s".to_owned(), seeds: vec![0, 1], file: None, ..plain() };
        assert_eq!(Options::parse(&["--quick"]), Ok(quick.clone()));
        assert_eq!(quick.results_directory(), Path::new("quick"));
        for args in [["--quick", "--time", "5s", "--seeds", "7"], ["--seeds", "7", "--time", "5s", "--quick"]] {
            let overridden = Options { time: "5s".to_owned(), seeds: vec![7], ..quick.clone() };
            assert_eq!(Options::parse(&args), Ok(overridden));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in [
            &["a", "b"][..],
            &["a", "--time", "5"],
            &["a", "--seeds", "0,x"],
            &["a", "--seeds", ""],
            &["a", "--filter"],
            &["a", "--tool"],
            &["a", "--colour", "red"],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
