//! A crate straight from the registry, resolved in a scratch workspace so that anything can be tried in one command.

use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Package};
use semver::Version;
use toml::{Table, Value};

use crate::cache::write_if_changed;
use crate::cargo::crate_spec::CrateSpec;
use crate::cargo::invocation::{capture, cargo, complaint, explain, is_about_network, tool};
use crate::cargo::target::{
    FeatureFlags, LockFlags, MACROS_OF_CONTRACTS, Origin, Target, choose_features, depends_on, library_of, parent,
    parse_metadata,
};
use crate::context::CargoContext;
use crate::error::CargoError;

/// What cargo is told to be the name of the package that depends on the crate.
const SCRATCH: &str = "provoke-scratch";
const SCRATCH_VERSION: &str = "0.0.0";
/// A version of lock files that every cargo reads that we work with.
const LOCK_VERSION: i64 = 3;

/// Where builds go when there is no workspace to ask: as cargo does it, `target` in the current directory unless the
/// environment says otherwise.
pub fn default_target_directory(directory: &Path) -> PathBuf {
    directory.join(tool("CARGO_TARGET_DIR", "target"))
}

/// Resolves and downloads a crate, in `<target_directory>/provoke/crates`.
pub fn fetch(
    spec: &CrateSpec,
    target_directory: &Path,
    features: &FeatureFlags,
    lock: LockFlags,
    cargo_context: &CargoContext,
) -> Result<Target, CargoError> {
    let scratch = Scratch {
        spec,
        root: target_directory.join("provoke").join("crates").join(spec.directory_name()),
        lock,
        cargo_context,
    };
    let plain = FeatureFlags::default();
    scratch.write(&[], !plain.no_default_features)?;
    if !spec.is_exact() && !lock.is_offline() && !lock.locked {
        scratch.update()?;
    }
    let metadata = scratch.resolve()?;
    let package = scratch.package(&metadata)?;
    let (names, default_features) =
        choose_features(&[package], features)?.remove(package.name.as_str()).unwrap_or_default();
    let library = library_of(package)?;
    // Another crate may stand between them and the one that uses them.
    let has = |metadata: &Metadata, name| metadata.packages.iter().any(|package| package.name.as_str() == name);
    let mut target = Target {
        package_name: package.name.to_string(),
        version: package.version.to_string(),
        crate_name: library.name.replace('-', "_"),
        package_id: package.id.repr.clone(),
        origin: Origin::Registry,
        manifest_path: package.manifest_path.clone().into_std_path_buf(),
        package_root: parent(package.manifest_path.as_std_path()),
        working_directory: scratch.root.clone(),
        workspace_root: scratch.root.clone(),
        workspace_manifest: scratch.root.join("Cargo.toml"),
        lock_file: Some(scratch.root.join("Cargo.lock")),
        target_directory: target_directory.to_path_buf(),
        edition: package.edition.to_string(),
        features: names,
        default_features,
        library_source: library.src_path.clone().into_std_path_buf(),
        // What the registry holds never changes.
        local_roots: Vec::new(),
        is_offline: lock.is_offline(),
        uses_contracts: has(&metadata, "contracts"),
        uses_anodized: has(&metadata, MACROS_OF_CONTRACTS),
        uses_provoke: depends_on(package, "provoke"),
        is_yanked: scratch.yanked_mark().exists(),
    };
    if !target.features.is_empty() || !target.default_features {
        // The lock file has to know what the features bring in.
        scratch.write(&target.features, target.default_features)?;
        let metadata = scratch.resolve()?;
        target.uses_contracts = has(&metadata, "contracts");
        target.uses_anodized = has(&metadata, MACROS_OF_CONTRACTS);
    }
    Ok(target)
}

struct Scratch<'a> {
    spec: &'a CrateSpec,
    root: PathBuf,
    lock: LockFlags,
    cargo_context: &'a CargoContext,
}

