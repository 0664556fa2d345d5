//! `corpus`: which known bugs of released crates Provoke finds, and how soon.

mod bug;
mod builds;
mod comparison;
mod corpus_file;
mod corpus_table;
mod function_name;
mod matching;
mod missing;
mod options;
mod oracle_kind;
mod quick;
mod record;
mod trial;
mod watch;

use std::path::Path;

use crate::corpus::bug::Bug;
use crate::corpus::builds::Builds;
use crate::corpus::corpus_table::{CorpusTable, Entry, not_found, totals};
use crate::corpus::missing::Missing;
pub use crate::corpus::options::Options;
use crate::corpus::record::{Record, Records};
use crate::corpus::trial::Trial;
use crate::corpus::watch::{Files, Patience};
use crate::support::cargo::target_directory;
use crate::support::provoke::Provoke;
use crate::support::revision::{self, Revision};

/// Runs all trials and prints what they show. A crate that fails to build or to end is a row like any other.
pub fn run(options: &Options) -> Result<(), String> {
    let directory = target_directory()?.join("corpus");
    let bugs = bugs(options, &directory)?;
    let missing = Missing::read()?;
    let provoke = match &options.tool {
        Some(tool) => Provoke::at(tool)?,
        None => Provoke::build()?,
    };
    let digest = revision::digest(provoke.executable())?;
    let revision = match options.tool {
        Some(_) => Revision::of_tool(&digest),
        None => Revision::of_repository()?,
    };
    if !revision.says_all {
        eprintln!("note: the sources of Provoke differ from the last commit, so earlier results are not used");
    }
    let records = Records::open(&directory.join(options.results_directory()), &revision, options.is_fresh)?;
    let builds = Builds::new(directory.join("builds"), digest);
    let trials = Trial::all(&bugs, &options.seeds);
    let earlier = records.earlier(&trials, &options.time);
    let table = CorpusTable::new(&trials);
    print!("{}", table.header());
    let mut entries = Vec::new();
    for trial in trials {
        let record = match records.find(&trial, &options.time) {
            Some(record) => record,
            None => try_out(&provoke, &trial, options, &builds, &records)?,
        };
        let entry = Entry { trial, record };
        print!("{}", table.rows(&entry));
        entries.push(entry);
    }
    let not_found = not_found(&entries);
    if !not_found.is_empty() {
        print!("\nnot found, and what is missing:\n{}", missing.lines(not_found.iter().map(String::as_str)));
    }
    print!("\n{}: {}", revision.name, totals(&entries));
    if let Some(earlier) = earlier {
        print!("\n{}", comparison::describe(&entries, &earlier));
    }
    Ok(())
}

/// The bugs to look for.
fn bugs(options: &Options, directory: &Path) -> Result<Vec<Bug>, String> {
    let file = corpus_file::find(options.file.as_deref(), directory)?;
    let mut bugs = bug::read(&file)?;
    corpus_file::remember(&file, directory)?;
    if options.file.is_none() {
        eprintln!("note: the bugs are those of {}", file.display());
    }
    if options.is_quick {
        let (quick_bugs, missing) = quick::select(bugs, &quick::list()?);
        if quick_bugs.is_empty() {
            return Err(format!("{} has no bug of a crate that is listed for quick runs", file.display()));
        }
        bugs = quick_bugs;
        for krate in missing {
            eprintln!("note: {krate} is listed for quick runs, but the corpus has no bug of it");
        }
    }
    selected(bugs, &options.filter)
}

/// Bugs that have nothing to do with the filter's text are left out.
fn selected(mut bugs: Vec<Bug>, filter: &str) -> Result<Vec<Bug>, String> {
    bugs.retain(|bug| bug.is_meant_by(filter));
    if bugs.is_empty() { Err(format!("no bug has to do with `{filter}`")) } else { Ok(bugs) }
}

/// Runs one trial in a build directory of its crate version's own, which nobody else blocks, and keeps what came of it.
fn try_out(
    provoke: &Provoke,
    trial: &Trial,
    options: &Options,
    builds: &Builds,
    records: &Records,
) -> Result<Record, String> {
    let time = &options.time;
    let build_directory = builds.prepare(trial)?;
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
