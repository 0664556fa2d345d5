//! `tidy`: the rules that the repository keeps about itself, each with what to do about a breach.

pub mod code_map;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Modules directly in a folder.
const MAX_MODULES: usize = 15;
/// Folders of rows, one oracle a file, which have no limit.
const ROWS: [&str; 1] = ["crates/provoke-oracles/src/laws"];
/// Lines of a source file without its tests.
const MAX_SOURCE_LINES: usize = 500;
/// Lines of documents.
const MAX_LINES: [(&str, usize); 2] = [("ARCHITECTURE.md", 300), ("README.md", 130)];

/// By crate: its folders and the modules beside them, each of which uses only those before it. Crates of which nothing is said have
/// no folders, or, like the executor, parts that ask each other while code under test runs.
const DIRECTIONS: [(&str, &[&str]); 7] = [
    ("provoke-model", &["contracts", "api", "rustdoc", "sources"]),
    ("provoke-codegen", &["types", "emit", "plan", "harness"]),
    (
        "provoke-engine",
        &[
            "saved_forms",
            "api",
            "executor",
            "hash",
            "program",
            "rng",
            "generate",
            "minimize",
            "options",
            "regression",
            "verdict",
            "search",
            "clone_independence",
        ],
    ),
    (
        "provoke-host",
        &[
            "context",
            "error",
            "source_file",
            "cache",
            "sandbox",
            "process",
            "cargo",
            "harness",
            "binary",
            "verify",
            "worker",
        ],
    ),
    (
        "provoke-run",
        &[
            "interrupt",
            "error",
            "events",
            "config",
            "settings",
            "prepare",
            "results",
            "confirm",
            "session",
            "verify",
            "regression",
            "drive",
            "list",
            "replay",
            "run",
        ],
    ),
    ("cargo-provoke", &["cli", "console", "commands"]),
    ("bench", &["support", "survey", "speed", "corpus", "repro", "soak", "unchanged", "tasks"]),
];

/// A source file without its tests.
struct Source {
    /// From the root, with forward slashes.
    path: String,
    text: String,
}

/// All sources of the crates, and nothing of the tests beside them.
struct Sources(Vec<Source>);

/// Every breach of a rule in the repository at `root`, a line each.
pub fn breaches(root: &Path) -> Result<Vec<String>, String> {
    let sources = Sources::read(root)?;
    let mut breaches = code_map_agrees(root)?;
    breaches.extend(sources.folders_have_room());
    breaches.extend(sources.files_are_short());
    breaches.extend(sources.folders_keep_their_direction());
    breaches.extend(sources.files_say_what_they_are());
    breaches.extend(sources.public_types_have_names_of_their_own());
    breaches.extend(documents_are_short(root)?);
    breaches.extend(sources.decisions_and_modules_name_each_other(root)?);
    Ok(breaches)
}

fn code_map_agrees(root: &Path) -> Result<Vec<String>, String> {
    let differences = code_map::differences(root)?;
    Ok(if differences.is_empty() { Vec::new() } else { vec![code_map::describe(&differences)] })
}

fn documents_are_short(root: &Path) -> Result<Vec<String>, String> {
    let mut breaches = Vec::new();
    for (name, most) in MAX_LINES {
        let n_lines = read(root, name)?.lines().count();
        if n_lines > most {
            breaches.push(format!("{name} has {n_lines} lines, {most} at most: move what explains to docs/"));
        }
    }
    Ok(breaches)
}

impl Sources {
    fn read(root: &Path) -> Result<Sources, String> {
        let mut sources = Vec::new();
        let mut crates = names_in(root, "crates")?;
        crates.extend(code_map::OTHER_CRATES.map(str::to_owned));
        let mut pending: Vec<String> = crates.into_iter().map(|path| format!("{path}/src")).collect();
        while let Some(folder) = pending.pop() {
            for path in names_in(root, &folder).unwrap_or_default() {
                if root.join(&path).is_dir() {
                    pending.push(path);
                } else if path.ends_with(".rs") && !path.ends_with("tests.rs") {
                    let text = read(root, &path)?;
                    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
                    sources.push(Source { path, text });
                }
            }
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Sources(sources))
    }

