//! What came of the runs of a repro: a file with a line for each, so that one that was stopped goes on where it was.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The figures of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Of the trial.
    pub key: String,
    pub wall_seconds: f64,
    /// Of the search alone.
    pub search_seconds: Option<f64>,
    /// That were made: those that follow on a panic are not, and the last batch is not cut.
    pub calls: Option<u64>,
    pub edges_total: u64,
    /// Places that were not reached.
    pub missed: Vec<String>,
    /// Places of code that only runs while something unwinds, reached or not.
    pub unwinding: Vec<String>,
    /// Seconds of search, calls and edges after each step forward.
    pub growth: Vec<(f64, u64, u64)>,
    pub conditions: Vec<Condition>,
    /// Valuations of predicates that were seen; 0 where nobody looks.
    pub valuations: u64,
}

/// A place at which control flow forks, as `coverage.json` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    pub place: String,
    pub sides: Vec<Side>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    pub to: Option<String>,
    pub panics: bool,
    pub taken: bool,
}

impl Record {
    pub fn edges(&self) -> u64 {
        self.edges_total - (self.missed.len() as u64).min(self.edges_total)
    }

    /// Seconds of search and calls up to the last edge that was reached.
    pub fn last_edge(&self) -> Option<(f64, u64)> {
        let most = self.growth.iter().map(|(.., edges)| *edges).max()?;
        self.growth.iter().find(|(.., edges)| *edges == most).map(|(seconds, calls, _)| (*seconds, *calls))
    }

    /// Edges after so many seconds of search.
    pub fn edges_after(&self, limit: f64) -> Option<u64> {
        let until = self.growth.iter().filter(|(seconds, ..)| *seconds <= limit);
        (!self.growth.is_empty()).then(|| until.map(|(.., edges)| *edges).max().unwrap_or(0))
    }
}

pub struct Ledger {
    path: PathBuf,
    records: BTreeMap<String, Record>,
}

impl Ledger {
    /// What cannot be read is as good as not there: the last line of a run that was killed may be half of one.
    pub fn open(path: &Path, is_fresh: bool) -> Result<Ledger, String> {
        let parent = path.parent().unwrap_or(path);
        fs::create_dir_all(parent).map_err(|error| format!("cannot make {}: {error}", parent.display()))?;
        if is_fresh && path.exists() {
            fs::remove_file(path).map_err(|error| format!("cannot remove {}: {error}", path.display()))?;
        }
        let text = fs::read_to_string(path).unwrap_or_default();
        let records = text.lines().filter_map(|line| serde_json::from_str::<Record>(line).ok());
        let records = records.map(|record| (record.key.clone(), record)).collect();
        Ok(Ledger { path: path.to_path_buf(), records })
    }

    pub fn find(&self, key: &str) -> Option<&Record> {
        self.records.get(key)
    }

    pub fn add(&mut self, record: Record) -> Result<(), String> {
        let line = serde_json::to_string(&record).map_err(|error| error.to_string())?;
        // The line break first: half a line may be before it.
        let write =
            || OpenOptions::new().append(true).create(true).open(&self.path)?.write_all(format!("\n{line}").as_bytes());
        write().map_err(|error| format!("cannot write {}: {error}", self.path.display()))?;
        self.records.insert(record.key.clone(), record);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: &str) -> Record {
        Record { key: key.to_owned(), edges_total: 9, missed: vec!["src/lib.rs:1:2".to_owned()], ..Record::default() }
    }

    #[test]
    fn a_repro_that_was_killed_goes_on_where_it_was() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("new/a.jsonl");
        let mut ledger = Ledger::open(&path, false).expect("writable");
        ledger.add(record("one")).expect("writable");
        let half = fs::read_to_string(&path).expect("readable") + "\n{\"key\": \"tw";
        fs::write(&path, half).expect("writable");
        let mut ledger = Ledger::open(&path, false).expect("writable");
        assert_eq!(ledger.find("two"), None);
        ledger.add(record("two")).expect("writable");
        let ledger = Ledger::open(&path, false).expect("writable");
        assert_eq!((ledger.find("one"), ledger.find("two")), (Some(&record("one")), Some(&record("two"))));
        assert_eq!(Ledger::open(&path, true).expect("writable").find("one"), None);
        assert_eq!(Ledger::open(&path, false).expect("writable").find("one"), None, "it is gone for good");
    }

    #[test]
    fn the_last_edge_is_the_first_time_that_there_were_as_many() {
        let growth = vec![(0.1, 100, 3), (0.4, 900, 8), (3.0, 5000, 8)];
        let grown = Record { growth, ..record("x") };
        assert_eq!(grown.edges(), 8);
        assert_eq!(grown.last_edge(), Some((0.4, 900)));
        assert_eq!([0.0, 0.3, 9.0].map(|limit| grown.edges_after(limit)), [Some(0), Some(3), Some(8)]);
        assert_eq!((record("x").last_edge(), record("x").edges_after(1.0)), (None, None));
    }
}
