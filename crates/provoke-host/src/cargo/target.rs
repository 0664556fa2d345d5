//! Which packages are to be tested, found the way cargo selects them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{CrateType, DependencyKind, Metadata, Package, TargetKind};

use crate::cache::Fingerprint;
use crate::cargo::invocation::{capture, cargo, complaint, is_about_network};
use crate::cargo::similar::similar;
use crate::context::CargoContext;
use crate::error::CargoError;
use crate::source_file::SourceFiles;

/// The package whose macros decide about contracts of the crate `anodized`.
pub(crate) const MACROS_OF_CONTRACTS: &str = "anodized-macros";

/// The feature flags as cargo has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeatureFlags {
    pub features: Vec<String>,
    pub all_features: bool,
    pub no_default_features: bool,
}

/// Whether cargo may use the network or change the lock file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LockFlags {
    pub locked: bool,
    pub offline: bool,
    pub frozen: bool,
}

impl LockFlags {
    pub fn is_offline(self) -> bool {
        self.offline || self.frozen
    }
}

/// What the command line says about packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub manifest_path: Option<PathBuf>,
    pub packages: Vec<String>,
    pub workspace: bool,
    pub exclude: Vec<String>,
    pub features: FeatureFlags,
    pub lock: LockFlags,
}

/// Where the source of a target comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user's own directory.
    Path,
    /// Unpacked by cargo, never to be written to.
    Registry,
}

/// One library to be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub package_name: String,
    pub version: String,
    /// The name of the library in code, with underscores.
    pub crate_name: String,
    /// How cargo names the package without ambiguity.
    pub package_id: String,
    pub origin: Origin,
    pub manifest_path: PathBuf,
    pub package_root: PathBuf,
    /// Where cargo runs, so that the right configuration applies.
    pub working_directory: PathBuf,
    pub workspace_root: PathBuf,
    pub workspace_manifest: PathBuf,
    /// The versions that the user builds with, if they are fixed.
    pub lock_file: Option<PathBuf>,
    pub target_directory: PathBuf,
    pub edition: String,
    pub features: Vec<String>,
    pub default_features: bool,
    /// The root source file of the library.
    pub library_source: PathBuf,
    /// The package's directory and those of the path dependencies that are known: where a change means another build.
    pub local_roots: Vec<PathBuf>,
    pub is_offline: bool,
    /// The crate `contracts` may be among what it is built of.
    pub uses_contracts: bool,
    /// Macros of the crate `anodized` may be among what it is built of: those contracts are checked only if one asks for it.
    pub uses_anodized: bool,
    /// It names the crate `provoke` among its dependencies, whose attributes are there only if one asks for it.
    pub uses_provoke: bool,
    /// Its owners took this version back from the registry.
    pub is_yanked: bool,
}

impl Target {
    /// The manifest may name a library outside of the package's directory.
    pub fn source_files(&self) -> SourceFiles {
        let files = SourceFiles::below(&self.package_root);
        match self.library_source.parent() {
            Some(directory) => files.and_below(directory),
            None => files,
        }
    }

    /// Where results and the harness of this package live.
    pub fn output_directory(&self) -> PathBuf {
        self.target_directory.join("provoke").join(&self.package_name)
    }

    /// Changes whenever the target, as it is selected, may have changed: its sources, manifests, lock file or features.
    /// The toolchain and the tool itself are for the caller to add.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(self.package_id.as_bytes());
        for feature in &self.features {
            fingerprint.add(feature.as_bytes());
        }
        fingerprint.add(&[u8::from(self.default_features)]);
        fingerprint.add_file(&self.workspace_manifest);
        fingerprint.add_file(&self.workspace_root.join(".cargo").join("config.toml"));
        if let Some(lock_file) = &self.lock_file {
            fingerprint.add_file(lock_file);
        }
        for root in &self.local_roots {
            fingerprint.add_tree(root);
        }
        fingerprint
    }

    /// Cargo's target directory for everything that Provoke builds, shared by all packages.
    pub fn build_directory(&self) -> PathBuf {
        self.target_directory.join("provoke").join("build")
    }
}

/// The selected libraries, by name. Neither resolves dependencies nor writes a lock file.
pub fn find_targets(selection: &Selection, cargo_context: &CargoContext) -> Result<Vec<Target>, CargoError> {
    if !selection.exclude.is_empty() && !selection.workspace {
        return Err(CargoError::ExcludeWithoutWorkspace);
    }
    let manifest = find_manifest(selection.manifest_path.as_deref())?;
    let directory = parent(&manifest);
    let metadata = read_metadata(&manifest, &directory, selection.lock, cargo_context)?;
    let (packages, is_explicit) = select(&metadata, selection)?;
    let choices = choose_features(&packages, &selection.features)?;
    let mut targets = Vec::new();
    let mut last_refusal = None;
    for package in packages {
        match library_of(package) {
            Ok(library) => {
                let features = choices[package.name.as_str()].clone();
                targets.push(path_target(package, library, features, &metadata, selection));
            }
            Err(error) if is_explicit => return Err(error),
            Err(error) => last_refusal = Some(error),
        }
    }
    if targets.is_empty() {
        let is_single = metadata.packages.len() == 1;
        return Err(match last_refusal {
            Some(error) if is_single => error,
            _ => CargoError::NoLibraryInWorkspace,
        });
    }
    targets.sort_by(|a, b| a.package_name.cmp(&b.package_name));
    Ok(targets)
}