    fn folders_have_room(&self) -> Vec<String> {
        let mut modules: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for source in &self.0 {
            let mut path = source.path.trim_end_matches("/mod.rs").trim_end_matches(".rs");
            while let Some((folder, module)) = path.rsplit_once('/').filter(|(folder, _)| folder.contains("/src")) {
                modules.entry(folder).or_default().insert(module);
                path = folder;
            }
        }
        let is_full = |(folder, modules): &(&str, BTreeSet<&str>)| {
            modules.iter().filter(|module| !["lib", "main"].contains(module)).count() > MAX_MODULES
                && !ROWS.contains(folder)
        };
        let full = modules.into_iter().filter(is_full);
        full.map(|(folder, modules)| format!("{folder} has {} modules: give some of them a folder", modules.len()))
            .collect()
    }

    fn files_are_short(&self) -> Vec<String> {
        let lengths = self.0.iter().map(|source| (&source.path, source.text.lines().count()));
        let long = lengths.filter(|(_, n_lines)| *n_lines > MAX_SOURCE_LINES);
        long.map(|(path, n_lines)| {
            format!("{path} has {n_lines} lines, {MAX_SOURCE_LINES} at most: it holds two things")
        })
        .collect()
    }

    fn folders_keep_their_direction(&self) -> Vec<String> {
        let mut breaches = Vec::new();
        for (krate, order) in DIRECTIONS {
            let place = |module: &str| order.iter().position(|known| *known == module);
            for source in &self.0 {
                let path = source.path.trim_start_matches("crates/");
                let Some(rest) = path.strip_prefix(&format!("{krate}/src/")) else { continue };
                let Some(here) = place(rest.split(['/', '.']).next().unwrap_or_default()) else { continue };
                let used =
                    imported(&source.text).into_iter().filter(|used| place(used).is_some_and(|used| used > here));
                breaches.extend(used.map(|used| format!("{} uses `{used}`, which stands above it", source.path)));
            }
        }
        breaches
    }

    fn files_say_what_they_are(&self) -> Vec<String> {
        let silent = self.0.iter().filter(|source| {
            let first = source.text.lines().next().unwrap_or_default().strip_prefix("//! ").unwrap_or_default();
            first.split_whitespace().count() < 2
        });
        silent.map(|source| format!("{} does not open with a `//!` line that says what it is", source.path)).collect()
    }

    /// Of the product: a measurement may have a trial, a record or a finding of its own.
    fn public_types_have_names_of_their_own(&self) -> Vec<String> {
        let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let is_asked = |source: &&Source| !source.path.contains("elsewhere") && !source.path.starts_with("bench/");
        for source in self.0.iter().filter(is_asked) {
            for name in source.text.lines().filter_map(public_type) {
                places.entry(name).or_default().push(&source.path);
            }
        }
        let shared = places.into_iter().filter(|(_, places)| places.len() > 1);
        shared.map(|(name, places)| format!("`{name}` is the name of two types: {}", places.join(", "))).collect()
    }

    fn decisions_and_modules_name_each_other(&self, root: &Path) -> Result<Vec<String>, String> {
        let mut breaches = Vec::new();
        let mut named = BTreeSet::new();
        for path in names_in(root, "docs/decisions")?.into_iter().filter(|path| !path.ends_with("README.md")) {
            let text = read(root, &path)?;
            let modules = text.lines().find_map(|line| line.strip_prefix("- Modules: ")).unwrap_or_default();
            for module in modules.split('`').filter(|part| part.contains('/')) {
                let source = self.0.iter().find(|source| source.path == module);
                if !source.is_some_and(|source| source.text.contains(&path)) {
                    breaches.push(format!("{path} names {module}, which does not name it"));
                }
                named.insert((module.to_owned(), path.clone()));
            }
        }
        for source in &self.0 {
            let mentions = source.text.split('`').filter(|part| part.starts_with("docs/decisions/"));
            let lost = mentions.filter(|path| !named.contains(&(source.path.clone(), (*path).to_owned())));
            breaches.extend(lost.map(|path| format!("{} names {path}, which does not name it", source.path)));
        }
        Ok(breaches)
    }
}

/// The first segments of all paths into the crate itself.
fn imported(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    paths.map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()).collect()
}

