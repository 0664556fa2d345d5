//! Private working directories: each new process finds its own one empty.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The directory of the `nth` place at which processes run one after the other. All names have the same length, so that what
/// code under test does with them depends as little as possible on which one it got.
pub(crate) fn nth(root: &Path, nth: usize) -> PathBuf {
    root.join(format!("{nth:04}"))
}

/// Makes it exist and be empty. Costs little where nothing was left in it.
pub(crate) fn make_empty(directory: &Path) -> io::Result<()> {
    match fs::read_dir(directory) {
        Ok(mut entries) => {
            if entries.next().is_none() {
                return Ok(());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::create_dir_all(directory),
        Err(_) => {}
    }
    // Nobody but a process without a sandbox can have taken the permissions away.
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    remove(directory)?;
    fs::create_dir_all(directory)
}

/// Whatever it is.
fn remove(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_empty_whatever_was_there() {
        let root = tempfile::tempdir().unwrap();
        let directory = nth(root.path(), 7);
        make_empty(&directory).unwrap();
        fs::create_dir(directory.join("a")).unwrap();
        fs::write(directory.join("a/b"), "c").unwrap();
        let outside = root.path().join("outside");
        fs::write(&outside, "kept").unwrap();
        std::os::unix::fs::symlink(&outside, directory.join("link")).unwrap();
        make_empty(&directory).unwrap();
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        fs::remove_dir(&directory).unwrap();
        std::os::unix::fs::symlink(&outside, &directory).unwrap();
        make_empty(&directory).unwrap();
        assert!(directory.symlink_metadata().unwrap().is_dir());
        assert_eq!(fs::read_to_string(&outside).unwrap(), "kept");
    }
}
