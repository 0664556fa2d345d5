//! What a corpus run is asked for on the command line.

use std::path::{Path, PathBuf};

use crate::corpus::quick;
use crate::support::option_value::{self, Seeds};

#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// A TOML file that lists the bugs; without it, the one that the variable PROVOKE_CORPUS names,
    /// or that of the last run
    pub file: Option<PathBuf>,
    /// Only the bugs of crates that build fast (survey/quick.txt), with --time 15s --seeds 0,1
    #[arg(long = "quick")]
    pub is_quick: bool,
    /// How long it searches for the bugs of a crate; it stops when it has them all
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60s",
        default_value_if("is_quick", "true", quick::TIME),
        value_parser = option_value::time
    )]
    pub time: String,
    /// Where the searches start
    #[arg(
        long,
        value_name = "SEEDS",
        default_value = "0",
        default_value_if("is_quick", "true", quick::SEEDS),
        value_parser = option_value::seeds
    )]
    pub seeds: Seeds,
    /// Runs this executable of cargo-provoke instead of building the one of this checkout
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub tool: Option<PathBuf>,
    /// Only bugs with this in their name@version or function
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    pub filter: String,
    /// Does not use what an earlier run of the same tool found
    #[arg(long = "fresh")]
    pub is_fresh: bool,
    /// More options for Provoke, such as --sanitizer address
    #[arg(last = true, value_name = "OPTIONS")]
    pub passed_on: Vec<String>,
}

impl Options {
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
    use crate::tasks::parse;

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
        assert_eq!(parse("corpus", &["bugs.toml"]), Ok(plain()));
        assert_eq!(plain().results_directory(), Path::new("results"));
        let passed_on = parse::<Options>("corpus", &["bugs.toml", "--", "--sanitizer", "address"]).unwrap();
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
        assert_eq!(parse("corpus", &args), Ok(all));
    }

    #[test]
    fn a_quick_run_has_defaults_of_its_own_that_others_override() {
        let quick = Options { is_quick: true, time: "15s".to_owned(), seeds: vec![0, 1], file: None, ..plain() };
        assert_eq!(parse("corpus", &["--quick"]), Ok(quick.clone()));
        assert_eq!(quick.results_directory(), Path::new("quick"));
        for args in [["--quick", "--time", "5s", "--seeds", "7"], ["--seeds", "7", "--time", "5s", "--quick"]] {
            let overridden = Options { time: "5s".to_owned(), seeds: vec![7], ..quick.clone() };
            assert_eq!(parse("corpus", &args), Ok(overridden));
        }
    }

    #[test]
    fn what_stands_behind_two_dashes_is_not_ours() {
        let passed_on = parse::<Options>("corpus", &["--quick", "--", "--quick", "--", "x"]).unwrap();
        assert_eq!((passed_on.file, passed_on.passed_on), (None, ["--quick", "--", "x"].map(str::to_owned).to_vec()));
    }

    #[test]
    fn a_filter_is_any_text() {
        for text in ["", "-rc", "--quick", "a b"] {
            assert_eq!(parse::<Options>("corpus", &["--filter", text]).unwrap().filter, text);
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
            assert!(parse::<Options>("corpus", wrong).is_err(), "{wrong:?}");
        }
    }
}
