//! Which files of sources count where edges are counted.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cargo::target::Target;
use crate::harness::dependencies::Dependency;

/// Which files count: those in the directory of the target's package, without packages inside of it and without what is
/// built. So code that a build script wrote and the target includes is not counted: nobody wrote it, and nobody reads it. The
/// same holds for dependencies that are to be counted, too.
#[derive(Clone, Debug)]
pub struct CountedSources {
    package_root: PathBuf,
    target_directory: PathBuf,
    dependency_roots: Vec<PathBuf>,
}

impl CountedSources {
    pub(crate) fn of(target: &Target, dependencies: &[Dependency]) -> CountedSources {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        CountedSources {
            package_root: real(&target.package_root),
            target_directory: real(&target.target_directory),
            dependency_roots: dependencies.iter().map(|dependency| real(dependency.root())).collect(),
        }
    }

    /// The path in the target's package; of files outside of it, all of the path.
    pub(crate) fn counted(&self, path: &Path) -> Option<String> {
        let path = fs::canonicalize(path).ok()?;
        let mut roots = std::iter::once(&self.package_root).chain(&self.dependency_roots);
        if path.starts_with(&self.target_directory) || !roots.any(|root| is_of_package(&path, root)) {
            return None;
        }
        path.strip_prefix(&self.package_root).unwrap_or(&path).to_str().map(str::to_owned)
    }
}

/// Whether a file is in this package, and in none inside of it.
fn is_of_package(path: &Path, root: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|inside| {
        let mut directories = inside.ancestors().skip(1).filter(|directory| !directory.as_os_str().is_empty());
        !directories.any(|inner| root.join(inner).join("Cargo.toml").exists())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_and_other_packages_do_not_count() {
        let directory = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(directory.path()).unwrap();
        let (of_a, of_b) = (
            "src/lib.rs Cargo.toml inner/Cargo.toml inner/src/lib.rs target/out/x.rs",
            "src/lib.rs Cargo.toml inner/Cargo.toml inner/src/lib.rs",
        );
        for (package, file) in of_a.split(' ').map(|file| ("a", file)).chain(of_b.split(' ').map(|file| ("b", file))) {
            let path = root.join(package).join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut sources = CountedSources {
            package_root: root.join("a"),
            target_directory: root.join("a/target"),
            dependency_roots: Vec::new(),
        };
        let counted = |sources: &CountedSources, file: &str| sources.counted(&root.join(file));
        assert_eq!(counted(&sources, "a/src/lib.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(counted(&sources, "a/src/../src/lib.rs").as_deref(), Some("src/lib.rs"));
        for other in ["a/inner/src/lib.rs", "a/target/out/x.rs", "b/src/lib.rs", "a/src/gone.rs"] {
            assert_eq!(counted(&sources, other), None, "{other}");
        }
        // Unless somebody asked for them.
        sources.dependency_roots = vec![root.join("a/inner"), root.join("b")];
        assert_eq!(counted(&sources, "a/inner/src/lib.rs").as_deref(), Some("inner/src/lib.rs"));
        assert_eq!(counted(&sources, "b/src/lib.rs"), root.join("b/src/lib.rs").to_str().map(str::to_owned));
        assert_eq!(counted(&sources, "b/inner/src/lib.rs"), None);
    }
}
