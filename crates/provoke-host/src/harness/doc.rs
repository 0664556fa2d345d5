//! The public API as rustdoc JSON.
//!
//! Decision: `docs/decisions/008-rustdoc-documents-private-items.md`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use cargo_metadata::{Message, TargetKind};

use crate::cache::{Fingerprint, make_directory, write_whole};
use crate::cargo::diagnostic::parse;
use crate::cargo::invocation::{explain, stream, tool};
use crate::error::CargoError;
use crate::harness::HarnessDir;
use crate::harness::dependencies::Dependency;
use crate::harness::wrapper::{REAL_RUSTDOC, RUSTDOC_OUT, SPECIFIED};

/// The API of a target, and the compiled crates that rustdoc saw it with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documented {
    pub json: PathBuf,
    pub libraries: Vec<Library>,
}

/// A compiled crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    pub package_id: String,
    pub files: Vec<PathBuf>,
}

/// One run of rustdoc.
struct Subject<'a> {
    package_id: &'a str,
    crate_name: &'a str,
    directory: PathBuf,
}

impl HarnessDir {
    /// Documents the target.
    ///
    /// `wrapper` is an executable whose `main` starts with [`run_as_wrapper_if_asked`](crate::run_as_wrapper_if_asked),
    /// normally the tool itself.
    pub fn rustdoc_json(&self, wrapper: &Path) -> Result<Documented, CargoError> {
        self.document(
            wrapper,
            &Subject {
                package_id: &self.target.package_id,
                crate_name: &self.target.crate_name,
                directory: self.target.output_directory().join("doc"),
            },
        )
    }

    /// Documents a dependency, unless that was done before, and returns the path of the JSON.
    ///
    /// `library` is what it was compiled to: the names of its files tell one version, set of features and toolchain from
    /// another.
    pub fn rustdoc_json_of(
        &self,
        wrapper: &Path,
        dependency: &Dependency,
        library: &Library,
    ) -> Result<PathBuf, CargoError> {
        let name = format!("{}-{}", dependency.package_name, dependency.version);
        let directory = self.target.output_directory().join("doc").join("dependencies").join(name);
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(dependency.package_id.as_bytes());
        for file in &library.files {
            fingerprint.add(file.to_string_lossy().as_bytes());
        }
        if let Some(root) = &dependency.local_root {
            fingerprint.add_tree(root);
        }
        let state = fingerprint.to_string();
        let state_file = directory.join("state");
        let json = directory.join(format!("{}.json", dependency.crate_name));
        if json.exists() && fs::read_to_string(&state_file).is_ok_and(|known| known == state) {
            return Ok(json);
        }
        let _ = fs::remove_file(&state_file);
        let subject = Subject { package_id: &dependency.package_id, crate_name: &dependency.crate_name, directory };
        let documented = self.document(wrapper, &subject)?;
        write_whole(&state_file, state.as_bytes())?;
        Ok(documented.json)
    }

    fn document(&self, wrapper: &Path, subject: &Subject<'_>) -> Result<Documented, CargoError> {
        make_directory(&subject.directory)?;
        let json = subject.directory.join(format!("{}.json", subject.crate_name));
        // Whatever lies there may belong to another version or other features.
        let _ = fs::remove_file(&json);
        let mut libraries = self.run_rustdoc(self.rustdoc(wrapper, subject))?;
        if !json.exists() {
            // Cargo found its last run fresh, and did nothing. An argument that it has not seen before makes it run.
            let mut again = self.rustdoc(wrapper, subject);
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            again.arg(format!("--cfg=provoke_rustdoc_{}", now.as_nanos()));
            libraries = self.run_rustdoc(again)?;
        }
        if json.exists() {
            Ok(Documented { json, libraries })
        } else {
            Err(CargoError::Internal { message: format!("rustdoc did not write `{}`", json.display()) })
        }
    }

    fn rustdoc(&self, wrapper: &Path, subject: &Subject<'_>) -> Command {
        let (directory, package) = (self.target.build_directory(), subject.package_id);
        // Contracts are no part of the API; specifications are read from it.
        let mut command = match self.target.uses_provoke {
            true => self.cargo_into(&directory, "rustdoc", package),
            false => self.unchecked_cargo(&directory, "rustdoc", package),
        };
        command
            .env("RUSTDOC", wrapper)
            .env(REAL_RUSTDOC, tool("RUSTDOC", "rustdoc"))
            .env(RUSTDOC_OUT, &subject.directory)
            .args(["--lib", "--message-format", "json-render-diagnostics"])
            .args(["--", "-Z", "unstable-options", "--output-format", "json"])
            .args(["--cap-lints", "allow"]);
        if subject.package_id == self.target().package_id {
            // Impls of sealed traits tell which types they are meant for, and types without a public path have methods.
            command.arg("--document-private-items");
            if self.target.uses_provoke {
                command.args(SPECIFIED);
            }
        }
        command
    }

    fn run_rustdoc(&self, command: Command) -> Result<Vec<Library>, CargoError> {
        let mut libraries = Vec::new();
        let answer = stream(command, &self.cargo_context, Some(&self.log_file), &mut |line| {
            if let Some(Message::CompilerArtifact(artifact)) = parse(line)
                && !artifact.target.kind.contains(&TargetKind::CustomBuild)
            {
                libraries.push(Library {
                    package_id: artifact.package_id.repr,
                    files: artifact.filenames.into_iter().map(|file| file.into_std_path_buf()).collect(),
                });
            }
        })?;
        if answer.is_success { Ok(libraries) } else { Err(explain(&answer.stderr, &self.target.package_name)) }
    }
}
