//! What came of a trial, kept on disk so that a corpus run that was stopped goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::corpus::comparison::Earlier;
use crate::corpus::corpus_table::Entry;
use crate::corpus::matching::{Finding, first_that_shows};
use crate::corpus::trial::Trial;
use crate::support::revision::Revision;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// How long the search might take.
    pub time: String,
    pub end: End,
    pub findings: Vec<Finding>,
    /// From starting the tool to its end.
    pub wall_seconds: f64,
}

/// How the tool came to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// By itself, its time being over.
    Complete,
    /// It was stopped when all bugs of the trial were found.
    Matched,
    /// It was stopped when it took far longer than it was allowed to.
    Overdue,
    /// It gave up, for this reason.
    Failed(String),
}

impl Record {
    /// Nothing more could be learned for these bugs by running the trial again. A run that was stopped early, when
    /// fewer bugs were looked for, is not enough; one that took too long may only have met a busy machine.
    fn settles(&self, trial: &Trial, time: &str) -> bool {
        let has_all = || trial.bugs.iter().all(|bug| first_that_shows(&self.findings, bug).is_some());
        let is_final = match self.end {
            End::Complete | End::Failed(_) => true,
            End::Matched | End::Overdue => has_all(),
        };
        self.time == time && is_final
    }
}

/// The records of one state of the tool, with what the tool wrote in each trial beside them.
pub struct Records {
    directory: PathBuf,
    is_reading: bool,
}

impl Records {
    /// In `directory`, made if it is not there. Records of changed sources are written but never read: nobody knows
    /// what they were like.
    pub fn open(directory: &Path, revision: &Revision, is_fresh: bool) -> Result<Records, String> {
        let directory = directory.join(&revision.name);
        fs::create_dir_all(&directory).map_err(|error| format!("cannot make {}: {error}", directory.display()))?;
        Ok(Records { directory, is_reading: revision.says_all && !is_fresh })
    }

    /// What is known of a trial; a file that cannot be read is as good as none.
    pub fn find(&self, trial: &Trial, time: &str) -> Option<Record> {
        if !self.is_reading {
            return None;
        }
        read(&self.path(trial, "json"), trial, time)
    }

    /// What another state had come to: the one that made most of these trials, and the last such.
    pub fn earlier(&self, trials: &[Trial], time: &str) -> Option<Earlier> {
        let others = fs::read_dir(self.directory.parent()?).ok()?.flatten().map(|entry| entry.path());
        let others = others.filter(|path| *path != self.directory);
        let known = others.filter_map(|directory| {
            let revision = directory.file_name()?.to_str().filter(|name| Revision::can_be_compared(name))?.to_owned();
            let mut last_saved = SystemTime::UNIX_EPOCH;
            let entries = trials.iter().filter_map(|trial| {
                let path = record_path(&directory, trial, "json");
                let entry = Entry { trial: trial.clone(), record: read(&path, trial, time)? };
                last_saved = last_saved.max(fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?);
                Some(entry)
            });
            let entries: Vec<Entry> = entries.collect();
            (!entries.is_empty()).then_some((last_saved, Earlier { revision, entries }))
        });
        known.max_by_key(|(last_saved, earlier)| (earlier.entries.len(), *last_saved)).map(|(_, earlier)| earlier)
    }

    pub fn save(&self, trial: &Trial, record: &Record) -> Result<(), String> {
        let path = self.path(trial, "json");
        let unwritable = |error: std::io::Error| format!("cannot write {}: {error}", path.display());
        let text = serde_json::to_string_pretty(record).map_err(|error| error.to_string())?;
        fs::write(&path, text).map_err(unwritable)
    }

    /// The summary that the tool writes.
    pub fn summary_path(&self, trial: &Trial) -> PathBuf {
        self.path(trial, "summary.json")
    }

    /// What the tool says on standard error.
    pub fn log_path(&self, trial: &Trial) -> PathBuf {
        self.path(trial, "log")
    }

    fn path(&self, trial: &Trial, extension: &str) -> PathBuf {
        record_path(&self.directory, trial, extension)
    }
}

fn record_path(directory: &Path, trial: &Trial, extension: &str) -> PathBuf {
    directory.join(format!("{}.{extension}", trial.name()))
}

