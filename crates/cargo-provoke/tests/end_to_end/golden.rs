//! What the tool makes of the crates in `subjects/`, kept beside this file: the tests that it
//! writes, failing ones where a bug is planted, the regression suite of each, and the summary
//! without times. So whatever changes results shows here, whether it was meant to or not.
//! `UPDATE_EXPECT=1 cargo test` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;

use crate::copied_crate::CopiedCrate;

const SUBJECTS: [&str; 8] = [
    "bin-tree",
    "binomial-heap",
    "bounded-stack",
    "fibonacci-heap",
    "int-stack",
    "polynomial",
    "sorted-list",
    "tree-map",
];

fn golden_directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/end_to_end/golden").join(name)
}

/// Names and texts of the files in a directory; none if there is no such directory.
fn texts_in(directory: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().expect("we give plain names");
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[track_caller]
fn assert_as_kept(subject: &str, exit_code: i32) {
    let copied = CopiedCrate::subject(subject);
    let run = copied.provoke(&["--calls", "1M", "--seed", "1", "--write-tests"]).exits_with(exit_code);
    let summary = golden_directory("summaries").join(subject).with_extension("json");
    expect_file![summary].assert_eq(&run.timeless_summary().text());
    let written = texts_in(&copied.path("tests"));
    let directory = golden_directory(subject);
    let stale: Vec<String> = texts_in(&directory).into_keys().filter(|name| !written.contains_key(name)).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(&directory).unwrap();
        stale.iter().for_each(|name| fs::remove_file(directory.join(name)).unwrap());
    } else {
        assert_eq!(stale, [""; 0], "kept for {subject}, but not written any more");
    }
    for (name, text) in &written {
        // A release changes nothing that deserves a look at these files.
        let version = format!("cargo-provoke {}", env!("CARGO_PKG_VERSION"));
        expect_file![directory.join(name)].assert_eq(&text.replace(&version, "cargo-provoke [version]"));
    }
}

#[test]
fn the_tests_of_the_polynomials_are_as_kept() {
    assert_as_kept("polynomial", 100);
}

#[test]
fn the_tests_of_the_sorted_list_are_as_kept() {
    assert_as_kept("sorted-list", 100);
}

#[test]
fn the_tests_of_the_bounded_stack_are_as_kept() {
    assert_as_kept("bounded-stack", 100);
}

#[test]
fn the_regression_suites_of_the_correct_containers_are_as_kept() {
    for subject in ["bin-tree", "binomial-heap", "fibonacci-heap", "int-stack", "tree-map"] {
        assert_as_kept(subject, 0);
    }
}

#[test]
fn what_is_kept_compiles_without_warnings_in_all_editions() {
    let kept: BTreeMap<&str, BTreeMap<String, String>> =
        SUBJECTS.into_iter().map(|subject| (subject, texts_in(&golden_directory(subject)))).collect();
    let editions = ["2018", "2021", "2024"];
    let quoted: Vec<String> = editions.iter().map(|edition| format!("\"e{edition}\"")).collect();
    let manifest =
        format!("[workspace]\nresolver = \"2\"\nmembers = [{}]\nexclude = [\"subjects\"]\n", quoted.join(", "));
    let mut files: Vec<(String, String)> = vec![("Cargo.toml".to_string(), manifest)];
    for edition in editions {
        let mut manifest = format!(
            "[package]\nname = \"e{edition}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[dependencies]\n"
        );
        // Modules of one crate: a program for each file would be compiled and linked each.
        let mut modules = String::new();
        for (subject, texts) in &kept {
            assert!(texts.contains_key("provoke_regression.rs"), "nothing is kept for {subject}");
            manifest.push_str(&format!("{subject} = {{ path = \"../subjects/{subject}\" }}\n"));
            for (name, text) in texts {
                let module = format!("{}_{}", subject.replace('-', "_"), name.trim_end_matches(".rs"));
                modules.push_str(&format!("#[cfg(test)]\nmod {module};\n"));
                files.push((format!("e{edition}/src/{module}.rs"), text.clone()));
            }
        }
        files.push((format!("e{edition}/Cargo.toml"), manifest));
        files.push((format!("e{edition}/src/lib.rs"), modules));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let workspace = CopiedCrate::of_files(&files);
    for subject in SUBJECTS {
        workspace.add_subject(subject);
    }
    workspace
        .cargo(&["check", "--workspace", "--tests", "--offline", "--config", "build.rustflags=['-Dwarnings']"])
        .exits_with(0);
}
