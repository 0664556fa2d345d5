//! The dependencies of a target: what it calls them, and how the harness gets the very same packages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, Node, Package, PackageId};
use toml::{Table, Value};

use crate::cargo::invocation::{capture, explain};
use crate::cargo::target::{Target, library_of, parent, parse_metadata};
use crate::cargo::toolchain::toolchain;
use crate::error::CargoError;
use crate::harness::HarnessDir;
use crate::harness::runtime::RuntimePackage;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A package that a target depends on, itself or through others, for more than tests and build scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// What the target calls it in code, if it is a dependency of the target itself and the name is free in a harness.
    pub extern_name: Option<String>,
    pub package_id: String,
    pub package_name: String,
    pub version: String,
    /// The name that rustc has for its library.
    pub crate_name: String,
    /// Its sources, if they may change under our eyes.
    pub local_root: Option<PathBuf>,
    /// As cargo writes it; `None` is a path.
    source: Option<String>,
    root: PathBuf,
    /// Packages that it depends on, itself or through others.
    reaches: BTreeSet<String>,
}

impl Dependency {
    /// As cargo is told about it: `name@version`.
    pub fn spec(&self) -> String {
        format!("{}@{}", self.package_name, self.version)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub fn reaches(&self, other: &Dependency) -> bool {
        self.reaches.contains(&other.package_id)
    }

    /// As an entry of a manifest. No feature is asked for, so that it has those that the target asks for, and no others.
    fn entry(&self) -> Value {
        let mut entry = Table::from_iter([
            ("package".to_owned(), Value::from(self.package_name.clone())),
            ("default-features".to_owned(), false.into()),
        ]);
        let exact = format!("={}", self.version);
        match self.source.as_deref() {
            None => {
                entry.insert("path".into(), self.root.to_string_lossy().into_owned().into());
            }
            Some(CRATES_IO) => {
                entry.insert("version".into(), exact.into());
            }
            Some(source) => {
                if let Some(git) = source.strip_prefix("git+") {
                    entry.extend(git_entry(git));
                } else {
                    let index = source.strip_prefix("registry+").unwrap_or(source);
                    entry.insert("version".into(), exact.into());
                    entry.insert("registry-index".into(), index.into());
                }
            }
        }
        Value::Table(entry)
    }
}

/// `https://host/repository?branch=name#commit`: the branch, tag or revision must be the one that the target names, since to
/// cargo the source is another one otherwise. The lock file has the commit.
fn git_entry(source: &str) -> Vec<(String, Value)> {
    let source = source.split('#').next().unwrap_or(source);
    let (url, reference) = match source.split_once('?') {
        Some((url, query)) => (url, query.split_once('=')),
        None => (source, None),
    };
    let mut entry = vec![("git".to_owned(), Value::from(url))];
    if let Some((kind, name)) = reference
        && ["branch", "tag", "rev"].contains(&kind)
    {
        entry.push((kind.to_owned(), Value::from(decoded(name))));
    }
    entry
}

/// Cargo writes `/` and the like as `%2F` in a query.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The entries of a manifest, under the names that the target has for its dependencies.
pub(crate) fn entries<'d>(dependencies: &'d [Dependency]) -> impl Iterator<Item = (String, Value)> + 'd {
    dependencies.iter().filter_map(|dependency| Some((dependency.extern_name.clone()?, dependency.entry())))
}

impl HarnessDir {
    /// What the target depends on, as cargo resolved it for the harness: its own dependencies first, by name.
    pub fn dependencies(&self) -> Result<Vec<Dependency>, CargoError> {
        let host = toolchain(&self.target.working_directory, &self.cargo_context)?.host;
        let mut command = self.cargo_metadata();
        // What only other systems need may not even be downloaded.
        command.args(["--format-version", "1", "--filter-platform", &host]);
        let (answer, out) = capture(command, &self.cargo_context, None)?;
        if !answer.is_success {
            return Err(explain(&answer.stderr, &self.target.package_name));
        }
        Ok(resolved(&parse_metadata(&out)?, &self.target))
    }
}

