//! Build directories that are kept: one for each crate version, so that no version's harness takes the place of another's.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use crate::corpus::trial::Trial;

/// Holds the digest of the tool that was here last.
const STAMP: &str = "tool";

pub struct Builds {
    root: PathBuf,
    /// The digest of the executable that is going to build.
    tool: String,
}

impl Builds {
    pub fn new(root: PathBuf, tool: String) -> Builds {
        Builds { root, tool }
    }

    /// The build directory for a trial, which all its seeds share. What cargo built there is kept whatever the tool. The plan
    /// of another tool is not: its version may be the same, and the harness would be what that one made of the API.
    pub fn prepare(&self, trial: &Trial) -> Result<PathBuf, String> {
        let directory = self.root.join(trial.harness_name());
        let stamp = directory.join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|last| last == self.tool) {
            return Ok(directory);
        }
        let plans = directory.join("provoke").join(&trial.krate.name).join("cache");
        match fs::remove_dir_all(&plans) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(format!("cannot remove {}: {error}", plans.display()));
            }
            _ => {}
        }
        let unwritable = |error| format!("cannot write {}: {error}", stamp.display());
        fs::create_dir_all(&directory).map_err(unwritable)?;
        fs::write(&stamp, &self.tool).map_err(unwritable)?;
        Ok(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    const BUGS: &str = r#"
        bug = [
            { crate = "a", version = "1.0.0", function = ["a::f"], expect = "panic" },
            { crate = "a", version = "1.0.1", function = ["a::f"], expect = "panic" },
            { crate = "a", version = "1.0.1", function = ["a::f"], expect = "panic", build = "release" },
        ]
    "#;

    #[test]
    fn seeds_share_a_directory_and_versions_and_builds_do_not() {
        let root = tempfile::tempdir().expect("a directory");
        let builds = Builds::new(root.path().to_owned(), "new".to_owned());
        let trials = Trial::all(&bug::parse(BUGS).expect("valid"), &[0, 1]);
        let directories: Vec<PathBuf> = trials.iter().map(|trial| builds.prepare(trial).expect("writable")).collect();
        for pair in directories.chunks(2) {
            assert_eq!(pair[0], pair[1]);
        }
        assert!(directories[0] != directories[2] && directories[2] != directories[4]);
    }

    #[test]
    fn another_tool_plans_anew_and_keeps_what_is_compiled() {
        let root = tempfile::tempdir().expect("a directory");
        let builds = |tool: &str| Builds::new(root.path().to_owned(), tool.to_owned());
        let trial = Trial::all(&bug::parse(BUGS).expect("valid"), &[0]).remove(0);
        let directory = builds("old").prepare(&trial).expect("writable");
        let plan = directory.join("provoke/a/cache/plan.json");
        let library = directory.join("provoke/build/liba.rlib");
        for file in [&plan, &library] {
            fs::create_dir_all(file.parent().expect("a parent")).expect("writable");
            fs::write(file, "").expect("writable");
        }
        builds("old").prepare(&trial).expect("writable");
        assert!(plan.exists() && library.exists());
        builds("new").prepare(&trial).expect("writable");
        assert!(!plan.exists() && library.exists());
    }
}