impl Scratch<'_> {
    fn write(&self, features: &[String], default_features: bool) -> Result<(), CargoError> {
        let dependency = Table::from_iter([
            ("version".into(), Value::from(self.spec.requirement())),
            ("features".into(), Value::from(features.to_vec())),
            ("default-features".into(), Value::from(default_features)),
        ]);
        let package = Table::from_iter([
            ("name".into(), Value::from(SCRATCH)),
            ("version".into(), Value::from(SCRATCH_VERSION)),
            ("edition".into(), Value::from("2021")),
        ]);
        let dependencies = Table::from_iter([(self.spec.name.clone(), Value::Table(dependency))]);
        let manifest = Table::from_iter([
            ("workspace".into(), Value::Table(Table::new())),
            ("package".into(), Value::Table(package)),
            ("dependencies".into(), Value::Table(dependencies)),
        ]);
        write_if_changed(&self.root.join("Cargo.toml"), manifest.to_string().as_bytes())?;
        write_if_changed(&self.root.join("src/lib.rs"), b"")
    }

    /// Looks for newer versions; an older one that is there already will do if the registry cannot be reached.
    fn update(&self) -> Result<(), CargoError> {
        let mut command = cargo(&self.root);
        command.arg("generate-lockfile");
        let (answer, _) = capture(command, self.cargo_context, None)?;
        if answer.is_success || self.root.join("Cargo.lock").exists() {
            return Ok(());
        }
        Err(self.explain(&answer.stderr))
    }

    fn resolve(&self) -> Result<Metadata, CargoError> {
        match self.metadata(&[]) {
            Err(CargoError::UnknownVersion { yanked, .. }) if self.spec.is_exact() && !yanked.is_empty() => {
                self.pin(&yanked[0])?;
                self.metadata(&[])
            }
            answer => answer,
        }
    }

    /// Makes cargo take a yanked version, as it does for those who had it in their lock file before it was yanked.
    fn pin(&self, version: &str) -> Result<(), CargoError> {
        let metadata = self.metadata(&["--no-deps"])?;
        let source = metadata
            .packages
            .iter()
            .flat_map(|package| &package.dependencies)
            .find(|dependency| dependency.name == self.spec.name)
            .and_then(|dependency| dependency.source.as_ref());
        let lock = lock_file(&self.spec.name, version, source.map_or("", |source| &source.repr));
        write_if_changed(&self.root.join("Cargo.lock"), lock.as_bytes())?;
        write_if_changed(&self.yanked_mark(), version.as_bytes())
    }

    /// A file that says that the version is yanked: with a lock file there is nothing that cargo would complain of.
    fn yanked_mark(&self) -> PathBuf {
        self.root.join("yanked")
    }

    fn metadata(&self, args: &[&str]) -> Result<Metadata, CargoError> {
        let mut command = cargo(&self.root);
        command.args(["metadata", "--format-version", "1"]).args(args);
        if self.lock.is_offline() {
            command.arg("--offline");
        }
        let (answer, out) = capture(command, self.cargo_context, None)?;
        if answer.is_success { parse_metadata(&out) } else { Err(self.explain(&answer.stderr)) }
    }

    fn package<'m>(&self, metadata: &'m Metadata) -> Result<&'m Package, CargoError> {
        let root = metadata.resolve.as_ref().and_then(|resolve| {
            let id = resolve.root.as_ref()?;
            resolve.nodes.iter().find(|node| &node.id == id)
        });
        let ids = root.map(|node| node.dependencies.as_slice()).unwrap_or_default();
        metadata
            .packages
            .iter()
            .find(|package| ids.contains(&package.id))
            // Cargo leaves out a dependency that is nothing to depend on.
            .ok_or_else(|| CargoError::NotALibrary { package: self.spec.name.clone(), what: "it has only binaries" })
    }

    fn explain(&self, stderr: &str) -> CargoError {
        let message = complaint(stderr);
        let name = self.spec.name.clone();
        let first = message.lines().next().unwrap_or_default();
        if first.contains("no matching package") && !is_about_network(&message) {
            return CargoError::UnknownCrate { name, similar: meant(&message) };
        }
        let is_about_it = first.contains(&format!("`{name} =")) || first.contains(&format!("`{name}`"));
        if first.starts_with("failed to select a version") && is_about_it {
            return CargoError::UnknownVersion {
                name,
                version: self.spec.version.clone().unwrap_or_else(|| "*".into()),
                available: candidates(&message),
                yanked: yanked(&message),
            };
        }
        explain(stderr, &name)
    }
}