fn find_manifest(given: Option<&Path>) -> Result<PathBuf, CargoError> {
    let here = Path::new(".");
    let here = std::path::absolute(here).map_err(CargoError::unreadable(here))?;
    let Some(given) = given else {
        return here
            .ancestors()
            .map(|directory| directory.join("Cargo.toml"))
            .find(|manifest| manifest.is_file())
            .ok_or(CargoError::NoManifest { directory: here.clone() });
    };
    let manifest = here.join(given);
    if manifest.is_file() && manifest.file_name().is_some_and(|name| name == "Cargo.toml") {
        Ok(manifest)
    } else {
        Err(CargoError::NotAManifest { path: given.to_path_buf() })
    }
}

fn read_metadata(
    manifest: &Path,
    directory: &Path,
    lock: LockFlags,
    cargo_context: &CargoContext,
) -> Result<Metadata, CargoError> {
    let mut command = cargo(directory);
    command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest);
    if lock.locked || lock.frozen {
        // Looks at the dependencies, and fails if the lock file does not fit them.
        command.arg(if lock.frozen { "--frozen" } else { "--locked" });
    } else {
        command.arg("--no-deps");
    }
    if lock.offline {
        command.arg("--offline");
    }
    let (answer, out) = capture(command, cargo_context, None)?;
    if !answer.is_success {
        let message = complaint(&answer.stderr);
        return Err(if is_about_network(&message) && !message.contains("--locked") {
            CargoError::NoNetwork { message }
        } else {
            CargoError::BrokenManifest { message }
        });
    }
    parse_metadata(&out)
}

pub(crate) fn parse_metadata(text: &str) -> Result<Metadata, CargoError> {
    serde_json::from_str(text)
        .map_err(|error| CargoError::Internal { message: format!("cargo metadata is not as expected: {error}") })
}

/// The packages that the flags name, and whether each was named by itself.
fn select<'m>(metadata: &'m Metadata, selection: &Selection) -> Result<(Vec<&'m Package>, bool), CargoError> {
    let members = metadata.workspace_packages();
    let unknown = |spec: &str| CargoError::UnknownPackage {
        name: spec.into(),
        similar: similar(spec.split(['@', ':']).next().unwrap_or(spec), members.iter().map(|p| p.name.as_str())),
    };
    for spec in &selection.exclude {
        if !members.iter().any(|p| is_named(p, spec)) {
            return Err(unknown(spec));
        }
    }
    if !selection.packages.is_empty() && !selection.workspace {
        let mut chosen: Vec<&Package> = Vec::new();
        for spec in &selection.packages {
            let found: Vec<&Package> = members.iter().copied().filter(|p| is_named(p, spec)).collect();
            if found.is_empty() {
                return Err(unknown(spec));
            }
            for package in found {
                if !chosen.iter().any(|p| p.id == package.id) {
                    chosen.push(package);
                }
            }
        }
        let is_explicit = selection.packages.iter().all(|spec| !spec.contains(['*', '?']));
        return Ok((chosen, is_explicit));
    }
    let chosen = if selection.workspace {
        members.into_iter().filter(|p| !selection.exclude.iter().any(|spec| is_named(p, spec))).collect()
    } else {
        let default: &[cargo_metadata::PackageId] = &metadata.workspace_default_members;
        members.into_iter().filter(|p| default.contains(&p.id)).collect()
    };
    Ok((chosen, false))
}

/// `name`, `name@version`, or a name with `*` and `?`.
fn is_named(package: &Package, spec: &str) -> bool {
    let (name, version) = match spec.split_once(['@', ':']) {
        Some((name, version)) => (name, Some(version)),
        None => (spec, None),
    };
    let name: Vec<char> = name.chars().collect();
    let actual: Vec<char> = package.name.chars().collect();
    fits(&name, &actual) && version.is_none_or(|v| package.version.to_string() == v)
}

fn fits(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('*', rest)) => (0..=text.len()).any(|n| fits(rest, &text[n..])),
        Some((&c, rest)) => text.split_first().is_some_and(|(&t, others)| (c == '?' || c == t) && fits(rest, others)),
    }
}

/// The library that a Rust program can depend on.
pub(crate) fn library_of(package: &Package) -> Result<&cargo_metadata::Target, CargoError> {
    let refuse = |what| CargoError::NotALibrary { package: package.name.to_string(), what };
    for target in &package.targets {
        if target.kind.contains(&TargetKind::ProcMacro) {
            return Err(CargoError::ProcMacro { package: package.name.to_string() });
        }
        let is_linkable = [CrateType::Lib, CrateType::RLib, CrateType::DyLib]
            .iter()
            .any(|wanted| target.crate_types.contains(wanted));
        let is_library = target.kind.iter().any(|kind| {
            matches!(
                kind,
                TargetKind::Lib | TargetKind::RLib | TargetKind::DyLib | TargetKind::CDyLib | TargetKind::StaticLib
            )
        });
        if is_library {
            return if is_linkable { Ok(target) } else { Err(refuse("other Rust code cannot link it")) };
        }
    }
    Err(refuse("it has only binaries"))
}