fn resolved(metadata: &Metadata, target: &Target) -> Vec<Dependency> {
    let nodes: BTreeMap<&PackageId, &Node> =
        metadata.resolve.iter().flat_map(|resolve| &resolve.nodes).map(|node| (&node.id, node)).collect();
    let root = metadata.packages.iter().find(|package| package.id.repr == target.package_id).map(|p| &p.id);
    let Some(root) = root.and_then(|id| nodes.get(id)) else {
        return Vec::new();
    };
    let own: Vec<(&str, &PackageId)> = normal(root).collect();
    let mut found = Vec::new();
    for id in reachable(&nodes, root) {
        let Some(package) = metadata.packages.iter().find(|package| package.id == *id) else {
            continue;
        };
        let (Ok(library), Some(node)) = (library_of(package), nodes.get(id)) else {
            continue;
        };
        let mut names: Vec<&str> = own.iter().filter(|(_, own)| *own == id).map(|(name, _)| *name).collect();
        names.sort();
        let root = parent(package.manifest_path.as_std_path());
        found.push(Dependency {
            extern_name: names.into_iter().find(|name| is_free(name, target)).map(str::to_owned),
            package_id: id.repr.clone(),
            package_name: package.name.to_string(),
            version: package.version.to_string(),
            crate_name: library.name.replace('-', "_"),
            local_root: is_local(package).then(|| root.clone()),
            source: package.source.as_ref().map(|source| source.repr.clone()),
            root,
            reaches: reachable(&nodes, node).into_iter().map(|id| id.repr.clone()).collect(),
        });
    }
    found.sort_by(|a, b| {
        let key = |d: &Dependency| (d.extern_name.is_none(), d.extern_name.clone(), d.package_id.clone());
        key(a).cmp(&key(b))
    });
    found
}

fn is_local(package: &Package) -> bool {
    package.source.is_none()
}

/// Dependencies of the library itself, with their names in code.
fn normal(node: &Node) -> impl Iterator<Item = (&str, &PackageId)> {
    node.deps
        .iter()
        .filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal))
        .map(|dep| (dep.name.as_str(), &dep.pkg))
}

fn reachable<'m>(nodes: &BTreeMap<&'m PackageId, &'m Node>, root: &'m Node) -> BTreeSet<&'m PackageId> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        for (_, id) in normal(node) {
            if found.insert(id) {
                waiting.extend(nodes.get(id));
            }
        }
    }
    found
}

/// The name does not mean something else in the harness or in a test.
fn is_free(name: &str, target: &Target) -> bool {
    let is_runtime = RuntimePackage::all().iter().any(|package| package.name.replace('-', "_") == name);
    let is_std = ["core", "alloc", "std", "test", "proc_macro"].contains(&name);
    !is_runtime && !is_std && name != target.crate_name && name != target.package_name
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn dependency(source: Option<&str>) -> Dependency {
        Dependency {
            extern_name: Some("short".into()),
            package_id: String::new(),
            package_name: "long-name".into(),
            version: "1.2.3".into(),
            crate_name: "long_name".into(),
            local_root: None,
            source: source.map(str::to_owned),
            root: "/w/long".into(),
            reaches: BTreeSet::new(),
        }
    }

    #[test]
    fn a_dependency_comes_from_where_the_target_has_it_from() {
        let sources = [
            None,
            Some(CRATES_IO),
            Some("registry+https://example.org/index"),
            Some("sparse+https://example.org/index/"),
            Some("git+https://example.org/long?branch=a%2Fb#0123456789abcdef"),
            Some("git+https://example.org/long#0123456789abcdef"),
        ];
        let text: String = sources
            .map(|source| Table::from_iter(entries(&[dependency(source)])).to_string().replace("\n\n", "\n"))
            .join("\n");
        expect![[r#"
            [short]
            default-features = false
            package = "long-name"
            path = "/w/long"

            [short]
            default-features = false
            package = "long-name"
            version = "=1.2.3"

            [short]
            default-features = false
            package = "long-name"
            registry-index = "https://example.org/index"
            version = "=1.2.3"

            [short]
            default-features = false
            package = "long-name"
            registry-index = "sparse+https://example.org/index/"
            version = "=1.2.3"

            [short]
            branch = "a/b"
            default-features = false
            git = "https://example.org/long"
            package = "long-name"

            [short]
            default-features = false
            git = "https://example.org/long"
            package = "long-name"
        "#]]
        .assert_eq(&text);
    }
}
