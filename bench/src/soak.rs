//! `soak`: workers are killed at random moments, then the tool itself, and nothing may come of it.
//!
//! Each subject is first searched in peace. Then it is searched with the same seed and calls while the tool is killed, what it left
//! behind is looked at, and it is resumed; and again and again while workers are killed. What is found and covered has to be
//! the same every time.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::value_parser;
use serde_json::Value;

use crate::support::provoke::Provoke;
use crate::support::table;
use crate::workspace_root;

/// With how many calls each is searched: some seconds.
const SUBJECTS: [(&str, &str); 3] = [("polynomial", "12M"), ("sorted-list", "12M"), ("fibonacci-heap", "12M")];

/// How often it is looked whether a run has ended.
const TICK: Duration = Duration::from_millis(5);

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// How long
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    minutes: u32,
    /// How often the tool is killed and resumed
    #[arg(long = "tool-kills", value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..))]
    n_tool_kills: u32,
    /// Where the searches, and the moments, start
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Prints a line per run; an error if one differs from the run in peace.
pub fn run(options: &Options) -> Result<(), String> {
    let provoke = Provoke::build()?;
    let scratch = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let end = Instant::now() + Duration::from_secs(60) * options.minutes;
    let mut dice = Dice(options.seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut soaks = Vec::new();
    for (name, calls) in SUBJECTS {
        let subject = Subject { name, calls, seed: options.seed, target: scratch.path().join(name) };
        // The first one builds; the second shows how long a search takes.
        subject.in_peace(&provoke)?;
        let started = Instant::now();
        let expected = subject.in_peace(&provoke)?;
        let seconds = started.elapsed();
        let n_findings = expected.findings.len();
        println!("{name}: in peace {n_findings} findings, {} functions covered", expected.covered.len());
        soaks.push(Soak { subject, expected, seconds, n_runs: 0, n_worker_kills: 0, n_tool_kills: 0 });
    }
    // Killing the tool first: a given number of times, while the others go on until the time is up.
    for number in 0..options.n_tool_kills as usize {
        let n_soaks = soaks.len();
        soaks[number % n_soaks].kill_the_tool(&provoke, &mut dice)?;
    }
    while Instant::now() < end {
        for soak in &mut soaks {
            soak.kill_workers(&provoke, &mut dice)?;
        }
    }
    let header = ["subject", "runs", "workers killed", "tool killed", "result"].map(str::to_owned).to_vec();
    let rows = soaks.iter().map(|soak| {
        let numbers = [soak.n_runs, soak.n_worker_kills, soak.n_tool_kills].map(|number| number.to_string());
        let [runs, workers, tools] = numbers;
        vec![soak.subject.name.to_owned(), runs, workers, tools, "as in peace".to_owned()]
    });
    print!("\n{}", table::render(&std::iter::once(header).chain(rows).collect::<Vec<_>>()));
    Ok(())
}

/// What a run comes to, as far as it must not depend on who was killed.
#[derive(Clone, Debug, PartialEq)]
struct Harvest {
    findings: Vec<Value>,
    covered: BTreeSet<String>,
    /// Tests that did not do what was claimed.
    rejected: Option<u64>,
}

impl Harvest {
    fn of(summary: &Value) -> Option<Harvest> {
        let mut findings = summary["findings"].as_array()?.clone();
        for finding in &mut findings {
            finding["found_after_seconds"] = Value::Null;
        }
        let covered = summary["api"]["covered_functions"].as_array()?;
        let covered = covered.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        Some(Harvest { findings, covered, rejected: summary["tests"]["rejected"].as_u64() })
    }
}

struct Subject {
    name: &'static str,
    calls: &'static str,
    seed: u64,
    target: PathBuf,
}

impl Subject {
    fn results(&self) -> PathBuf {
        self.target.join("provoke").join(self.name)
    }

    fn start(&self, provoke: &Provoke, is_resuming: bool) -> Result<Child, String> {
        let manifest = workspace_root().join("subjects").join(self.name).join("Cargo.toml");
        let mut command = provoke.command();
        command.env("CARGO_TARGET_DIR", &self.target).arg("--manifest-path").arg(manifest);
        command.args(["--calls", self.calls, "--seed", &self.seed.to_string(), "--without", "regression", "--quiet"]);
        if is_resuming {
            command.arg("--resume");
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))
    }

    fn in_peace(&self, provoke: &Provoke) -> Result<Harvest, String> {
        let mut child = self.start(provoke, false)?;
        child.wait().map_err(|error| error.to_string())?;
        self.result()
    }

    fn result(&self) -> Result<Harvest, String> {
        let path = self.results().join("summary.json");
        let summary = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let result = summary.as_ref().and_then(Harvest::of);
        result.ok_or_else(|| format!("{}: no summary that can be read", self.name))
    }
}

struct Soak {
    subject: Subject,
    expected: Harvest,
    /// How long a run in peace takes.
    seconds: Duration,
    n_runs: u32,
    n_worker_kills: u32,
    n_tool_kills: u32,
}

