//! The manifests of the harness workspace: as the user's build sees the target, and with a profile of our own.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::cargo::target::{Origin, Target};
use crate::error::CargoError;
use crate::harness::dependencies::{Dependency, entries};
use crate::harness::runtime::RuntimePackage;

/// How the harness is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Without `debug_assertions` and overflow checks.
    pub release: bool,
    pub opt_level: u8,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile { release: false, opt_level: 1 }
    }
}

impl Profile {
    /// What must hold whatever the user's configuration says about profiles, for it goes before a manifest.
    pub(crate) fn settings(self) -> [String; 3] {
        let checks = !self.release;
        [
            format!("profile.dev.debug-assertions={checks}"),
            format!("profile.dev.overflow-checks={checks}"),
            "profile.dev.panic=\"unwind\"".into(),
        ]
    }
}

/// The package that holds the worker. Named after the target, since all harnesses share one build directory.
pub(crate) fn harness_package(target: &Target) -> String {
    format!("provoke-harness-{}", target.package_name)
}

/// The package in which emitted tests are compiled.
pub(crate) fn verify_package(target: &Target) -> String {
    format!("provoke-verify-{}", target.package_name)
}

/// The root manifest of the harness: workspace, worker package, profiles, and the user's patches.
pub(crate) fn harness_manifest(
    target: &Target,
    dependencies: &[Dependency],
    profile: Profile,
) -> Result<String, CargoError> {
    let user = read_user_manifest(target)?;
    let name = harness_package(target);
    let mut manifest = Table::new();
    manifest.insert(
        "workspace".into(),
        table([("resolver", resolver(&user, target).into()), ("members", vec!["verify"].into())]),
    );
    // Edition 2024 whatever the target's: the generated code is ours.
    manifest.insert("package".into(), package(&name, "2024"));
    manifest.insert("bin".into(), vec![table([("name", name.as_str().into()), ("path", "src/main.rs".into())])].into());
    let executor = RuntimePackage::executor();
    let executor_path = format!("runtime/{}", executor.directory);
    let mut all = target_and(target, dependencies);
    all.insert(executor.name.into(), table([("path", executor_path.into())]));
    manifest.insert("dependencies".into(), Value::Table(all));
    manifest.insert("profile".into(), table([("dev", profiles(profile))]));
    for key in ["patch", "replace"] {
        if let Some(value) = user.get(key) {
            let mut value = value.clone();
            make_paths_absolute(&mut value, &target.workspace_root);
            manifest.insert(key.into(), value);
        }
    }
    Ok(manifest.to_string())
}

/// A package with nothing but tests, seen by rustc as a test of the target would be: with the target's own dependencies, as
/// far as tests name them.
pub(crate) fn verify_manifest(target: &Target, dependencies: &[Dependency]) -> String {
    let mut manifest = Table::new();
    manifest.insert("package".into(), package(&verify_package(target), &target.edition));
    manifest.insert("lib".into(), table([("test", false.into()), ("doctest", false.into())]));
    manifest.insert("dependencies".into(), Value::Table(target_and(target, dependencies)));
    manifest.to_string()
}

fn target_and(target: &Target, dependencies: &[Dependency]) -> Table {
    let mut all = Table::from_iter(entries(dependencies));
    all.insert(target.package_name.clone(), dependency(target));
    all
}

