//! Which file lists the bugs. The repository holds none, so one that was named once need not be named again.

use std::fs;
use std::path::{Path, PathBuf};

/// Names the file to whoever does not want to name it in each command.
const VARIABLE: &str = "PROVOKE_CORPUS";
/// Holds the path of the last one, in the directory of corpus runs.
const MEMORY: &str = "file";

/// The file that was asked for, that of the environment, or that of the last run.
pub fn find(named: Option<&Path>, directory: &Path) -> Result<PathBuf, String> {
    let of_environment = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    choose(named, of_environment, directory)
}

fn choose(named: Option<&Path>, of_environment: Option<PathBuf>, directory: &Path) -> Result<PathBuf, String> {
    let last = || fs::read_to_string(directory.join(MEMORY)).ok().map(PathBuf::from);
    let file = named.map(Path::to_owned).or(of_environment).or_else(last);
    file.ok_or(format!("`corpus` needs a file of bugs, named in the command or by {VARIABLE}"))
}

/// Lets the next run go without a name.
pub fn remember(file: &Path, directory: &Path) -> Result<(), String> {
    let path = directory.join(MEMORY);
    let unwritable = |error| format!("cannot write {}: {error}", path.display());
    let file = file.canonicalize().map_err(|error| format!("cannot find {}: {error}", file.display()))?;
    fs::create_dir_all(directory).map_err(unwritable)?;
    // A path that is no text has to be named each time.
    file.to_str().map_or(Ok(()), |file| fs::write(&path, file).map_err(unwritable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_goes_before_the_environment_and_that_before_the_last_run() {
        let directory = tempfile::tempdir().expect("a directory");
        let runs = directory.path().join("corpus");
        assert!(choose(None, None, &runs).is_err());
        let file = directory.path().join("bugs.toml");
        fs::write(&file, "").expect("writable");
        remember(&file, &runs).expect("writable");
        assert_eq!(choose(None, None, &runs), file.canonicalize().map_err(|error| error.to_string()));
        assert_eq!(choose(None, Some("other.toml".into()), &runs), Ok("other.toml".into()));
        assert_eq!(choose(Some("a.toml".as_ref()), Some("other.toml".into()), &runs), Ok("a.toml".into()));
    }
}
