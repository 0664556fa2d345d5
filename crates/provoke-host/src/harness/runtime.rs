//! The runtime that every harness is built with, carried inside the tool so that nothing has to be downloaded.

use std::path::Path;

use toml::{Table, Value};

use crate::cache::{Fingerprint, mirror, write_if_changed};
use crate::error::CargoError;

/// The crate name under which harness code finds the executor.
pub const RUNTIME_CRATE: &str = "provoke_exec";

struct RuntimeFile {
    package: &'static str,
    path: &'static str,
    text: &'static str,
}

const FILES: &[RuntimeFile] = include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The packages of the runtime. In a harness they have names that no target has, because a lock file cannot hold two path
/// packages of one name; their libraries keep their names.
const PACKAGES: [RuntimePackage; 2] = [
    RuntimePackage { directory: "provoke-wire", name: "provoke-runtime-wire", library: "provoke_wire" },
    RuntimePackage { directory: "provoke-exec", name: "provoke-runtime-exec", library: RUNTIME_CRATE },
];

pub(crate) struct RuntimePackage {
    /// Of the sources here, and below `runtime/` in the harness.
    pub(crate) directory: &'static str,
    pub(crate) name: &'static str,
    pub(crate) library: &'static str,
}

impl RuntimePackage {
    pub(crate) fn all() -> &'static [RuntimePackage] {
        &PACKAGES
    }

    pub(crate) fn executor() -> &'static RuntimePackage {
        &PACKAGES[1]
    }

    /// The embedded text, so that what is made of another runtime counts as something else.
    pub(crate) fn add_to(&self, fingerprint: &mut Fingerprint) {
        for file in FILES.iter().filter(|file| file.package == self.directory) {
            fingerprint.add(file.path.as_bytes());
            fingerprint.add(file.text.as_bytes());
        }
    }

    fn manifest(&self) -> String {
        let mut table = Table::new();
        table.insert(
            "package".into(),
            Value::Table(Table::from_iter([
                ("name".into(), Value::from(self.name)),
                ("version".into(), Value::from("0.0.0")),
                ("edition".into(), Value::from("2024")),
                ("publish".into(), Value::from(false)),
            ])),
        );
        table.insert("lib".into(), Value::Table(Table::from_iter([("name".into(), Value::from(self.library))])));
        let wire = &PACKAGES[0];
        if self.name != wire.name {
            let dependency = Table::from_iter([("path".into(), Value::from(format!("../{}", wire.directory)))]);
            table.insert(
                "dependencies".into(),
                Value::Table(Table::from_iter([(wire.name.into(), Value::Table(dependency))])),
            );
        }
        table.to_string()
    }
}

/// Writes the packages of the runtime below `directory`.
pub(crate) fn write_runtime(directory: &Path) -> Result<(), CargoError> {
    for package in RuntimePackage::all() {
        let root = directory.join(package.directory);
        write_if_changed(&root.join("Cargo.toml"), package.manifest().as_bytes())?;
        let files: Vec<(&str, &[u8])> = FILES
            .iter()
            .filter(|file| file.package == package.directory)
            .map(|file| (file.path, file.text.as_bytes()))
            .collect();
        mirror(&root.join("src"), &files)?;
    }
    Ok(())
}

/// All of the embedded text, so that a harness built with another runtime counts as another harness.
pub fn add_runtime_to(fingerprint: &mut Fingerprint) {
    RuntimePackage::all().iter().for_each(|package| package.add_to(fingerprint));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_files_are_the_files_of_the_runtime() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut n_files = 0;
        for package in RuntimePackage::all() {
            let mut pending = vec![crates.join(package.directory).join("src")];
            while let Some(directory) = pending.pop() {
                for entry in std::fs::read_dir(directory).unwrap() {
                    let path = entry.unwrap().path();
                    if path.is_dir() {
                        pending.push(path);
                        continue;
                    }
                    let text = std::fs::read_to_string(&path).unwrap();
                    let embedded = FILES.iter().find(|f| f.package == package.directory && path.ends_with(f.path));
                    assert_eq!(embedded.map(|f| f.text), Some(text.as_str()), "{path:?}");
                    n_files += 1;
                }
            }
        }
        assert_eq!(n_files, FILES.len());
    }
}
