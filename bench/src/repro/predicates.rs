//! Predicate coverage of the containers: at each branch, the distinct valuations of the predicates that Visser et al. chose.
//!
//! The thesis does not list the predicates; the containers as Randoop's repository has them for its tests do. They are stated for
//! our ports in `survey/predicates/*.patch`, which add a call to each branch. Copies of the subjects are patched, so that the
//! subjects themselves stay as they are; in a copy, every valuation at every branch is an instance of one generic function,
//! and counted like all code: a search that is guided by what is new sees them, too. Branches are other ones than in Java, so
//! only who comes first compares.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::repro::bench::Bench;
use crate::repro::containers::{SEEDS, STRATEGIES};
use crate::repro::spread::{spread, whole};
use crate::repro::trial::{Budget, Subject, Trial};
use crate::support::table;
use crate::workspace_root;

/// Every branch has been seen often by then, and all runs together take two minutes.
const N_CALLS: u64 = 500_000;

/// A file in the patched copies: an edge in it is a valuation.
const LEAVES: &str = "src/leaf.rs:";

/// Subjects and what figure 8-1 of the thesis has for them: the best systematic technique, Randoop, random generation by the model
/// checker, and Randoop without direction.
const CONTAINERS: [(&str, [f64; 4]); 4] = [
    ("bin-tree", [53.2, 54.0, 52.1, 53.9]),
    ("binomial-heap", [101.0, 101.0, 88.3, 58.5]),
    ("fibonacci-heap", [93.0, 96.0, 86.0, 90.3]),
    ("tree-map", [106.0, 106.0, 104.0, 55.0]),
];

fn trials_of(name: &'static str, strategy: &'static str) -> Vec<Trial> {
    let (subject, budget) = (Subject::WithPredicates(name), Budget::Calls(N_CALLS));
    SEEDS.map(|seed| Trial { subject, strategy, without: None, budget, seed }).collect()
}

pub fn trials() -> Vec<Trial> {
    let of_container = |(name, _)| STRATEGIES.map(|strategy| trials_of(name, strategy));
    CONTAINERS.into_iter().flat_map(of_container).flatten().collect()
}

pub fn report(bench: &Bench) -> Result<String, String> {
    let mut header = ["", "JPF", "Randoop", "JPF random", "undirected"].map(str::to_owned).to_vec();
    header.extend(STRATEGIES.map(str::to_owned));
    let mut rows = vec![header];
    for (name, published) in CONTAINERS {
        let mut row = vec![name.to_owned()];
        row.extend(published.map(|count| count.to_string()));
        for strategy in STRATEGIES {
            let mut counts = Vec::new();
            for trial in trials_of(name, strategy) {
                counts.push(bench.result(&trial)?.valuations as f64);
            }
            row.push(spread(&counts, whole));
        }
        rows.push(row);
    }
    let intro = format!(
        "Predicate coverage: valuations seen at branches, {} calls, {} seeds; median (smallest to largest). The first four are published.\n\n",
        whole(N_CALLS as f64),
        SEEDS.end
    );
    Ok(intro + &table::render(&rows))
}

/// How many valuations were seen, from the edges in `coverage.json`.
pub fn valuations(edges: &[Value]) -> u64 {
    let leaves = edges.iter().filter(|edge| edge["place"].as_str().is_some_and(|place| place.starts_with(LEAVES)));
    leaves.filter_map(|edge| edge["instances_reached"].as_u64()).sum()
}

/// Makes a patched copy of a subject in `copies`, unless it is there as it should be.
pub fn copy(name: &str, copies: &Path) -> Result<(), String> {
    let root = workspace_root();
    let patch = root.join("survey").join("predicates").join(format!("{name}.patch"));
    let (from, to) = (root.join("subjects").join(name), copies.join(name));
    let stamp = fingerprint(&from, &patch).map_err(|error| format!("cannot read {}: {error}", from.display()))?;
    let stamp_path = copies.join(format!("{name}.stamp"));
    if fs::read_to_string(&stamp_path).is_ok_and(|known| known == stamp) {
        return Ok(());
    }
    let _ = fs::remove_dir_all(&to);
    copy_sources(&from, &to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    let mut git = Command::new("git");
    // Wherever the copy is, no repository is meant.
    git.env("GIT_CEILING_DIRECTORIES", copies).arg("apply").arg(&patch).current_dir(&to).stdin(Stdio::null());
    let output = git.output().map_err(|error| format!("cannot run {git:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{git:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    fs::write(&stamp_path, stamp).map_err(|error| format!("cannot write {}: {error}", stamp_path.display()))
}

/// All that the copy is made of.
fn fingerprint(subject: &Path, patch: &Path) -> std::io::Result<String> {
    let mut text = fs::read_to_string(patch)?;
    let paths = fs::read_dir(subject.join("src"))?.map(|entry| Ok(entry?.path()));
    for path in paths.collect::<std::io::Result<BTreeSet<PathBuf>>>()? {
        text += &fs::read_to_string(path)?;
    }
    Ok(text + &fs::read_to_string(subject.join("Cargo.toml"))?)
}

fn copy_sources(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to.join("src"))?;
    for entry in fs::read_dir(from.join("src"))? {
        let entry = entry?;
        fs::copy(entry.path(), to.join("src").join(entry.file_name()))?;
    }
    // By itself, wherever it is.
    let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
    fs::write(to.join("Cargo.toml"), manifest + "\n[workspace]\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valuations_are_instances_of_one_function() {
        let edges = serde_json::json!([
            {"place": "src/leaf.rs:5:5", "reached": true, "instances": 99, "instances_reached": 7},
            {"place": "src/leaf.rs:6:2", "reached": true, "instances": 9, "instances_reached": 2},
            {"place": "src/lib.rs:5:5", "reached": true, "instances": 4, "instances_reached": 4},
        ]);
        assert_eq!(valuations(edges.as_array().expect("a list")), 9);
        assert_eq!(valuations(&[]), 0);
    }

    #[test]
    fn the_patches_fit_the_subjects() {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, _) in CONTAINERS {
            copy(name, directory.path()).expect(name);
            assert!(directory.path().join(name).join("src").join("leaf.rs").exists(), "{name}");
            copy(name, directory.path()).expect("it is there already");
        }
    }
}
