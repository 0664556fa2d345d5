//! Which packages are found, and what is said when there are none.

mod fixture;

use std::fs;

use expect_test::{Expect, expect};
use fixture::Fixture;
use provoke_host::{CargoContext, CargoError, ErrorClass, FeatureFlags, Selection, find_targets};

const LIBRARY: &str =
    "[package]\nname = \"a-lib\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nfast = []\nslow = []\n";

fn workspace() -> Fixture {
    let other = LIBRARY.replace("a-lib", "b-lib");
    Fixture::new(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"a\", \"b\", \"tool\", \"derive\"]\ndefault-members = [\"b\", \"tool\"]\nresolver = \"2\"\n",
        ),
        ("a/Cargo.toml", &format!("{LIBRARY}[lib]\nname = \"renamed\"\n")),
        ("a/src/lib.rs", ""),
        ("b/Cargo.toml", &other),
        ("b/src/lib.rs", ""),
        ("tool/Cargo.toml", "[package]\nname = \"tool\"\nversion = \"0.1.0\"\n"),
        ("tool/src/main.rs", "fn main() {}"),
        ("derive/Cargo.toml", "[package]\nname = \"derive\"\nversion = \"0.1.0\"\n[lib]\nproc-macro = true\n"),
        ("derive/src/lib.rs", ""),
    ])
}

fn names(selection: &Selection) -> Vec<String> {
    let targets = find_targets(selection, &CargoContext::default()).unwrap();
    targets.into_iter().map(|t| t.package_name).collect()
}

fn refused(selection: &Selection, class: ErrorClass, expected: Expect) {
    let error = find_targets(selection, &CargoContext::default()).unwrap_err();
    assert_eq!(error.class(), class, "{error}");
    let hint = error.hint().unwrap_or_default();
    expected.assert_eq(&format!("{error}\nhint: {hint}\n"));
}

#[test]
fn packages_are_selected_as_cargo_selects_them() {
    let fixture = workspace();
    let root = fixture.selection("Cargo.toml");
    assert_eq!(names(&root), ["b-lib"]);
    assert_eq!(names(&fixture.selection("a/Cargo.toml")), ["a-lib"]);
    let all = Selection { workspace: true, ..root.clone() };
    assert_eq!(names(&all), ["a-lib", "b-lib"]);
    let but_b = Selection { exclude: vec!["b-lib".into()], ..all.clone() };
    assert_eq!(names(&but_b), ["a-lib"]);
    let named = Selection { packages: vec!["a-lib@0.1.0".into()], ..root.clone() };
    assert_eq!(names(&named), ["a-lib"]);
    let pattern = Selection { packages: vec!["*l*".into()], ..root };
    assert_eq!(names(&pattern), ["a-lib", "b-lib"]);
    assert!(!fixture.path("Cargo.lock").exists());
}

#[test]
fn a_target_knows_its_names_and_features() {
    let fixture = workspace();
    let mut selection = fixture.selection("a/Cargo.toml");
    let target = fixture.target(&selection);
    assert_eq!(target.crate_name, "renamed");
    assert_eq!(target.package_root, fixture.path("a"));
    assert_eq!(target.workspace_manifest, fixture.path("Cargo.toml"));
    assert_eq!(target.library_source, fixture.path("a/src/lib.rs"));
    assert!(target.default_features && target.features.is_empty());
    selection.features.features = vec!["slow,a-lib/fast".into()];
    assert_eq!(fixture.target(&selection).features, ["fast", "slow"]);
    selection.features = FeatureFlags { all_features: true, no_default_features: true, ..FeatureFlags::default() };
    let target = fixture.target(&selection);
    assert_eq!(target.features, ["fast", "slow"]);
    assert!(!target.default_features);
}