/// The features of each package and whether its default ones are on.
type Choice = (Vec<String>, bool);

/// What the flags mean for each package. A feature that only some of the packages have is fine, as in cargo.
pub(crate) fn choose_features(
    packages: &[&Package],
    flags: &FeatureFlags,
) -> Result<BTreeMap<String, Choice>, CargoError> {
    let asked: Vec<&str> =
        flags.features.iter().flat_map(|text| text.split([',', ' '])).filter(|name| !name.is_empty()).collect();
    let applies = |package: &Package, name: &str| {
        let (owner, feature) = match name.split_once('/') {
            Some((owner, feature)) => (Some(owner), feature),
            None => (None, name),
        };
        (owner.is_none_or(|owner| package.name.as_str() == owner) && package.features.contains_key(feature))
            .then(|| feature.to_owned())
    };
    for name in &asked {
        if !packages.iter().any(|p| applies(p, name).is_some()) {
            let all = packages.iter().flat_map(|p| p.features.keys().map(String::as_str));
            return Err(CargoError::UnknownFeature { name: (*name).into(), similar: similar(name, all) });
        }
    }
    let choice = |package: &Package| -> Choice {
        let mut features: Vec<String> = if flags.all_features {
            package.features.keys().cloned().collect()
        } else {
            asked.iter().filter_map(|name| applies(package, name)).collect()
        };
        features.sort();
        features.dedup();
        (features, !flags.no_default_features)
    };
    Ok(packages.iter().map(|package| (package.name.to_string(), choice(package))).collect())
}

fn path_target(
    package: &Package,
    library: &cargo_metadata::Target,
    (features, default_features): Choice,
    metadata: &Metadata,
    selection: &Selection,
) -> Target {
    let workspace_root = metadata.workspace_root.clone().into_std_path_buf();
    let package_root = parent(package.manifest_path.as_std_path());
    let lock_file = workspace_root.join("Cargo.lock");
    Target {
        package_name: package.name.to_string(),
        version: package.version.to_string(),
        crate_name: library.name.replace('-', "_"),
        package_id: package.id.repr.clone(),
        origin: Origin::Path,
        manifest_path: package.manifest_path.clone().into_std_path_buf(),
        working_directory: package_root.clone(),
        package_root,
        workspace_manifest: workspace_root.join("Cargo.toml"),
        uses_contracts: depends_on(package, "contracts") || locks(&lock_file, "contracts"),
        uses_anodized: depends_on(package, "anodized") || locks(&lock_file, MACROS_OF_CONTRACTS),
        lock_file: lock_file.is_file().then_some(lock_file),
        workspace_root,
        target_directory: metadata.target_directory.clone().into_std_path_buf(),
        edition: package.edition.to_string(),
        features,
        default_features,
        library_source: library.src_path.clone().into_std_path_buf(),
        local_roots: local_roots(package, metadata),
        is_offline: selection.lock.is_offline(),
        uses_provoke: depends_on(package, "provoke"),
        is_yanked: false,
    }
}

/// Whether a package is among those that a lock file lists: another crate may stand between it and the one that uses it.
fn locks(lock_file: &Path, name: &str) -> bool {
    fs::read_to_string(lock_file).is_ok_and(|text| text.lines().any(|line| line == format!("name = \"{name}\"")))
}

/// On a crate with macros that name it so in what they write: under no other name.
pub(crate) fn depends_on(package: &Package, name: &str) -> bool {
    package.dependencies.iter().any(|dependency| {
        dependency.kind == DependencyKind::Normal && dependency.name == name && dependency.rename.is_none()
    })
}

fn local_roots(package: &Package, metadata: &Metadata) -> Vec<PathBuf> {
    let mut roots = vec![parent(package.manifest_path.as_std_path())];
    let mut n_followed = 0;
    while n_followed < roots.len() {
        let member = metadata.packages.iter().find(|p| parent(p.manifest_path.as_std_path()) == roots[n_followed]);
        n_followed += 1;
        let dependencies = member.map(|p| p.dependencies.as_slice()).unwrap_or_default();
        for dependency in dependencies {
            let is_for_tests = dependency.kind == DependencyKind::Development;
            if let Some(path) = &dependency.path
                && !is_for_tests
                && !roots.iter().any(|root| root == path)
            {
                roots.push(path.clone().into_std_path_buf());
            }
        }
    }
    roots
}

pub(crate) fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_path_buf()
}

#[cfg(test)]
mod tests {

    #[test]
    fn patterns_of_package_names_fit_as_cargo_has_them() {
        let fits = |pattern: &str, text: &str| {
            let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
            super::fits(&pattern, &text)
        };
        assert!(fits("a*c", "abbc") && fits("*", "") && fits("a?c", "abc"));
        assert!(!fits("a?c", "ac") && !fits("abc", "abcd") && !fits("*x", "xa"));
    }
}
