//! `unchanged`: records what Provoke makes of many crates, and says what is different later. For changes that must not change it.
//!
//! A record is a directory of texts, one directory for each crate and number of workers: the summary without times, the tests of
//! the findings, and the regression suite.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde_json::Value;

use crate::support::cargo::target_directory;
use crate::support::provoke::Provoke;
use crate::workspace_root;

/// Directories of crates in the repository, each with one level of crates.
const SHELVES: [&str; 2] = ["subjects", "fixtures/behaviours"];
const PUBLISHED: [&str; 5] = ["slab@0.4.12", "semver@1.0.27", "url@2.5.4", "petgraph@0.8.3", "time@0.3.41"];
const QUICK: [&str; 5] = ["generics", "in-code-specs", "outcomes", "sorted-list", "slab@0.4.12"];

/// What is done with a record.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Records what Provoke makes of our subjects and fixtures and of five published crates
    Record(Options),
    /// Makes it again and says what is different
    Check(Options),
}

#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// Of the record that is made or compared with: letters, digits and `-`
    #[arg(value_parser = record_name)]
    name: String,
    /// Only four fixtures and slab, with fewer calls
    #[arg(long = "quick")]
    is_quick: bool,
    /// Only crates with this in their name
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    filter: String,
    /// Runs this executable of cargo-provoke instead of building the one of this checkout
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    tool: Option<PathBuf>,
}

fn record_name(name: &str) -> Result<String, String> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if name.is_empty() || name.starts_with('-') || !is_plain {
        return Err(format!("`{name}` is no name for a record: letters, digits and `-`"));
    }
    Ok(name.to_owned())
}

impl Options {
    fn runs(&self) -> Result<Vec<Run>, String> {
        let mut crates: Vec<String> = Vec::new();
        for shelf in SHELVES {
            let names = names_in(&workspace_root().join(shelf))?.into_iter();
            let is_crate = |path: &String| workspace_root().join(path).join("Cargo.toml").is_file();
            crates.extend(names.map(|name| format!("{shelf}/{name}")).filter(is_crate));
        }
        crates.extend(PUBLISHED.map(str::to_owned));
        if self.is_quick {
            crates.retain(|krate| QUICK.contains(&last_part(krate)));
        }
        crates.retain(|krate| krate.contains(&self.filter));
        let (calls, jobs) = if self.is_quick { ("200k", &["1"][..]) } else { ("1M", &["1", "2"][..]) };
        let run = |krate: String| jobs.iter().map(move |&jobs| Run { krate: krate.clone(), calls, jobs });
        Ok(crates.into_iter().flat_map(run).collect())
    }
}

struct Run {
    /// A path in the repository, or `name@version`.
    krate: String,
    calls: &'static str,
    jobs: &'static str,
}

impl Run {
    fn name(&self) -> String {
        format!("{}-{}-{}", last_part(&self.krate), self.calls, self.jobs)
    }

    /// Runs the tool in a directory that keeps what is built, and gives all texts by their names.
    fn texts(&self, provoke: &Provoke, places: &Path) -> Result<BTreeMap<String, String>, String> {
        let place = places.join(last_part(&self.krate));
        let is_published = self.krate.contains('@');
        if is_published {
            fs::create_dir_all(&place).map_err(|error| format!("cannot make {}: {error}", place.display()))?;
        } else {
            copy(&workspace_root().join(&self.krate), &place)?;
            leave_our_workspace(&place)?;
        }
        // What another tool planned must not be used.
        for package in fs::read_dir(place.join("target/provoke")).into_iter().flatten().flatten() {
            let _ = fs::remove_dir_all(package.path().join("cache"));
        }
        let mut command = provoke.command();
        command.current_dir(&place).args(["--quiet", "--seed", "1", "--calls", self.calls, "--jobs", self.jobs]);
        if is_published {
            command.args(["--crate", &self.krate]);
        }
        let ended = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
        let mut texts = BTreeMap::new();
        match ended.status.code() {
            Some(code @ (0 | 100)) => texts.insert("exit-code".to_owned(), code.to_string()),
            _ => return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&ended.stderr))),
        };
        for package in fs::read_dir(place.join("target/provoke")).into_iter().flatten().flatten() {
            take_texts(&package.path(), &mut texts)?;
        }
        let place = place.to_string_lossy().into_owned();
        texts.values_mut().for_each(|text| *text = text.replace(&place, "[crate]"));
        Ok(texts)
    }
}

