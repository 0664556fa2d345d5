//! What cannot be tested: one line that says what is wrong, a hint, the right exit code, and nothing else.

use std::fs;

use expect_test::{Expect, expect};

use crate::copied_crate::CopiedCrate;
use crate::run::Run;

const MANIFEST: &str = "[package]\nname = \"subject\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const LIBRARY: &str = "pub fn half(n: u8) -> u8 {\n    n / 2\n}\n";

fn library(source: &str) -> CopiedCrate {
    CopiedCrate::of_files(&[("Cargo.toml", MANIFEST), ("src/lib.rs", source)])
}

/// The two lines that are ours; between them may stand what cargo or rustc said.
#[track_caller]
fn refused(run: Run, code: i32, expected: Expect) -> String {
    let said = run.refuses_with(code);
    let ours = said.lines().filter(|line| line.starts_with("error: ") || line.starts_with("hint: "));
    expected.assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
    said
}

#[test]
fn a_binary_has_no_api() {
    let binary = CopiedCrate::of_files(&[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}")]);
    refused(
        binary.provoke(&[]),
        4,
        expect![[r#"
            error: package `subject` is not a library: it has only binaries
            hint: only a library has a public API to call; move the code to src/lib.rs
        "#]],
    );
}

#[test]
fn a_procedural_macro_cannot_be_called() {
    let manifest = format!("{MANIFEST}[lib]\nproc-macro = true\n");
    let macros = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", "")]);
    refused(
        macros.provoke(&["list"]),
        4,
        expect![[r#"
            error: package `subject` is a procedural macro, which runs inside the compiler
            hint: put the logic into an ordinary library crate and test that
        "#]],
    );
}

#[test]
fn a_crate_without_public_functions_has_nothing_to_call() {
    let private = library("fn half(n: u8) -> u8 {\n    n / 2\n}\npub struct Half(pub u8);\n");
    refused(
        private.provoke(&["--calls", "500"]),
        4,
        expect![[r#"
        error: `subject` has no public function that can be called
        hint: only public and safe functions are called: make one `pub`, or activate the feature that has them
    "#]],
    );
}

#[test]
fn a_crate_with_its_own_panic_handler_cannot_be_linked() {
    let handler = "#[panic_handler]\nfn stop(_: &core::panic::PanicInfo) -> ! {\n    loop {}\n}\n";
    let bare = library(&format!("#![no_std]\n{LIBRARY}{handler}"));
    let run = bare.provoke(&["--calls", "1k"]);
    let said = run.refuses_with(4);
    assert!(said.contains("error: package `subject` cannot run in a program of its own: "), "{said}");
    assert!(said.contains("`panic_impl`"), "{said}");
}

#[test]
fn a_crate_that_only_does_without_std_is_no_problem() {
    let run = library(&format!("#![no_std]\n{LIBRARY}")).provoke(&["--calls", "500"]).exits_with(0);
    assert_eq!(run.summary()["api"]["covered"], 1);
}

#[test]
fn a_crate_that_does_not_compile_is_shown_with_the_words_of_rustc() {
    for (source, words) in
        [("pub fn f() -> u8 {\n    \"x\"\n}\n", "mismatched types"), ("pub fn f( {\n", "unclosed delimiter")]
    {
        let said = refused(
            library(source).provoke(&["--calls", "1k"]),
            101,
            expect![[r#"
                error: package `subject` does not build:
                hint: `cargo build` in the crate should succeed first
            "#]],
        );
        assert!(said.contains(words), "{said}");
        assert!(said.contains("[crate]/src/lib.rs:"), "{said}");
    }
}

#[test]
fn a_library_that_the_linker_misses_is_shown_with_its_words() {
    let source = "#[link(name = \"surely_no_such_library\")]\nunsafe extern \"C\" {\n    safe fn nothing();\n}\n\
        pub fn calls_it() {\n    nothing();\n}\n";
    let said = refused(
        library(source).provoke(&["--calls", "500"]),
        101,
        expect![[r#"
            error: package `subject` cannot be linked into a program:
            hint: install the libraries that the linker misses; `cargo test` in the crate should link first
        "#]],
    );
    assert!(said.contains("-lsurely_no_such_library"), "{said}");
    assert!(!said.contains("-Wl,"), "the command line is of no use to anybody: {said}");
}

#[test]
fn a_dependency_that_is_nowhere_is_the_fault_of_the_crate() {
    let manifest = format!("{MANIFEST}[dependencies]\nmissing = {{ path = \"../missing\" }}\n");
    let lost = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", LIBRARY)]);
    let said = lost.provoke(&[]).refuses_with(101);
    assert!(said.contains("error: package `subject` does not build:\n"), "{said}");
    assert!(said.contains("`missing`"), "{said}");
}

#[test]
fn a_manifest_that_is_broken_or_missing_is_named() {
    let broken = CopiedCrate::of_files(&[("Cargo.toml", "[package\n"), ("src/lib.rs", "")]);
    let said = broken.provoke(&[]).refuses_with(1);
    assert!(said.starts_with("error: cargo cannot read the manifest: "), "{said}");
    assert!(said.ends_with("hint: `cargo check` should accept it first\n"), "{said}");
    let crate_ = library(LIBRARY);
    for path in ["nowhere/Cargo.toml", "src/lib.rs", "."] {
        let said = crate_.provoke(&["--manifest-path", path]).refuses_with(1);
        assert_eq!(
            said,
            format!(
                "error: `{path}` is not a Cargo.toml that can be read\n\
                 hint: `--manifest-path` takes the path of a file named Cargo.toml\n"
            )
        );
    }
    let empty = CopiedCrate::of_files(&[("README", "Nothing here.\n")]);
    refused(
        empty.provoke(&[]),
        1,
        expect![[r#"
            error: no Cargo.toml in `[crate]` or any directory above it
            hint: run it inside a library crate, or pass `--manifest-path` or `--crate NAME`
        "#]],
    );
}

#[test]
fn names_that_do_not_exist_are_answered_with_those_that_do() {
    let member = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let workspace = CopiedCrate::of_files(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n"),
        ("a/Cargo.toml", &format!("{}[features]\nfast = []\n", member("alpha"))),
        ("a/src/lib.rs", LIBRARY),
        ("b/Cargo.toml", &member("beta")),
        ("b/src/main.rs", "fn main() {}"),
    ]);
    refused(
        workspace.provoke(&["-p", "alpa"]),
        1,
        expect![[r#"
            error: no package `alpa` in this workspace
            hint: did you mean `alpha`?
        "#]],
    );
    refused(
        workspace.provoke(&["--workspace", "--exclude", "gamma"]),
        1,
        expect![[r#"
            error: no package `gamma` in this workspace
            hint: `cargo metadata --no-deps` lists the packages
        "#]],
    );
    refused(
        workspace.provoke(&["-p", "beta"]),
        4,
        expect![[r#"
            error: package `beta` is not a library: it has only binaries
            hint: only a library has a public API to call; move the code to src/lib.rs
        "#]],
    );
    refused(
        workspace.provoke(&["--features", "fsat"]),
        1,
        expect![[r#"
            error: no selected package has a feature `fsat`
            hint: the features are in the crate's Cargo.toml
        "#]],
    );
    // A virtual workspace as a whole is fine: its binaries are passed over.
    let run = workspace.provoke(&["--calls", "500"]).exits_with(0);
    assert_eq!(run.summary()["package"], "alpha");
}

#[test]
fn findings_and_functions_that_do_not_exist_are_usage_errors() {
    let crate_ = library(LIBRARY);
    refused(
        crate_.provoke(&["replay", "0123456789"]),
        1,
        expect![[r#"
            error: there is no finding `0123456789`
            hint: the last run found nothing
        "#]],
    );
    refused(
        crate_.provoke(&["--only", "third", "--calls", "500"]),
        1,
        expect![[r#"
            error: no function matches --only and --omit
            hint: `cargo provoke list` shows the names to match
        "#]],
    );
    refused(
        crate_.provoke(&["--json", "Cargo.toml/summary.json", "--calls", "500"]),
        1,
        expect![[r#"
            error: cannot use Cargo.toml/summary.json: Not a directory (os error 20)
            hint: check that it is a file in a directory that can be written and has room
        "#]],
    );
}

#[test]
fn a_target_directory_that_cannot_be_written_is_named() {
    let crate_ = library(LIBRARY);
    // Permissions would not stop the superuser; this stops everybody.
    fs::write(crate_.path("target"), "a file where a directory should be").unwrap();
    refused(
        crate_.provoke(&[]),
        1,
        expect![[r#"
            error: cannot write `[crate]/target/provoke/subject`: Not a directory (os error 20)
            hint: set CARGO_TARGET_DIR to a directory that can be written
        "#]],
    );
}

#[test]
fn a_toolchain_whose_format_cannot_be_read_gets_the_names_of_those_that_will_do() {
    let crate_ = library(LIBRARY);
    let run = crate_.provoke_with_rustdoc("subject", r#"{"format_version": 99}"#, &["--calls", "500"]);
    refused(
        run,
        1,
        expect![[r#"
        error: the toolchain is too new: its rustdoc writes JSON format 99, supported are 55 to 61 (Rust 1.90 to 1.99)
        hint: choose a toolchain with `cargo +VERSION provoke` or `rustup override set VERSION`, or another Provoke
    "#]],
    );
}

#[test]
fn a_toolchain_with_a_newer_format_is_tried_with_a_warning() {
    let crate_ = library(&format!("{LIBRARY}pub static LIMIT: u8 = 9;\n"));
    let change = r#"s/"format_version":[0-9]*/"format_version":99/; s/"static":/"surprise":/"#;
    let run = crate_.provoke_with_changed_rustdoc(change, &["--calls", "500"]).exits_with(0);
    assert_eq!(run.summary()["api"]["covered"], 1);
    let ours = run.stderr.lines().skip_while(|line| !line.starts_with("warning: ")).take(2);
    expect![[r#"
        warning: the toolchain's rustdoc writes JSON format 99, newer than Provoke knows (55 to 61): it is read as far as it is understood, without 1 item
        hint: if anything looks wrong, choose an older toolchain with `cargo +VERSION provoke`
    "#]]
    .assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn crates_and_versions_that_the_registry_lacks_are_named() {
    let empty = CopiedCrate::of_files(&[("README", "Nothing here.\n")]);
    refused(
        empty.provoke(&["--crate", "surely-no-such-crate-in-the-registry"]),
        1,
        expect![[r#"
            error: no crate `surely-no-such-crate-in-the-registry` in the registry
            hint: look the name up in the registry
        "#]],
    );
    let said = empty.provoke(&["--crate", "slab@99.0.0"]).refuses_with(1);
    assert!(said.starts_with("error: crate `slab` has no version `99.0.0`\nhint: the newest versions are "), "{said}");
}

#[test]
fn a_yanked_version_is_tested_if_it_is_named_in_full_and_said_to_be_yanked() {
    let empty = CopiedCrate::of_files(&[("README", "Nothing here.\n")]);
    let run = empty.provoke(&["list", "--crate", "half@1.8.1"]).exits_with(0);
    assert!(run.stdout.contains("half::f16"), "{}", run.stdout);
    let ours = run.stderr.lines().skip_while(|line| !line.starts_with("warning: ")).take(2);
    expect![[r#"
        warning: half 1.8.1 is yanked: its owners took it back
        hint: `--crate half` tests the newest version that is not
    "#]]
    .assert_eq(&ours.map(|line| format!("{line}\n")).collect::<String>());
}