fn read(path: &Path, trial: &Trial, time: &str) -> Option<Record> {
    let text = fs::read_to_string(path).ok()?;
    let record: Record = serde_json::from_str(&text).ok()?;
    record.settles(trial, time).then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;
    use crate::corpus::matching::Tier;

    const BUGS: &str = r#"
        bug = [
            { crate = "a", version = "1.0.0", function = ["a::f"], expect = "panic" },
            { crate = "a", version = "1.0.0", function = ["a::g"], expect = "panic" },
        ]
    "#;

    fn trial(n_bugs: usize) -> Trial {
        let bugs = bug::parse(BUGS).expect("valid");
        Trial::all(&bugs[..n_bugs], &[0]).remove(0)
    }

    fn record(end: End) -> Record {
        let finding = Finding {
            id: "1".to_owned(),
            tier: Tier::Error,
            oracle: "unreachable".to_owned(),
            function: "a::f".to_owned(),
            message: "entered unreachable code".to_owned(),
            location: None,
            calls: 1,
            found_after_seconds: 0.5,
            flaky: false,
        };
        Record { time: "60s".to_owned(), end, findings: vec![finding], wall_seconds: 9.0 }
    }

    fn revision(name: &str, says_all: bool) -> Revision {
        Revision { name: name.to_owned(), says_all }
    }

    #[test]
    fn a_stopped_run_goes_on_with_what_it_had() {
        let directory = tempfile::tempdir().expect("a directory");
        let open = |name, says_all, is_fresh| {
            Records::open(directory.path(), &revision(name, says_all), is_fresh).expect("writable")
        };
        let records = open("abc", true, false);
        assert_eq!(records.find(&trial(2), "60s"), None);
        for end in [End::Complete, End::Failed("101: it does not build".to_owned())] {
            records.save(&trial(2), &record(end.clone())).expect("writable");
            assert_eq!(open("abc", true, false).find(&trial(2), "60s"), Some(record(end)));
        }
        let other_seed = Trial { seed: 1, ..trial(2) };
        assert_eq!(records.find(&other_seed, "60s"), None, "another seed");
        assert_eq!(records.find(&trial(2), "20s"), None, "another time");
        assert_eq!(open("def", true, false).find(&trial(2), "60s"), None, "another commit");
        assert_eq!(open("abc", true, true).find(&trial(2), "60s"), None, "asked to ignore it");
        assert_eq!(open("abc", false, false).find(&trial(2), "60s"), None, "changed sources");
    }

    #[test]
    fn a_run_that_was_stopped_before_all_bugs_were_found_is_made_again() {
        let directory = tempfile::tempdir().expect("a directory");
        let records = Records::open(directory.path(), &revision("abc", true), false).expect("writable");
        for end in [End::Matched, End::Overdue] {
            records.save(&trial(1), &record(end)).expect("writable");
            assert!(records.find(&trial(1), "60s").is_some());
            assert_eq!(records.find(&trial(2), "60s"), None);
        }
    }

    #[test]
    fn the_earlier_run_that_has_most_is_compared() {
        let directory = tempfile::tempdir().expect("a directory");
        let open =
            |name, says_all| Records::open(directory.path(), &revision(name, says_all), false).expect("writable");
        let trials = Trial::all(&bug::parse(BUGS).expect("valid"), &[0, 1]);
        let found = || {
            let earlier = open("now", true).earlier(&trials, "60s")?;
            Some((earlier.revision, earlier.entries.len()))
        };
        open("now", true).save(&trials[0], &record(End::Complete)).expect("writable");
        open("of-another-time", true)
            .save(&trials[0], &Record { time: "15s".to_owned(), ..record(End::Complete) })
            .expect("writable");
        open("abc-changed", false).save(&trials[0], &record(End::Complete)).expect("writable");
        assert_eq!(found(), None);
        open("tool-1", true).save(&trials[0], &record(End::Complete)).expect("writable");
        assert_eq!(found(), Some(("tool-1".to_owned(), 1)));
        for trial in &trials {
            open("abc", true).save(trial, &record(End::Complete)).expect("writable");
        }
        open("def", true).save(&trials[1], &record(End::Complete)).expect("writable");
        assert_eq!(found(), Some(("abc".to_owned(), 2)));
    }

    #[test]
    fn a_damaged_record_is_none() {
        let directory = tempfile::tempdir().expect("a directory");
        let records = Records::open(directory.path(), &revision("abc", true), false).expect("writable");
        fs::write(records.path(&trial(1), "json"), "{\"time\": \"60s\"").expect("writable");
        assert_eq!(records.find(&trial(1), "60s"), None);
    }
}