fn table<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Table(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn package(name: &str, edition: &str) -> Value {
    table([("name", name.into()), ("version", "0.0.0".into()), ("edition", edition.into()), ("publish", false.into())])
}

/// The target as a dependency; not renamed, so that code finds it under the name of its library.
pub(crate) fn dependency(target: &Target) -> Value {
    let mut entry = Table::new();
    match target.origin {
        Origin::Path => {
            let path = target.package_root.to_string_lossy().into_owned();
            entry.insert("path".into(), path.into());
        }
        Origin::Registry => {
            entry.insert("version".into(), format!("={}", target.version).into());
        }
    }
    if !target.features.is_empty() {
        entry.insert("features".into(), target.features.clone().into());
    }
    if !target.default_features {
        entry.insert("default-features".into(), false.into());
    }
    Value::Table(entry)
}

fn profiles(profile: Profile) -> Value {
    let fast = || table([("opt-level", 3.into())]);
    let packages = RuntimePackage::all().iter().map(|p| (p.name, fast()));
    table([
        ("opt-level", i64::from(profile.opt_level).into()),
        ("debug-assertions", (!profile.release).into()),
        ("overflow-checks", (!profile.release).into()),
        ("panic", "unwind".into()),
        ("debug", "line-tables-only".into()),
        ("incremental", false.into()),
        ("build-override", table([("opt-level", 0.into())])),
        ("package", table(packages)),
    ])
}

fn read_user_manifest(target: &Target) -> Result<Table, CargoError> {
    if target.origin == Origin::Registry {
        return Ok(Table::new());
    }
    let path = &target.workspace_manifest;
    let text = fs::read_to_string(path).map_err(CargoError::unreadable(path))?;
    text.parse().map_err(|error| CargoError::BrokenManifest { message: format!("{}: {error}", path.display()) })
}

/// The resolver that cargo uses for the user's workspace, which decides how features unify.
fn resolver(user: &Table, target: &Target) -> String {
    let section = |name: &str| user.get(name).and_then(Value::as_table);
    let explicit = ["workspace", "package"].into_iter().find_map(|name| section(name)?.get("resolver")?.as_str());
    if let Some(resolver) = explicit {
        return resolver.to_owned();
    }
    let edition = match section("package") {
        Some(package) => package
            .get("edition")
            .and_then(Value::as_str)
            // Written as `edition.workspace = true`, or not at all.
            .or_else(|| section("workspace")?.get("package")?.get("edition")?.as_str())
            .unwrap_or("2015"),
        None if target.origin == Origin::Registry => "2021",
        None => "2015",
    };
    match edition {
        "2015" | "2018" => "1",
        "2021" => "2",
        _ => "3",
    }
    .to_owned()
}

/// Turns every `path = ".."` of a patch into one that means the same from the harness.
fn make_paths_absolute(value: &mut Value, base: &Path) {
    let Value::Table(table) = value else { return };
    for (key, value) in table.iter_mut() {
        match value {
            Value::String(path) if key == "path" => {
                let absolute: PathBuf = base.join(&*path);
                *path = absolute.to_string_lossy().into_owned();
            }
            _ => make_paths_absolute(value, base),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn target(root: &Path) -> Target {
        Target {
            package_name: "my-crate".into(),
            version: "1.2.3".into(),
            crate_name: "my_crate".into(),
            package_id: "path+file:///w/my-crate#1.2.3".into(),
            origin: Origin::Path,
            manifest_path: "/w/my-crate/Cargo.toml".into(),
            package_root: "/w/my-crate".into(),
            working_directory: "/w/my-crate".into(),
            workspace_root: "/w".into(),
            workspace_manifest: root.join("Cargo.toml"),
            lock_file: None,
            target_directory: "/w/target".into(),
            edition: "2018".into(),
            features: vec!["a\"b".into()],
            default_features: false,
            library_source: "/w/my-crate/src/lib.rs".into(),
            local_roots: vec!["/w/my-crate".into()],
            is_offline: false,
            uses_contracts: false,
            uses_anodized: false,
            uses_provoke: false,
            is_yanked: false,
        }
    }

    fn manifest_for(user: &str, release: bool) -> String {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("Cargo.toml"), user).unwrap();
        let profile = Profile { release, opt_level: 1 };
        harness_manifest(&target(dir.path()), &[], profile).unwrap()
    }

    #[test]
    fn a_harness_sees_patches_features_and_resolver_of_the_users_workspace() {
        let user = r#"
            [workspace]
            members = ["my-crate"]
            [patch.crates-io]
            left = { path = "../left" }
            right = { git = "https://example.org/right" }
        "#;
        expect![[r#"
            [[bin]]
            name = "provoke-harness-my-crate"
            path = "src/main.rs"

            [dependencies.my-crate]
            default-features = false
            features = ['a"b']
            path = "/w/my-crate"

            [dependencies.provoke-runtime-exec]
            path = "runtime/provoke-exec"

            [package]
            edition = "2024"
            name = "provoke-harness-my-crate"
            publish = false
            version = "0.0.0"

            [patch.crates-io.left]
            path = "/w/../left"

            [patch.crates-io.right]
            git = "https://example.org/right"

            [profile.dev]
            debug = "line-tables-only"
            debug-assertions = true
            incremental = false
            opt-level = 1
            overflow-checks = true
            panic = "unwind"

            [profile.dev.build-override]
            opt-level = 0

            [profile.dev.package.provoke-runtime-exec]
            opt-level = 3

            [profile.dev.package.provoke-runtime-wire]
            opt-level = 3

            [workspace]
            members = ["verify"]
            resolver = "1"
        "#]]
        .assert_eq(&manifest_for(user, false));
    }

    #[test]
    fn release_switches_both_checks_off() {
        let manifest = manifest_for("[workspace]\nresolver = \"3\"", true);
        assert!(manifest.contains("debug-assertions = false"));
        assert!(manifest.contains("overflow-checks = false"));
        assert!(manifest.contains("resolver = \"3\""));
    }

    #[test]
    fn the_resolver_follows_the_edition_where_none_is_named() {
        let cases = [
            ("[package]\nname = \"a\"", "1"),
            ("[package]\nname = \"a\"\nedition = \"2021\"", "2"),
            ("[workspace.package]\nedition = \"2024\"\n[package]\nname = \"a\"\nedition.workspace = true", "3"),
        ];
        for (user, expected) in cases {
            let manifest = manifest_for(user, false);
            assert!(manifest.contains(&format!("resolver = \"{expected}\"")), "{user}");
        }
    }
}
