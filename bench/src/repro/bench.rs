//! Makes the runs of a repro that were not made yet, telling what comes of each.
//!
//! Several are made at a time, each on one core that is its own, worker and all. So twice as many are made in the same time, and
//! what a core does in a second does not depend on how many others there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::thread;

use serde_json::Value;

use crate::repro::ledger::{Condition, Ledger, Record};
use crate::repro::predicates;
use crate::repro::trial::{Budget, Subject, Trial};
use crate::support::cargo::target_directory;
use crate::support::cores;
use crate::support::provoke::Provoke;
use crate::support::revision::Revision;

/// To build the worker of a crate for the first time.
const SECONDS_TO_BUILD: f64 = 10.0;

/// Enough to have tests of findings to compile.
const N_CALLS_TO_WARM_UP: u64 = 20_000;

pub struct Bench {
    workshop: Workshop,
    ledger: Ledger,
    cores: Vec<usize>,
    n_missing: usize,
    n_made: usize,
}

/// What it takes to make a run.
struct Workshop {
    provoke: Provoke,
    /// Holds a build directory for each subject, which nobody else blocks.
    builds: PathBuf,
    copies: PathBuf,
}

impl Bench {
    /// `system` is what the repro is about: each has a ledger of its own.
    pub fn open(system: &str, is_fresh: bool) -> Result<Bench, String> {
        let revision = Revision::of_repository()?;
        if !revision.says_all {
            eprintln!("note: the sources of Provoke differ from the last commit, so earlier results are not used");
        }
        let directory = target_directory()?.join("repro");
        let ledger_path = directory.join(system).join(format!("{}.jsonl", revision.name));
        let ledger = Ledger::open(&ledger_path, is_fresh || !revision.says_all)?;
        let provoke = Provoke::build()?;
        let workshop = Workshop { provoke, builds: directory.join("builds"), copies: directory.join("copies") };
        Ok(Bench { workshop, ledger, cores: cores::available(), n_missing: 0, n_made: 0 })
    }

    /// Says what is still to be done.
    pub fn announce(&mut self, trials: &[Trial]) {
        let n_all = trials.iter().map(Trial::key).collect::<BTreeSet<String>>().len();
        let groups = self.missing(trials);
        self.n_missing = groups.iter().map(Vec::len).sum();
        if groups.is_empty() {
            println!("all {n_all} runs were made before");
            return;
        }
        let minutes = groups.iter().map(|group| seconds_of(group)).sum::<f64>() / self.cores.len() as f64 / 60.0;
        println!("{} of {n_all} runs are still to be made: about {minutes:.0} minutes", self.n_missing);
    }

    /// What was not made yet, by subject, what takes the longest first.
    fn missing(&self, trials: &[Trial]) -> Vec<Vec<Trial>> {
        let mut groups: BTreeMap<Subject, Vec<Trial>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for trial in trials {
            let key = trial.key();
            // Parts may share runs.
            if self.ledger.find(&key).is_none() && seen.insert(key) {
                groups.entry(trial.subject).or_default().push(*trial);
            }
        }
        let mut groups: Vec<Vec<Trial>> = groups.into_values().collect();
        groups.sort_by(|a, b| seconds_of(b).total_cmp(&seconds_of(a)));
        groups
    }

    /// Makes what was not made yet, a subject on each core.
    pub fn make_missing(&mut self, trials: &[Trial]) -> Result<(), String> {
        let groups = Mutex::new(self.missing(trials).into_iter());
        let Bench { workshop, ledger, cores, n_missing, n_made } = self;
        let next_group = || groups.lock().ok().and_then(|mut groups| groups.next());
        let (sender, made) = mpsc::channel();
        thread::scope(|scope| {
            for &core in cores.iter() {
                let (sender, workshop, next_group) = (sender.clone(), &*workshop, &next_group);
                scope.spawn(move || {
                    cores::stay_on(core);
                    while let Some(group) = next_group() {
                        for trial in group {
                            // Nobody listens any more once one has failed.
                            if sender.send(workshop.make(&trial)).is_err() {
                                return;
                            }
                        }
                    }
                });
            }
            drop(sender);
            for made in made {
                let (record, _) = made?;
                *n_made += 1;
                let (key, edges, total, seconds) =
                    (&record.key, record.edges(), record.edges_total, record.wall_seconds);
                println!("{n_made:>4}/{n_missing}  {key}: {edges} of {total} edges, {seconds:.1} s");
                ledger.add(record)?;
            }
            Ok(())
        })
    }

    /// What came of a trial.
    pub fn result(&self, trial: &Trial) -> Result<Record, String> {
        let key = trial.key();
        self.ledger.find(&key).cloned().ok_or_else(|| format!("{key}: this run was not made"))
    }