/// Makes the record, or compares with it. An error if anything is different, after all crates.
pub fn run(action: &Action) -> Result<(), String> {
    let (options, is_check) = match action {
        Action::Record(options) => (options, false),
        Action::Check(options) => (options, true),
    };
    let directory = target_directory()?.join("unchanged");
    let record = directory.join(if options.is_quick { "quick" } else { "whole" }).join(&options.name);
    let runs = options.runs()?;
    if is_check && !record.is_dir() {
        return Err(format!("there is no record `{}`; `unchanged record {0}` makes one", options.name));
    }
    let provoke = match &options.tool {
        Some(tool) => Provoke::at(tool)?,
        None => Provoke::build()?,
    };
    let mut n_different = 0;
    for run in &runs {
        let texts = run.texts(&provoke, &directory.join("crates"))?;
        let place = record.join(run.name());
        if is_check {
            let differences = differences(&read(&place)?, &texts);
            println!("{:30} {}", run.name(), if differences.is_empty() { "equal" } else { "DIFFERENT" });
            differences.iter().for_each(|difference| println!("    {difference}"));
            n_different += usize::from(!differences.is_empty());
        } else {
            println!("{:30} {} texts", run.name(), texts.len());
            write(&place, &texts)?;
        }
    }
    match n_different {
        0 => Ok(()),
        _ => Err(format!("{n_different} of {} runs are different", runs.len())),
    }
}

fn last_part(krate: &str) -> &str {
    krate.rsplit('/').next().unwrap_or(krate)
}

/// What differs, a line each, with the first line that does.
fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let describe = |name: &String| match (before.get(name), after.get(name)) {
        (Some(before), Some(after)) if before == after => None,
        (Some(before), Some(after)) => {
            let mut lines = before.lines().zip(after.lines());
            let (before, after) = lines.find(|(before, after)| before != after).unwrap_or(("…", "the end"));
            Some(format!("{name}: `{}` is now `{}`", before.trim(), after.trim()))
        }
        (Some(_), None) => Some(format!("{name}: is gone")),
        (None, _) => Some(format!("{name}: is new")),
    };
    names.into_iter().filter_map(describe).collect()
}

/// What a run left in the directory of one package.
fn take_texts(package: &Path, texts: &mut BTreeMap<String, String>) -> Result<(), String> {
    let read =
        |path: &Path| fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()));
    let summary = package.join("summary.json");
    let Ok(text) = fs::read_to_string(&summary) else { return Ok(()) };
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut value: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", summary.display()))?;
    leave_out_times(&mut value);
    texts.insert(format!("{name}/summary.json"), format!("{value:#}"));
    for folder in ["findings", "rejected"] {
        let folder = package.join(folder);
        for file in names_in(&folder).unwrap_or_default() {
            let label = format!("{name}/{}/{file}", last_part(&folder.to_string_lossy()));
            texts.insert(label, read(&folder.join(&file))?);
        }
    }
    if let Ok(suite) = read(&package.join("regression.rs")) {
        texts.insert(format!("{name}/regression.rs"), suite);
    }
    Ok(())
}

/// Takes out whatever is about time, wherever it stands.
fn leave_out_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.contains("seconds") && !name.contains("per_second"));
            fields.values_mut().for_each(leave_out_times);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_times),
        _ => {}
    }
}

