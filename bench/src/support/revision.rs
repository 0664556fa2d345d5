//! Which state of the tool a result belongs to: a commit, or an executable.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::workspace_root;

/// What the tool is made of.
const SOURCES: [&str; 3] = ["crates", "Cargo.toml", "Cargo.lock"];

/// Ends the name of what is no commit any more.
const CHANGED: &str = "-changed";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The last commit that changed the tool, shortened; marked if its sources differ from it. Or `tool-` and a digest.
    pub name: String,
    /// The name says all, so that results under it can be used again.
    pub says_all: bool,
}

impl Revision {
    pub fn of_repository() -> Result<Revision, String> {
        let about_sources = |args: &[&str]| git(&[args, &["--"], &SOURCES].concat());
        let commit = about_sources(&["rev-list", "--abbrev-commit", "--abbrev=12", "--max-count=1", "HEAD"])?;
        Ok(Revision::new(commit.trim(), &about_sources(&["status", "--porcelain"])?))
    }

    fn new(commit: &str, changes: &str) -> Revision {
        let says_all = changes.trim().is_empty();
        let name = if says_all { commit.to_owned() } else { format!("{commit}{CHANGED}") };
        Revision { name, says_all }
    }

    /// That of an executable, wherever it comes from; `digest` is its own.
    pub fn of_tool(digest: &str) -> Revision {
        Revision { name: format!("tool-{}", digest.get(..12).unwrap_or(digest)), says_all: true }
    }

    /// Whether results under this name are all of the same state.
    pub fn can_be_compared(name: &str) -> bool {
        !name.ends_with(CHANGED)
    }
}

/// The same for the same contents, and for no others.
pub fn digest(file: &Path) -> Result<String, String> {
    let args = ["hash-object", "--no-filters", "--"].map(OsStr::new);
    Ok(git(&[&args[..], &[file.as_os_str()]].concat())?.trim().to_owned())
}

fn git<A: AsRef<OsStr>>(args: &[A]) -> Result<String, String> {
    let mut command = Command::new("git");
    command.current_dir(workspace_root()).args(args);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_sources_are_no_commit() {
        let name = |changes| Revision::new("0123456789ab", changes).name;
        assert_eq!(name("\n"), "0123456789ab");
        assert_eq!(name(" M crates/x.rs\n"), "0123456789ab-changed");
        let changed = Revision::new("0123456789ab", "?? crates/y.rs");
        assert!(!changed.says_all && !Revision::can_be_compared(&changed.name));
    }

    #[test]
    fn an_executable_is_told_by_its_contents() {
        let directory = tempfile::tempdir().expect("a directory");
        let of = |name: &str, contents: &str| {
            let file = directory.path().join(name);
            std::fs::write(&file, contents).expect("writable");
            Revision::of_tool(&digest(&file).expect("readable"))
        };
        let one = of("one", "\r\n");
        assert_eq!(one, of("same", "\r\n"));
        assert_ne!(one, of("other", "\n"));
        assert!(one.says_all && Revision::can_be_compared(&one.name));
        assert!(digest(&directory.path().join("none")).is_err());
    }
}