    /// Makes a run anew. Also returns the directory of the package's sources.
    pub fn make(&self, trial: &Trial) -> Result<(Record, PathBuf), String> {
        self.workshop.make(trial)
    }
}

fn seconds_of(group: &[Trial]) -> f64 {
    group.iter().map(Trial::seconds).sum::<f64>() + SECONDS_TO_BUILD
}

impl Workshop {
    fn make(&self, trial: &Trial) -> Result<(Record, PathBuf), String> {
        let build_directory = self.build_directory(trial.subject);
        // The first run on a subject compiles what the others find there, also while it searches.
        if matches!(trial.budget, Budget::Seconds(_)) && !build_directory.exists() {
            self.make_one(&Trial { budget: Budget::Calls(N_CALLS_TO_WARM_UP), ..*trial })?;
        }
        self.make_one(trial)
    }

    fn build_directory(&self, subject: Subject) -> PathBuf {
        self.builds.join(subject.to_string().replace(' ', "-"))
    }

    fn make_one(&self, trial: &Trial) -> Result<(Record, PathBuf), String> {
        let build_directory = self.build_directory(trial.subject);
        let lcov_path = build_directory.join("lcov.info");
        let _ = fs::create_dir_all(&build_directory);
        let mut command = self.provoke.command();
        command.env("CARGO_TARGET_DIR", &build_directory);
        if let Subject::WithPredicates(name) = trial.subject {
            predicates::copy(name, &self.copies)?;
        }
        trial.add_arguments(&mut command, &self.copies);
        command.arg("--lcov").arg(&lcov_path);
        let run = self.provoke.run(command)?;
        let failed = |what: &str| format!("{}: {what}; it ended with {}", trial.key(), run.status());
        let summary = run.summary.as_ref().filter(|_| run.is_normal()).ok_or_else(|| failed("no result"))?;
        let path = build_directory.join("provoke").join(trial.subject.package()).join("coverage.json");
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
    let places_with = |field: &str, value: bool| {
        let those = edges.iter().filter(|edge| edge[field] == value);
        those.filter_map(|edge| edge["place"].as_str().map(str::to_owned)).collect()
    };
    let points = summary["growth"].as_array().into_iter().flatten();
    let growth = points
        .filter_map(|point| Some((point["seconds"].as_f64()?, point["calls"].as_u64()?, point["edges"].as_u64()?)));
    let conditions: Vec<Condition> = serde_json::from_value(coverage["conditions"].clone()).ok()?;
    Some(Record {
        key,
        wall_seconds,
        search_seconds: summary["seconds"]["search"].as_f64(),
        calls: summary["search"]["calls"].as_u64(),
        edges_total: edges.len() as u64,
        missed: places_with("reached", false),
        unwinding: places_with("unwinds", true),
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
        let summary = serde_json::json!({
            "seconds": {"search": 0.75},
            "search": {"calls": 100},
            "growth": [{"seconds": 0.5, "calls": 90, "edges": 1, "functions": 1}],
        });
        let coverage = serde_json::json!({
            "edges": [
                {"place": "src/lib.rs:1:1", "reached": true, "unwinds": true},
                {"place": "src/lib.rs:9:2", "reached": false, "unwinds": false}
            ],
            "conditions": [{"place": "src/lib.rs:1:4", "reached": true, "sides": [
                {"to": null, "panics": false, "taken": true}, {"to": "src/lib.rs:9:2", "panics": true, "taken": false}
            ]}],
        });
        let record = record_of("x".to_owned(), 2.0, &summary, &coverage).expect("complete");
        assert_eq!((record.edges(), record.edges_total), (1, 2));
        assert_eq!(
            (&record.missed[..], &record.unwinding[..]),
            (&["src/lib.rs:9:2".to_owned()][..], &["src/lib.rs:1:1".to_owned()][..])
        );
        assert_eq!(record.growth, [(0.5, 90, 1)]);
        assert_eq!((record.search_seconds, record.calls), (Some(0.75), Some(100)));
        assert!(record.conditions[0].sides[1].panics);
        let older = record_of("x".to_owned(), 2.0, &serde_json::json!({}), &coverage).expect("complete");
        assert_eq!((older.last_edge(), older.search_seconds, older.calls), (None, None, None));
        assert_eq!(record_of("x".to_owned(), 2.0, &summary, &Value::Null), None);
        let root = sources_of("TN:\nSF:/there/build.rs\nSF:/there/x/src/lib.rs\n", &coverage);
        assert_eq!(root, Some(PathBuf::from("/there/x/")));
    }
}