/// The name of the public type that a line defines.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let (_, name) =
        rest.split_once(' ').filter(|(kind, _)| ["struct", "enum", "trait", "type", "union"].contains(kind))?;
    name.split(|c: char| !c.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

fn names_in(root: &Path, folder: &str) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("cannot read {folder}: {error}");
    let entries = fs::read_dir(root.join(folder)).map_err(failed)?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy())).collect();
    names.sort();
    Ok(names)
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> Sources {
        Sources(
            files.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect(),
        )
    }

    #[test]
    fn a_folder_with_too_many_modules_is_full_unless_they_are_rows() {
        let files = |folder: &str| -> Vec<Source> {
            let file = |n| Source { path: format!("{folder}/m{n}.rs"), text: String::new() };
            (0..=MAX_MODULES).map(file).collect()
        };
        assert_eq!(Sources(files("crates/a/src/b")).folders_have_room().len(), 1);
        assert!(Sources(files(ROWS[0])).folders_have_room().is_empty());
        assert!(Sources(files("crates/a/src/b").into_iter().skip(1).collect()).folders_have_room().is_empty());
    }

    #[test]
    fn a_file_with_too_many_lines_is_named_with_their_number() {
        let (full, long) = ("//\n".repeat(MAX_SOURCE_LINES), "//\n".repeat(MAX_SOURCE_LINES + 1));
        let breaches = sources(&[("a.rs", &full), ("b.rs", &long)]).files_are_short();
        assert_eq!(breaches, ["b.rs has 501 lines, 500 at most: it holds two things"]);
    }

    #[test]
    fn tests_of_a_file_are_not_read() {
        let root = tempfile::tempdir().unwrap();
        for krate in ["crates/a", "bench", "xtask"] {
            let folder = root.path().join(krate).join("src");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("b.rs"), "//! One b\n\n#[cfg(test)]\nmod tests {\n}\n").unwrap();
            fs::write(folder.join("b_tests.rs"), "//! Tests of b\n").unwrap();
        }
        let read = Sources::read(root.path()).unwrap();
        let read: Vec<_> = read.0.iter().map(|source| (source.path.as_str(), source.text.as_str())).collect();
        let expected = ["bench/src/b.rs", "crates/a/src/b.rs", "xtask/src/b.rs"].map(|path| (path, "//! One b\n\n"));
        assert_eq!(read, expected);
    }

    #[test]
    fn what_stands_below_uses_nothing_above_it() {
        let text = "//! a\nuse crate::drive::search_run::Driven;\n// crate::run is not code\n";
        let breaches = sources(&[("crates/provoke-run/src/confirm/judge.rs", text)]).folders_keep_their_direction();
        assert_eq!(breaches, ["crates/provoke-run/src/confirm/judge.rs uses `drive`, which stands above it"]);
        let fine = sources(&[("crates/provoke-run/src/drive/growth.rs", "use crate::confirm::judge::Judge;")]);
        assert!(fine.folders_keep_their_direction().is_empty());
        let beside = sources(&[("bench/src/support/table.rs", "use crate::corpus::bug::Bug;")]);
        assert_eq!(beside.folders_keep_their_direction().len(), 1);
    }

    #[test]
    fn a_file_opens_with_more_than_its_name() {
        let breaches = sources(&[("a.rs", "//! A rule\n"), ("b.rs", "//! Rules\n"), ("c.rs", "use a;\n")]);
        assert_eq!(breaches.files_say_what_they_are().len(), 2);
    }

    #[test]
    fn no_two_public_types_have_one_name() {
        let text = "pub struct Rule {\n    pub enum_like: u8,\n}\npub(crate) struct Own;\n";
        let breaches = sources(&[("a.rs", text), ("b.rs", text)]).public_types_have_names_of_their_own();
        assert_eq!(breaches, ["`Rule` is the name of two types: a.rs, b.rs"]);
        let measured = sources(&[("a.rs", text), ("bench/src/b.rs", text)]);
        assert!(measured.public_types_have_names_of_their_own().is_empty());
    }

    #[test]
    fn a_decision_and_a_module_that_do_not_know_each_other_are_told() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("docs/decisions")).unwrap();
        fs::write(root.path().join("docs/decisions/001-a.md"), "# A\n\n- Modules: `crates/x/src/a.rs`\n").unwrap();
        let silent = sources(&[("crates/x/src/a.rs", "//! A module\n"), ("b.rs", "//! `docs/decisions/001-a.md`\n")]);
        assert_eq!(silent.decisions_and_modules_name_each_other(root.path()).unwrap().len(), 2);
        let both = sources(&[("crates/x/src/a.rs", "//! Decision: `docs/decisions/001-a.md`\n")]);
        assert!(both.decisions_and_modules_name_each_other(root.path()).unwrap().is_empty());
    }
}
