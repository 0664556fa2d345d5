//! What can go wrong between the tool and cargo: one line for the user, a hint, and a class that gives the exit code.

use std::io;
use std::path::{Path, PathBuf};

const DISK_FULL_HINT: &str = "free some space, or set CARGO_TARGET_DIR to a directory on another disk";

/// Who has to do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The command line or its surroundings are wrong.
    Usage,
    /// There is no library whose functions could be called.
    NothingToTest,
    /// The crate under test does not compile or cannot be resolved.
    DoesNotBuild,
    /// A bug in Provoke, or a machine that misbehaves.
    Internal,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl ErrorClass {
    pub fn exit_code(self) -> i32 {
        match self {
            ErrorClass::Usage => 1,
            ErrorClass::NothingToTest => 4,
            ErrorClass::Internal => 70,
            ErrorClass::DoesNotBuild => 101,
            ErrorClass::Interrupted => 130,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum CargoError {
    #[error("no Cargo.toml in `{}` or any directory above it", .directory.display())]
    NoManifest { directory: PathBuf },
    #[error("`{}` is not a Cargo.toml that can be read", .path.display())]
    NotAManifest { path: PathBuf },
    /// Cargo's own words, without its `error: `.
    #[error("cargo cannot read the manifest: {message}")]
    BrokenManifest { message: String },
    #[error("no package `{name}` in this workspace")]
    UnknownPackage { name: String, similar: Vec<String> },
    #[error("`--exclude` only works together with `--workspace`")]
    ExcludeWithoutWorkspace,
    #[error("no selected package has a feature `{name}`")]
    UnknownFeature { name: String, similar: Vec<String> },
    #[error("package `{package}` is not a library: {what}")]
    NotALibrary { package: String, what: &'static str },
    #[error("package `{package}` is a procedural macro, which runs inside the compiler")]
    ProcMacro { package: String },
    #[error("every package of the workspace is excluded or has no library")]
    NoLibraryInWorkspace,
    #[error("no crate `{name}` in the registry")]
    UnknownCrate { name: String, similar: Vec<String> },
    #[error("crate `{name}` has no version `{version}`")]
    UnknownVersion {
        name: String,
        version: String,
        available: Vec<String>,
        /// Those that their owners took back.
        yanked: Vec<String>,
    },
    #[error("`{program}` cannot be run: {source}")]
    ProgramNotFound { program: String, source: io::Error },
    #[error("`{program}` says: {message}")]
    ToolFailed { program: String, message: String },
    #[error("cannot reach the registry: {message}")]
    NoNetwork { message: String },
    #[error("package `{package}` does not build:\n{message}")]
    DoesNotBuild { package: String, message: String },
    #[error("package `{package}` cannot run in a program of its own: {message}")]
    CannotBeLinked { package: String, message: String },
    #[error("package `{package}` cannot be linked into a program:\n{message}")]
    LinkFailed { package: String, message: String },
    #[error("the crate cannot be built with AddressSanitizer:\n{message}")]
    NoSanitizer { message: String },
    #[error("no space is left on the disk:\n{message}")]
    DiskFull { message: String },
    #[error("cannot write `{}`: {source}", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("workers run on Linux only, and this is {}", std::env::consts::OS)]
    UnsupportedSystem,
    #[error("interrupted")]
    Interrupted,
    #[error("{message}")]
    Internal { message: String },
}

impl CargoError {
    pub fn class(&self) -> ErrorClass {
        match self {
            CargoError::NoManifest { .. }
            | CargoError::NotAManifest { .. }
            | CargoError::BrokenManifest { .. }
            | CargoError::UnknownPackage { .. }
            | CargoError::ExcludeWithoutWorkspace
            | CargoError::UnknownFeature { .. }
            | CargoError::UnknownCrate { .. }
            | CargoError::UnknownVersion { .. }
            | CargoError::ProgramNotFound { .. }
            | CargoError::ToolFailed { .. }
            | CargoError::NoNetwork { .. }
            | CargoError::NoSanitizer { .. }
            | CargoError::DiskFull { .. }
            | CargoError::Unwritable { .. }
            | CargoError::Unreadable { .. }
            | CargoError::UnsupportedSystem => ErrorClass::Usage,
            CargoError::NotALibrary { .. }
            | CargoError::ProcMacro { .. }
            | CargoError::NoLibraryInWorkspace
            | CargoError::CannotBeLinked { .. } => ErrorClass::NothingToTest,
            CargoError::DoesNotBuild { .. } | CargoError::LinkFailed { .. } => ErrorClass::DoesNotBuild,
            CargoError::Interrupted => ErrorClass::Interrupted,
            CargoError::Internal { .. } => ErrorClass::Internal,
        }
    }

    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            CargoError::NoManifest { .. } => {
                "run it inside a library crate, or pass `--manifest-path` or `--crate NAME`".into()
            }
            CargoError::NotAManifest { .. } => "`--manifest-path` takes the path of a file named Cargo.toml".into(),
            CargoError::BrokenManifest { .. } => "`cargo check` should accept it first".into(),
            CargoError::UnknownPackage { similar, .. } => {
                did_you_mean(similar, "`cargo metadata --no-deps` lists the packages")
            }
            CargoError::ExcludeWithoutWorkspace => "add `--workspace`".into(),
            CargoError::UnknownFeature { similar, .. } => {
                did_you_mean(similar, "the features are in the crate's Cargo.toml")
            }
            CargoError::NotALibrary { .. } => {
                "only a library has a public API to call; move the code to src/lib.rs".into()
            }
            CargoError::ProcMacro { .. } => "put the logic into an ordinary library crate and test that".into(),
            CargoError::NoLibraryInWorkspace => "name a library with `-p`".into(),
            CargoError::UnknownCrate { similar, .. } => did_you_mean(similar, "look the name up in the registry"),
            CargoError::UnknownVersion { available, yanked, name, .. } => {
                if let [newest, others @ ..] = yanked.as_slice() {
                    let were = if others.is_empty() { "was" } else { "were" };
                    let all = yanked.join(", ");
                    format!("{all} {were} yanked; with `--crate {name}@{newest}` that is tested all the same")
                } else if available.is_empty() {
                    format!("`--crate {name}` takes the newest version")
                } else {
                    format!("the newest versions are {}", available.join(", "))
                }
            }
            CargoError::ProgramNotFound { .. } => {
                "install Rust from https://rustup.rs and see that it is on PATH".into()
            }
            CargoError::ToolFailed { .. } => return None,
            CargoError::NoNetwork { .. } => {
                "check the connection, or pass `--offline` if everything was downloaded before".into()
            }
            CargoError::DoesNotBuild { .. } => "`cargo build` in the crate should succeed first".into(),
            CargoError::CannotBeLinked { .. } => "switch off the feature that defines it, if there is one".into(),
            CargoError::LinkFailed { .. } => {
                "install the libraries that the linker misses; `cargo test` in the crate should link first".into()
            }
            CargoError::NoSanitizer { .. } => {
                "AddressSanitizer takes a toolchain and a platform that have it; `--sanitizer none` does without".into()
            }
            CargoError::DiskFull { .. } => DISK_FULL_HINT.into(),
            CargoError::Unwritable { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                DISK_FULL_HINT.into()
            }
            CargoError::Unwritable { .. } => "set CARGO_TARGET_DIR to a directory that can be written".into(),
            CargoError::Unreadable { .. } => "check that the file exists and its permissions".into(),
            CargoError::UnsupportedSystem => "use a Linux machine or container".into(),
            CargoError::Interrupted => return None,
            CargoError::Internal { .. } => "this is a bug in Provoke; please report it".into(),
        })
    }

    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> CargoError {
        let path = path.to_path_buf();
        move |source| CargoError::Unwritable { path, source }
    }

    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> CargoError {
        let path = path.to_path_buf();
        move |source| CargoError::Unreadable { path, source }
    }
}

/// The line in which a program says that it could not write because the disk is full.
pub fn disk_full_line(text: &str) -> Option<&str> {
    let is_about_it = |line: &&str| {
        let line = line.trim_end();
        line.ends_with("No space left on device")
            || line.contains("(os error 28)")
            || line.contains("(os error 122)")
            // A linker that maps its output into memory is only told by a signal that there is no room for a page of it.
            || line.contains("terminated with signal 7 [Bus error]")
    };
    text.lines().find(is_about_it).map(str::trim)
}

fn did_you_mean(similar: &[String], otherwise: &str) -> String {
    match similar {
        [] => otherwise.into(),
        names => {
            let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
            format!("did you mean {}?", quoted.join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_known_by_its_words_and_is_nobodys_bug() {
        let texts = [
            "error: failed to write x.rmeta: No space left on device (os error 28)\n",
            "Caused by:\n  No space left on device (os error 28)",
            "ld: final link failed: No space left on device\ncollect2: error",
            "Disk quota exceeded (os error 122)",
            "collect2: fatal error: ld terminated with signal 7 [Bus error]\ncompilation terminated.",
        ];
        for text in texts {
            assert!(disk_full_line(text).is_some(), "{text}");
        }
        assert_eq!(disk_full_line("12 |     \"No space left on device\".into()"), None);
        let source = io::Error::from(io::ErrorKind::StorageFull);
        let unwritable = CargoError::unwritable(Path::new("x"))(source);
        for error in [CargoError::DiskFull { message: "x".into() }, unwritable] {
            assert_eq!(error.class().exit_code(), 1);
            assert!(error.hint().unwrap().contains("free some space"));
        }
    }
}
