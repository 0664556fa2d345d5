//! The code map of `ARCHITECTURE.md` against the code.
//!
//! The map is every list item that opens with a path in backquotes,
//!
//! ```text
//! - `crates/provoke-engine`: the search, verdicts and the minimiser
//!   - `crates/provoke-engine/src/program`: programs as data
//! ```
//!
//! Every crate (`crates/*`, `bench`, `xtask`) and every folder of source files below a crate's `src` must be
//! listed once, and everything listed must exist. Files are not listed: each opens with a line that
//! says what it is. Other items (no `/` in the backquotes, and neither `bench` nor `xtask`) are not part
//! of the map.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Crates beside those in `crates`.
pub const OTHER_CRATES: [&str; 2] = ["bench", "xtask"];

/// One way in which map and code differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// In the code but not in the map.
    Unlisted(String),
    /// In the map but not in the code.
    Missing(String),
    /// In the map more than once.
    Repeated(String),
}

/// How the code map of the workspace at `root` differs from its code.
pub fn differences(root: &Path) -> Result<Vec<Difference>, String> {
    let map_path = root.join("ARCHITECTURE.md");
    let text = fs::read_to_string(&map_path).map_err(|error| format!("cannot read {}: {error}", map_path.display()))?;
    let mut listed = BTreeSet::new();
    let mut differences = Vec::new();
    for path in text.lines().filter_map(listed_path) {
        if !listed.insert(path) {
            differences.push(Difference::Repeated(path.to_owned()));
        } else if !root.join(path).exists() {
            differences.push(Difference::Missing(path.to_owned()));
        }
    }
    let expected = expected_paths(root)?.into_iter();
    let unlisted = expected.filter(|path| !listed.contains(path.as_str()));
    differences.extend(unlisted.map(Difference::Unlisted));
    differences.sort();
    Ok(differences)
}

/// The differences as a person wants to read them.
pub fn describe(differences: &[Difference]) -> String {
    let mut text = String::from("the code map of ARCHITECTURE.md and the code differ:\n");
    for difference in differences {
        text += &match difference {
            Difference::Unlisted(path) => format!("  not in the map:      {path}\n"),
            Difference::Missing(path) => format!("  does not exist:      {path}\n"),
            Difference::Repeated(path) => format!("  more than once:      {path}\n"),
        };
    }
    text += "hint: the map is made of lines like \"- `crates/provoke-engine/src/program`: ...\"";
    text
}

/// The path that a line of the map opens with.
fn listed_path(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("- `")?;
    let (path, _) = item.split_once('`')?;
    let path = path.trim_end_matches('/');
    let is_path = OTHER_CRATES.contains(&path) || path.contains('/') && !path.contains([' ', ':', '<', '*']);
    is_path.then_some(path)
}

/// Every crate and every folder of source files that has to be listed.
fn expected_paths(root: &Path) -> Result<Vec<String>, String> {
    let mut crates = entries(root, "crates")?;
    crates.extend(OTHER_CRATES.map(str::to_owned));
    crates.retain(|path| root.join(path).join("Cargo.toml").exists());
    let mut expected = Vec::new();
    for path in crates {
        let sources = format!("{path}/src");
        let mut pending = vec![sources.clone()];
        while let Some(folder) = pending.pop() {
            let entries = entries(root, &folder)?;
            if folder != sources && entries.iter().any(|entry| entry.ends_with(".rs")) {
                expected.push(folder);
            }
            pending.extend(entries.into_iter().filter(|entry| root.join(entry).is_dir()));
        }
        expected.push(path);
    }
    Ok(expected)
}

/// What is in a folder, as paths from the root with forward slashes.
fn entries(root: &Path, folder: &str) -> Result<Vec<String>, String> {
    let cannot_read = |error| format!("cannot read {folder}: {error}");
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(folder)).map_err(cannot_read)? {
        let name = entry.map_err(cannot_read)?.file_name();
        paths.push(format!("{folder}/{}", name.to_string_lossy()));
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A workspace with one crate of one folder, and this map.
    fn workspace(map: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("temporary folder");
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folder");
            fs::write(path, text).expect("file");
        };
        write("crates/one/Cargo.toml", "");
        write("crates/one/src/lib.rs", "");
        write("crates/one/src/deep/er.rs", "");
        write("crates/one/tests/not_mapped.rs", "");
        write("crates/left_over/target/file", "");
        write("ARCHITECTURE.md", map);
        root
    }

    #[test]
    fn a_complete_map_has_no_differences() {
        let root = workspace(
            "- `crates/one`: a crate\n  - `crates/one/src/deep`: deep\n\
             - `Program`: a term\n- `trait Executor / Oracle`: words\n",
        );
        assert_eq!(differences(root.path()), Ok(vec![]));
    }

    #[test]
    fn every_kind_of_difference_is_named() {
        let root = workspace("- `crates/one/`: a crate\n- `crates/one`: again\n- `crates/two/src/gone`: gone\n");
        let differences = differences(root.path()).expect("readable");
        assert_eq!(
            differences,
            [
                Difference::Unlisted("crates/one/src/deep".to_owned()),
                Difference::Missing("crates/two/src/gone".to_owned()),
                Difference::Repeated("crates/one".to_owned()),
            ]
        );
        let text = describe(&differences);
        assert!(text.contains("not in the map:      crates/one/src/deep\n"));
        assert!(text.contains("does not exist:      crates/two/src/gone\n"));
    }

    #[test]
    fn a_workspace_without_a_map_is_an_error() {
        let root = tempfile::tempdir().expect("temporary folder");
        let message = differences(root.path()).expect_err("no map");
        assert!(message.starts_with("cannot read"), "{message}");
    }
}