fn names_in(directory: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("cannot read {}: {error}", directory.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Copies a crate, so that nothing is built in the repository. Our own crates are found from there, too.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot copy {} to {}: {error}", from.display(), to.display());
    fs::create_dir_all(to).map_err(failed)?;
    for name in names_in(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        if name == "target" {
            continue;
        } else if from.is_dir() {
            copy(&from, &to)?;
        } else if name == "Cargo.toml" {
            let crates = format!("{}/", workspace_root().join("crates").display());
            let text = fs::read_to_string(&from).map_err(failed)?;
            let text = text.replace("../../../crates/", &crates).replace("../../crates/", &crates);
            fs::write(&to, text).map_err(failed)?;
        } else {
            fs::copy(&from, &to).map_err(failed)?;
        }
    }
    Ok(())
}

/// A copy lies below our own workspace, of which it is no part.
fn leave_our_workspace(place: &Path) -> Result<(), String> {
    let manifest = place.join("Cargo.toml");
    let failed = |error: std::io::Error| format!("cannot use {}: {error}", manifest.display());
    let text = fs::read_to_string(&manifest).map_err(failed)?;
    if text.contains("[workspace") {
        return Ok(());
    }
    fs::write(&manifest, text + "\n[workspace]\n").map_err(failed)
}

/// Every file below a directory, by its path.
fn read(directory: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![directory.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for name in names_in(&folder)? {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            let name = path.strip_prefix(directory).unwrap_or(&path);
            texts.insert(name.to_string_lossy().into_owned(), text);
        }
    }
    Ok(texts)
}

fn write(directory: &Path, texts: &BTreeMap<String, String>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", directory.display());
    let _ = fs::remove_dir_all(directory);
    for (name, text) in texts {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap_or(directory)).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::parse;

    fn texts(texts: &[(&str, &str)]) -> BTreeMap<String, String> {
        texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn options_name_a_record_and_what_is_done_with_it() {
        let action = parse("unchanged", &["check", "before", "--quick", "--filter", "slab"]).unwrap();
        let Action::Check(options) = action else { panic!("{action:?}") };
        assert_eq!((options.name.as_str(), options.is_quick), ("before", true));
        assert_eq!(options.runs().unwrap().iter().map(Run::name).collect::<Vec<_>>(), ["slab@0.4.12-200k-1"]);
        for wrong in [
            &[][..],
            &["record"],
            &["record", "../a"],
            &["keep", "a"],
            &["check", "a", "--tool"],
            &["check", "--quick"],
        ] {
            assert!(parse::<Action>("unchanged", wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn only_the_outermost_package_of_a_copy_is_a_workspace() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        for package in ["", "inner"] {
            fs::create_dir_all(from.join(package)).unwrap();
            fs::write(from.join(package).join("Cargo.toml"), "[package]\n").unwrap();
        }
        copy(&from, &to).unwrap();
        for _ in 0..2 {
            leave_our_workspace(&to).unwrap();
        }
        let manifest = |package: &str| fs::read_to_string(to.join(package).join("Cargo.toml")).unwrap();
        assert_eq!(manifest(""), "[package]\n\n[workspace]\n");
        assert_eq!(manifest("inner"), "[package]\n");
    }

    #[test]
    fn every_crate_of_a_quick_run_is_there() {
        let options = parse::<Options>("unchanged record", &["before", "--quick"]).unwrap();
        assert_eq!(options.runs().unwrap().len(), QUICK.len());
    }

    #[test]
    fn times_do_not_count_and_everything_else_does() {
        let mut summary: Value = serde_json::from_str(
            r#"{"seconds": {"search": 1}, "search": {"calls": 2, "calls_per_second": 3}, "growth": [{"seconds": 4, "calls": 5}]}"#,
        )
        .unwrap();
        leave_out_times(&mut summary);
        assert_eq!(summary.to_string(), r#"{"growth":[{"calls":5}],"search":{"calls":2}}"#);
    }

    #[test]
    fn differences_show_the_first_line_that_differs() {
        let before = texts(&[("a", "1\n2\n3"), ("b", "1"), ("c", "1\n2")]);
        let after = texts(&[("a", "1\nx\ny"), ("c", "1"), ("d", "")]);
        let expected = ["a: `2` is now `x`", "b: is gone", "c: `…` is now `the end`", "d: is new"];
        assert_eq!(differences(&before, &after), expected);
        assert!(differences(&before, &before).is_empty());
    }

    #[test]
    fn what_is_written_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let written = texts(&[("exit-code", "0"), ("a/findings/b.rs", "fn main() {}\n")]);
        write(&directory.path().join("run"), &written).unwrap();
        assert_eq!(read(&directory.path().join("run")), Ok(written));
    }
}