/// The names after `perhaps you meant:`.
fn meant(message: &str) -> Vec<String> {
    message
        .lines()
        .find_map(|line| line.trim().strip_prefix("perhaps you meant:"))
        .map(|names| {
            names
                .split([',', ' '])
                .map(|name| name.trim_matches(['`', ' ']))
                .filter(|name| !name.is_empty() && *name != "or")
                .map(str::to_owned)
                .collect()
        })
        .unwrap_or_default()
}

fn candidates(message: &str) -> Vec<String> {
    message
        .lines()
        .find_map(|line| line.trim().strip_prefix("candidate versions found which didn't match:"))
        .map(|versions| {
            versions
                .split(',')
                .map(str::trim)
                .filter(|version| Version::parse(version).is_ok())
                .map(str::to_owned)
                .collect()
        })
        .unwrap_or_default()
}

/// Those that would do if nobody had taken them back, one in each line.
fn yanked(message: &str) -> Vec<String> {
    message
        .lines()
        .filter_map(|line| line.trim().strip_prefix("version ")?.strip_suffix(" is yanked"))
        .map(str::to_owned)
        .collect()
}

/// With this version of the crate, and nothing else yet. Cargo adds checksums and what the crate depends on.
fn lock_file(name: &str, version: &str, source: &str) -> String {
    let scratch = Table::from_iter([
        ("name".into(), Value::from(SCRATCH)),
        ("version".into(), Value::from(SCRATCH_VERSION)),
        ("dependencies".into(), Value::from(vec![name])),
    ]);
    let package = Table::from_iter([
        ("name".into(), Value::from(name)),
        ("version".into(), Value::from(version)),
        ("source".into(), Value::from(source)),
    ]);
    let lock = Table::from_iter([
        ("version".into(), Value::from(LOCK_VERSION)),
        ("package".into(), Value::from(vec![package, scratch])),
    ]);
    lock.to_string()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn cargos_complaints_become_errors_that_name_the_alternatives() {
        let spec = CrateSpec::parse("itoa@9.9.9").unwrap();
        let cargo_context = CargoContext::default();
        let scratch =
            Scratch { spec: &spec, root: PathBuf::new(), lock: LockFlags::default(), cargo_context: &cargo_context };
        let error = scratch.explain(
            "    Updating registry index\nerror: failed to select a version for the requirement `itoa = \"=9.9.9\"`\n\
             candidate versions found which didn't match: 1.0.18, 1.0.17, ...\n",
        );
        assert_eq!(error.to_string(), "crate `itoa` has no version `9.9.9`");
        assert_eq!(error.hint().unwrap(), "the newest versions are 1.0.18, 1.0.17");
        let error = scratch.explain(
            "error: no matching package found\nsearched package name: `itoa`\nperhaps you meant:      itoap or itoas\n",
        );
        assert_eq!(error.hint().unwrap(), "did you mean `itoap` or `itoas`?");
        let error = scratch
            .explain("error: failed to select a version for the requirement `other = \"=1\"`\nrequired by itoa\n");
        assert!(matches!(error, CargoError::DoesNotBuild { .. }));
    }

    #[test]
    fn yanked_versions_are_told_from_those_that_never_were() {
        let spec = CrateSpec::parse("half@1.8").unwrap();
        let cargo_context = CargoContext::default();
        let scratch =
            Scratch { spec: &spec, root: PathBuf::new(), lock: LockFlags::default(), cargo_context: &cargo_context };
        let error = scratch.explain(
            "error: failed to select a version for the requirement `half = \"~1.8\"`\n  version 1.8.1 is yanked\n  \
             version 1.8.0 is yanked\nlocation searched: an index\n",
        );
        expect!["crate `half` has no version `1.8`"].assert_eq(&error.to_string());
        expect!["1.8.1, 1.8.0 were yanked; with `--crate half@1.8.1` that is tested all the same"]
            .assert_eq(&error.hint().unwrap());
    }

    #[test]
    fn a_lock_file_pins_a_version() {
        expect![[r#"
            version = 3

            [[package]]
            name = "half"
            source = "registry+somewhere"
            version = "1.8.1"

            [[package]]
            dependencies = ["half"]
            name = "provoke-scratch"
            version = "0.0.0"
        "#]]
        .assert_eq(&lock_file("half", "1.8.1", "registry+somewhere"));
    }
}
