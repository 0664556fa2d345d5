//! Makes the runs of a repro that were not made yet, one after the other, telling what comes of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::cargo::target_directory;
use crate::corpus::revision::Revision;
use crate::provoke::Provoke;
use crate::repro::ledger::{Condition, Ledger, Record};
use crate::repro::predicates;
use crate::repro::trial::{Subject, Trial};

/// To build the worker of a crate for the first time.
const SECONDS_TO_BUILD: f64 = 10.0;

pub struct Bench {
    provoke: Provoke,
    ledger: Ledger,
    /// Of its own, which nobody else blocks.
    build_directory: PathBuf,
    copies: PathBuf,
    n_missing: usize,
    n_made: usize,
}

impl Bench {
    pub fn open(is_fresh: bool) -> Result<Bench, String> {
        let revision = Revision::of_repository()?;
        if !revision.is_commit {
            eprintln!("note: the sources of Provoke differ from the last commit, so earlier results are not used");
        }
        let directory = target_directory()?.join("repro");
        let ledger_path = directory.join("randoop").join(format!("{}.jsonl", revision.name));
        let ledger = Ledger::open(&ledger_path, is_fresh || !revision.is_commit)?;
        let provoke = Provoke::build()?;
        let (build_directory, copies) = (directory.join("build"), directory.join("copies"));
        Ok(Bench { provoke, ledger, build_directory, copies, n_missing: 0, n_made: 0 })
    }

    /// Says what is still to be done.
    pub fn announce(&mut self, trials: &[Trial]) {
        // Parts may share runs.
        let all: BTreeMap<String, &Trial> = trials.iter().map(|trial| (trial.key(), trial)).collect();
        let missing: Vec<&Trial> =
            all.iter().filter(|(key, _)| self.ledger.find(key).is_none()).map(|(_, trial)| *trial).collect();
        let subjects: BTreeSet<Subject> = missing.iter().map(|trial| trial.subject).collect();
        let seconds: f64 = missing.iter().map(|trial| trial.seconds()).sum();
        let minutes = (seconds + subjects.len() as f64 * SECONDS_TO_BUILD) / 60.0;
        self.n_missing = missing.len();
        println!("{} of {} runs are still to be made: about {minutes:.0} minutes", missing.len(), all.len());
    }

    /// What came of a trial, now or earlier.
    pub fn result(&mut self, trial: &Trial) -> Result<Record, String> {
        let key = trial.key();
        if let Some(record) = self.ledger.find(&key) {
            return Ok(record.clone());
        }
        let (record, _) = self.make(trial)?;
        self.n_made += 1;
        let (edges, total, seconds) = (record.edges(), record.edges_total, record.wall_seconds);
        println!("{:>4}/{}  {key}: {edges} of {total} edges, {seconds:.1} s", self.n_made, self.n_missing);
        self.ledger.add(record.clone())?;
        Ok(record)
    }

    /// Also returns the directory of the package's sources.
    pub fn make(&self, trial: &Trial) -> Result<(Record, PathBuf), String> {
        let lcov_path = self.build_directory.join("lcov.info");
        let _ = fs::create_dir_all(&self.build_directory);
        let mut command = self.provoke.command();
        command.env("CARGO_TARGET_DIR", &self.build_directory);
        if let Subject::WithPredicates(name) = trial.subject {
            predicates::copy(name, &self.copies)?;
        }
        trial.add_arguments(&mut command, &self.copies);
        command.arg("--lcov").arg(&lcov_path);
        let run = self.provoke.run(command)?;
        let failed = |what: &str| format!("{}: {what}; it ended with {}", trial.key(), run.status());
        let summary = run.summary.as_ref().filter(|_| run.is_normal()).ok_or_else(|| failed("no result"))?;
        let path = self.build_directory.join("provoke").join(trial.subject.package()).join("coverage.json");
        let coverage: Value = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(|| failed("no coverage"))?;
        let record = record_of(trial.key(), run.wall_seconds, summary, &coverage);
        let record = record.ok_or_else(|| failed("coverage of another form"))?;
        let lcov = fs::read_to_string(&lcov_path).unwrap_or_default();
        let root = sources_of(&lcov, &coverage).ok_or_else(|| failed("no sources"))?;
        Ok((record, root))
    }
}

fn record_of(key: String, wall_seconds: f64, summary: &Value, coverage: &Value) -> Option<Record> {
    let edges = coverage["edges"].as_array()?;
    let missed = edges.iter().filter(|edge| edge["reached"] == false);
    let points = summary["growth"].as_array().into_iter().flatten();
    let growth = points
        .filter_map(|point| Some((point["seconds"].as_f64()?, point["calls"].as_u64()?, point["edges"].as_u64()?)));
    let conditions: Vec<Condition> = serde_json::from_value(coverage["conditions"].clone()).ok()?;
    Some(Record {
        key,
        wall_seconds,
        edges_total: edges.len() as u64,
        missed: missed.filter_map(|edge| edge["place"].as_str().map(str::to_owned)).collect(),
        growth: growth.collect(),
        conditions,
        valuations: predicates::valuations(edges),
    })
}

/// Where the paths in `coverage` start: a tracefile has them in full.
fn sources_of(lcov: &str, coverage: &Value) -> Option<PathBuf> {
    let place = coverage["edges"].as_array()?.first()?["place"].as_str()?;
    let file = place.split(':').next()?;
    let mut paths = lcov.lines().filter_map(|line| line.strip_prefix("SF:"));
    paths.find_map(|path| path.strip_suffix(file)).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_what_was_missed_and_how_the_rest_came() {
        let summary = serde_json::json!({"growth": [{"seconds": 0.5, "calls": 90, "edges": 1, "functions": 1}]});
        let coverage = serde_json::json!({
            "edges": [{"place": "src/lib.rs:1:1", "reached": true}, {"place": "src/lib.rs:9:2", "reached": false}],
            "conditions": [{"place": "src/lib.rs:1:4", "reached": true, "sides": [
                {"to": null, "panics": false, "taken": true}, {"to": "src/lib.rs:9:2", "panics": true, "taken": false}
            ]}],
        });
        let record = record_of("x".to_owned(), 2.0, &summary, &coverage).expect("complete");
        assert_eq!((record.edges(), record.edges_total), (1, 2));
        assert_eq!(record.missed, ["src/lib.rs:9:2"]);
        assert_eq!(record.growth, [(0.5, 90, 1)]);
        assert!(record.conditions[0].sides[1].panics);
        let older = record_of("x".to_owned(), 2.0, &serde_json::json!({}), &coverage).expect("complete");
        assert_eq!(older.last_edge(), None);
        assert_eq!(record_of("x".to_owned(), 2.0, &summary, &Value::Null), None);
        let root = sources_of("TN:\nSF:/there/build.rs\nSF:/there/x/src/lib.rs\n", &coverage);
        assert_eq!(root, Some(PathBuf::from("/there/x/")));
    }
}