#[test]
fn every_selection_that_makes_no_sense_is_refused_with_a_hint() {
    let fixture = workspace();
    let root = fixture.selection("Cargo.toml");
    let package = |name: &str| Selection { packages: vec![name.into()], ..root.clone() };
    refused(
        &package("a-lub"),
        ErrorClass::Usage,
        expect![[r#"
            no package `a-lub` in this workspace
            hint: did you mean `a-lib`?
        "#]],
    );
    refused(
        &package("tool"),
        ErrorClass::NothingToTest,
        expect![[r#"
            package `tool` is not a library: it has only binaries
            hint: only a library has a public API to call; move the code to src/lib.rs
        "#]],
    );
    refused(
        &package("derive"),
        ErrorClass::NothingToTest,
        expect![[r#"
            package `derive` is a procedural macro, which runs inside the compiler
            hint: put the logic into an ordinary library crate and test that
        "#]],
    );
    refused(
        &Selection { exclude: vec!["a-lib".into()], ..root.clone() },
        ErrorClass::Usage,
        expect![[r#"
            `--exclude` only works together with `--workspace`
            hint: add `--workspace`
        "#]],
    );
    refused(
        &Selection { workspace: true, exclude: vec!["a-lib".into(), "b-lib".into()], ..root.clone() },
        ErrorClass::NothingToTest,
        expect![[r#"
            every package of the workspace is excluded or has no library
            hint: name a library with `-p`
        "#]],
    );
    let mut features = root.clone();
    features.features.features = vec!["fst".into()];
    refused(
        &features,
        ErrorClass::Usage,
        expect![[r#"
            no selected package has a feature `fst`
            hint: did you mean `fast`?
        "#]],
    );
    let missing = Selection { manifest_path: Some("no/such/Cargo.toml".into()), ..Selection::default() };
    refused(
        &missing,
        ErrorClass::Usage,
        expect![[r#"
            `no/such/Cargo.toml` is not a Cargo.toml that can be read
            hint: `--manifest-path` takes the path of a file named Cargo.toml
        "#]],
    );
}

#[test]
fn a_binary_alone_and_a_broken_manifest_are_named_as_such() {
    let fixture = Fixture::new(&[
        ("bin/Cargo.toml", "[package]\nname = \"just-bin\"\nversion = \"0.1.0\"\n"),
        ("bin/src/main.rs", "fn main() {}"),
        ("broken/Cargo.toml", "[package\n"),
        ("c/Cargo.toml", "[package]\nname = \"c-only\"\nversion = \"0.1.0\"\n[lib]\ncrate-type = [\"cdylib\"]\n"),
        ("c/src/lib.rs", ""),
    ]);
    let error = |manifest: &str| find_targets(&fixture.selection(manifest), &CargoContext::default()).unwrap_err();
    assert!(matches!(
        error("bin/Cargo.toml"),
        CargoError::NotALibrary { package, .. } if package == "just-bin"
    ));
    assert_eq!(error("c/Cargo.toml").to_string(), "package `c-only` is not a library: other Rust code cannot link it");
    let broken = error("broken/Cargo.toml");
    assert_eq!(broken.class(), ErrorClass::Usage);
    assert!(broken.to_string().starts_with("cargo cannot read the manifest"));
}

#[test]
fn a_lock_file_that_does_not_fit_is_refused_when_locked() {
    let fixture = Fixture::new(&[("Cargo.toml", LIBRARY), ("src/lib.rs", "")]);
    let mut selection = fixture.selection("Cargo.toml");
    selection.lock.locked = true;
    let error = find_targets(&selection, &CargoContext::default()).unwrap_err();
    assert!(matches!(error, CargoError::BrokenManifest { .. }), "{error}");
    assert!(!fs::exists(fixture.path("Cargo.lock")).unwrap());
}

#[test]
fn a_fingerprint_changes_with_sources_of_the_target_and_of_its_path_dependencies() {
    let fixture = workspace();
    let dependency = "[dependencies]\nb-lib = { path = \"../b\" }\n";
    fixture.write("a/Cargo.toml", &format!("{LIBRARY}{dependency}"));
    let now = || {
        let target = fixture.target(&fixture.selection("a/Cargo.toml"));
        target.fingerprint().to_string()
    };
    let first = now();
    fixture.write("tool/src/main.rs", "fn main() { loop {} }");
    assert_eq!(now(), first);
    fixture.write("b/src/lib.rs", "pub fn new() {}");
    let second = now();
    assert_ne!(second, first);
    fixture.write("a/src/lib.rs", "pub fn new() {}");
    assert_ne!(now(), second);
}

#[test]
fn macros_of_contracts_may_be_used_through_another_crate() {
    let uses_anodized = |manifest: &str, lock: Option<&str>| {
        let mut files = vec![("Cargo.toml", manifest), ("src/lib.rs", "")];
        files.extend(lock.map(|lock| ("Cargo.lock", lock)));
        let fixture = Fixture::new(&files);
        find_targets(&fixture.selection("Cargo.toml"), &CargoContext::default()).unwrap()[0].uses_anodized
    };
    let lock = "version = 4\n\n[[package]]\nname = \"anodized-macros\"\nversion = \"0.6.0\"\n";
    assert!(!uses_anodized(LIBRARY, None));
    assert!(uses_anodized(&format!("{LIBRARY}[dependencies]\nanodized = \"0.8\"\n"), None));
    assert!(uses_anodized(LIBRARY, Some(lock)));
    assert!(!uses_anodized(LIBRARY, Some(&lock.replace("anodized-macros", "anodized-macros-2"))));
}
