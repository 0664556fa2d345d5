//! Which state of the repository a result belongs to.

use std::process::Command;

use crate::workspace_root;

/// What the tool is made of.
const SOURCES: [&str; 3] = ["crates", "Cargo.toml", "Cargo.lock"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The last commit that changed the tool, shortened; marked if its sources differ from it.
    pub name: String,
    /// The commit says all, so that results under its name can be used again.
    pub is_commit: bool,
}

impl Revision {
    pub fn of_repository() -> Result<Revision, String> {
        let about_sources = |args: &[&str]| git(&[args, &["--"], &SOURCES].concat());
        let commit = about_sources(&["rev-list", "--abbrev-commit", "--abbrev=12", "--max-count=1", "HEAD"])?;
        Ok(Revision::new(commit.trim(), &about_sources(&["status", "--porcelain"])?))
    }

    fn new(commit: &str, changes: &str) -> Revision {
        let is_commit = changes.trim().is_empty();
        let name = if is_commit { commit.to_owned() } else { format!("{commit}-changed") };
        Revision { name, is_commit }
    }
}

fn git(args: &[&str]) -> Result<String, String> {
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
        assert!(!Revision::new("0123456789ab", "?? crates/y.rs").is_commit);
    }
}