impl Soak {
    /// One run, with a worker killed every now and then.
    fn kill_workers(&mut self, provoke: &Provoke, dice: &mut Dice) -> Result<(), String> {
        let mut child = self.subject.start(provoke, false)?;
        let n_before = self.n_worker_kills;
        let mut next = Instant::now();
        while child.try_wait().map_err(|error| error.to_string())?.is_none() {
            if Instant::now() >= next {
                next += Duration::from_millis(20 + dice.below(300));
                let workers = workers_of(child.id(), &self.subject.target);
                if !workers.is_empty() {
                    let victim = workers[dice.below(workers.len() as u64) as usize];
                    self.n_worker_kills += u32::from(kill(victim));
                }
            }
            thread::sleep(TICK);
        }
        self.n_runs += 1;
        println!("{}: {} workers killed", self.subject.name, self.n_worker_kills - n_before);
        self.compare()
    }

    /// One run, killed at a random moment, and resumed.
    fn kill_the_tool(&mut self, provoke: &Provoke, dice: &mut Dice) -> Result<(), String> {
        let mut child = self.subject.start(provoke, false)?;
        // Not after the end of the run, which would be no kill; the last tenth is short of it on a busy machine, too.
        let wait = self.seconds.mul_f64(dice.below(900) as f64 / 1000.0);
        thread::sleep(wait);
        let is_killed = child.try_wait().map_err(|error| error.to_string())?.is_none() && kill(child.id());
        child.wait().map_err(|error| error.to_string())?;
        let found = self.look_at_files()?;
        let mut resumed = self.subject.start(provoke, true)?;
        resumed.wait().map_err(|error| error.to_string())?;
        self.n_runs += 1;
        self.n_tool_kills += u32::from(is_killed);
        let n_found = found.len();
        println!("{}: killed after {:.1} s, with {n_found} findings on disk", self.subject.name, wait.as_secs_f64());
        self.compare()
    }

    /// The ids of the findings on disk; an error if some file there cannot be read.
    fn look_at_files(&self) -> Result<BTreeSet<String>, String> {
        let results = self.subject.results();
        let mut ids = BTreeSet::new();
        for name in ["summary.json", "state/run.json"] {
            read_json(&results.join(name))?;
        }
        for entry in fs::read_dir(results.join("findings")).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let saved = read_json(&path)?;
                ids.extend(saved.and_then(|saved| saved["id"].as_str().map(str::to_owned)));
            }
        }
        Ok(ids)
    }

    fn compare(&self) -> Result<(), String> {
        let result = self.subject.result()?;
        if result == self.expected {
            return Ok(());
        }
        let name = self.subject.name;
        Err(format!("{name}: not as in peace:\n{:#?}\n\nin peace:\n{:#?}", result, self.expected))
    }
}

/// Nothing where there is no such file, which is no mistake.
fn read_json(path: &Path) -> Result<Option<Value>, String> {
    let Ok(bytes) = fs::read(path) else {
        return Ok(None);
    };
    let value = serde_json::from_slice(&bytes);
    value.map(Some).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Children of a process whose program lies in a directory.
fn workers_of(parent: u32, directory: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        let process = Path::new("/proc").join(id.to_string());
        let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
        parent_in(&stat) == Some(parent)
            && fs::read_link(process.join("exe")).is_ok_and(|program| program.starts_with(directory))
    })
    .collect()
}

/// `12 (name) S 7 …`, where the name may contain anything.
fn parent_in(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

fn kill(id: u32) -> bool {
    let mut command = Command::new("kill");
    command.args(["-KILL", &id.to_string()]).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Random moments that can be had again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;

    #[test]
    fn options_have_defaults_and_wrong_ones_are_named() {
        assert_eq!(parse("soak", &[]), Ok(Options { minutes: 10, n_tool_kills: 20, seed: 0 }));
        let given = parse("soak", &["--minutes", "1", "--tool-kills", "3", "--seed", "7"]);
        assert_eq!(given, Ok(Options { minutes: 1, n_tool_kills: 3, seed: 7 }));
        for wrong in [&["--minutes"][..], &["--minutes", "0"], &["--tool-kills", "0"], &["--hours", "1"]] {
            assert!(parse::<Options>("soak", wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent_in("12 (a) b) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("nonsense"), None);
    }

    #[test]
    fn a_result_has_what_must_not_change_and_no_times() {
        let finding = |seconds: f64| serde_json::json!({ "id": "a", "found_after_seconds": seconds });
        let summary =
            |seconds| serde_json::json!({ "findings": [finding(seconds)], "api": { "covered_functions": ["f"] } });
        assert_eq!(Harvest::of(&summary(1.0)), Harvest::of(&summary(2.0)));
        assert_eq!(Harvest::of(&summary(1.0)).unwrap().covered.len(), 1);
        assert_eq!(Harvest::of(&Value::Null), None);
    }
}
