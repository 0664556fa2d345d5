//! Known bugs of released crates: which of them Provoke finds (`corpus`).

pub mod bug;
pub mod corpus_table;
pub mod function_name;
pub mod matching;
pub mod missing;
pub mod oracle_kind;
pub mod record;
pub mod revision;
pub mod trial;
pub mod watch;

use std::path::{Path, PathBuf};

use crate::cargo::target_directory;
use crate::corpus::bug::Bug;
use crate::corpus::corpus_table::{CorpusTable, Entry, not_found, totals};
use crate::corpus::missing::Missing;
use crate::corpus::record::{Record, Records};
use crate::corpus::revision::Revision;
use crate::corpus::trial::Trial;
use crate::corpus::watch::{Files, Patience};
use crate::option_value;
use crate::provoke::Provoke;

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    file: PathBuf,
    seeds: Vec<u64>,
    filter: String,
    time: String,
    is_fresh: bool,
    /// Options that the tool is given in every trial.
    passed_on: Vec<String>,
}

impl Options {
    /// Reads the arguments after `corpus`.
    pub fn parse(args: &[&str]) -> Result<Options, String> {
        let (mut file, mut seeds, mut filter, mut time, mut is_fresh) = (None, vec![0], "", "60s".to_owned(), false);
        let passed_on = args.iter().position(|arg| *arg == "--");
        let (args, passed_on) = passed_on.map_or((args, &[][..]), |at| (&args[..at], &args[at + 1..]));
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            let mut value = || args.next().copied().ok_or(format!("`{arg}` needs a value"));
            match arg {
                "--seeds" => seeds = option_value::seeds(value()?)?,
                "--filter" => filter = value()?,
                "--time" => time = option_value::time(value()?)?,
                "--fresh" => is_fresh = true,
                _ if arg.starts_with('-') => return Err(format!("unknown option `{arg}`")),
                _ if file.is_some() => return Err(format!("one corpus at a time, not also `{arg}`")),
                _ => file = Some(PathBuf::from(arg)),
            }
        }
        let file = file.ok_or("`corpus` needs a file of bugs")?;
        let passed_on = passed_on.iter().map(|arg| (*arg).to_owned()).collect();
        Ok(Options { file, seeds, filter: filter.to_owned(), time, is_fresh, passed_on })
    }

    /// Where results belong that were had with these options: beside those without.
    fn results_directory(&self) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name: String = self.passed_on.join(" ").chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        Path::new("results").join(name)
    }
}

/// Runs all trials and prints what they show. A crate that fails to build or to end is a row like any other.
pub fn run(options: &Options) -> Result<(), String> {
    let bugs = selected(bug::read(&options.file)?, &options.filter)?;
    let missing = Missing::read()?;
    let directory = target_directory()?.join("corpus");
    let revision = Revision::of_repository()?;
    if !revision.is_commit {
        eprintln!("note: the sources of Provoke differ from the last commit, so earlier results are not used");
    }
    let records = Records::open(&directory.join(options.results_directory()), &revision, options.is_fresh)?;
    let provoke = Provoke::build()?;
    let trials = Trial::all(&bugs, &options.seeds);
    let table = CorpusTable::new(&trials);
    print!("{}", table.header());
    let mut entries = Vec::new();
    for trial in trials {
        let record = match records.find(&trial, &options.time) {
            Some(record) => record,
            None => try_out(&provoke, &trial, options, &directory, &records)?,
        };
        let entry = Entry { trial, record };
        print!("{}", table.rows(&entry));
        entries.push(entry);
    }
    print!("\n{}", totals(&entries));
    let not_found = not_found(&entries);
    if !not_found.is_empty() {
        print!("\nnot found, and what is missing:\n{}", missing.lines(not_found.iter().map(String::as_str)));
    }
    Ok(())
}

/// Bugs that have nothing to do with the filter's text are left out.
fn selected(mut bugs: Vec<Bug>, filter: &str) -> Result<Vec<Bug>, String> {
    bugs.retain(|bug| bug.is_meant_by(filter));
    if bugs.is_empty() { Err(format!("no bug has to do with `{filter}`")) } else { Ok(bugs) }
}

/// Runs one trial in a build directory of the corpus's own, which nobody else blocks, and keeps what came of it.
fn try_out(
    provoke: &Provoke,
    trial: &Trial,
    options: &Options,
    directory: &Path,
    records: &Records,
) -> Result<Record, String> {
    let time = &options.time;
    let build_directory = directory.join("build");
    let results = build_directory.join("provoke").join(&trial.krate.name);
    let files = Files { confirmed: results.join("log").join("findings.jsonl"), log: records.log_path(trial) };
    let mut command = provoke.command();
    command
        .args(trial.arguments(time))
        .args(["--without", "regression"])
        .args(&options.passed_on)
        .arg("--json")
        .arg(records.summary_path(trial));
    command.env("CARGO_TARGET_DIR", &build_directory);
    let record = watch::run(command, time, &files, &trial.bugs, Patience::for_search(time))?;
    records.save(trial, &record)?;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults() {
        let plain = Options {
            file: PathBuf::from("bugs.toml"),
            seeds: vec![0],
            filter: String::new(),
            time: "60s".to_owned(),
            is_fresh: false,
            passed_on: Vec::new(),
        };
        assert_eq!(Options::parse(&["bugs.toml"]), Ok(plain.clone()));
        assert_eq!(plain.results_directory(), Path::new("results"));
        let passed_on = Options::parse(&["bugs.toml", "--", "--sanitizer", "address"]).unwrap();
        assert_eq!(passed_on.passed_on, ["--sanitizer", "address"]);
        assert_eq!(passed_on.results_directory(), Path::new("results/--sanitizer_address"));
        let args = ["--seeds", "0,7", "--filter", "slab", "bugs.toml", "--time", "5s", "--fresh"];
        let all =
            Options { seeds: vec![0, 7], filter: "slab".to_owned(), time: "5s".to_owned(), is_fresh: true, ..plain };
        assert_eq!(Options::parse(&args), Ok(all));
    }

    #[test]
    fn nonsense_is_refused() {
        for wrong in [
            &[][..],
            &["--fresh"],
            &["a", "b"],
            &["a", "--time", "5"],
            &["a", "--seeds", "0,x"],
            &["a", "--seeds", ""],
            &["a", "--filter"],
            &["a", "--colour", "red"],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_filter_selects_by_crate_version_and_function() {
        let text = r#"bug = [
            { crate = "slab", version = "0.4.3", function = ["slab::Slab::insert"], expect = "panic" },
            { crate = "lru", version = "0.5.1", function = ["lru::LruCache::put"], expect = "panic" },
        ]"#;
        let n_selected = |filter: &str| selected(bug::parse(text).expect("valid"), filter).map(|bugs| bugs.len());
        assert_eq!((n_selected(""), n_selected("lru@"), n_selected("Slab::insert")), (Ok(2), Ok(1), Ok(1)));
        assert_eq!(n_selected("hashbrown"), Err("no bug has to do with `hashbrown`".to_owned()));
    }
}
