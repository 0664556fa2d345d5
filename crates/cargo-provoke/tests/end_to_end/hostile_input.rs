//! What Provoke is given or finds of its own is broken, huge or odd.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::copied_crate::CopiedCrate;

const LIBRARY: &str = "
pub struct Counter(u8);

impl Counter {
    pub fn new() -> Counter {
        Counter(0)
    }

    pub fn count(&mut self) -> u8 {
        self.0 += 100;
        self.0
    }
}
";

fn crate_of(manifest: &str) -> CopiedCrate {
    CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", LIBRARY)])
}

#[test]
fn a_crate_named_like_a_keyword_is_tested_and_its_tests_compile() {
    for (name, edition) in [("match", "2021"), ("gen", "2024"), ("dyn", "2015")] {
        let manifest = format!(
            "[package]\nname = \"odd\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n[lib]\nname = \"{name}\"\n"
        );
        let run = crate_of(&manifest).provoke(&["--calls", "2k"]).exits_with(100);
        assert_eq!(run.verdicts(), [format!("error {name}::Counter::count")]);
        assert_eq!(run.summary()["tests"]["rejected"], 0);
        assert_eq!(run.summary()["tests"]["regression_left_out"], 0);
    }
}

#[test]
fn hundreds_of_features_are_no_burden() {
    let mut manifest =
        "[package]\nname = \"many\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[features]\n".to_string();
    let mut library = LIBRARY.to_string();
    for number in 0..600 {
        writeln!(manifest, "feature-{number} = []").unwrap();
    }
    library += "#[cfg(all(feature = \"feature-0\", feature = \"feature-599\"))]\npub fn with_features() {}\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", &manifest), ("src/lib.rs", &library)]);
    let run = copied.provoke(&["--calls", "500", "--all-features", "--without", "regression"]).exits_with(100);
    assert_eq!(run.summary()["api"]["covered"], 3);
}

/// Every file below a directory.
fn files_below(directory: PathBuf) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => files.extend(files_below(entry.path())),
            false => files.push(entry.path()),
        }
    }
    files
}

#[test]
fn what_an_earlier_run_left_may_be_damaged_in_any_way() {
    let copied = crate_of("[package]\nname = \"counter\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let args = ["--calls", "1k", "--without", "regression"];
    let first = copied.provoke(&args).exits_with(100).timeless_summary();
    let results = copied.path("target/provoke/counter");
    let worker = copied.path("target/provoke/build/debug/provoke-harness-counter");
    assert!(worker.exists());
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [(&str, Damage); 3] = [
        ("cut in half", |bytes| bytes[..bytes.len() / 2].to_vec()),
        ("empty", |_| Vec::new()),
        ("overwritten", |bytes| bytes.iter().map(|byte| byte ^ 0x5a).collect()),
    ];
    for (damage, apply) in damages {
        for part in ["cache", "doc", "harness", "state", "findings", "log"] {
            for file in files_below(results.join(part)) {
                fs::write(&file, apply(&fs::read(&file).unwrap())).unwrap();
            }
        }
        let bytes = apply(&fs::read(&worker).unwrap());
        fs::write(&worker, bytes).unwrap();
        let again = copied.provoke(&args).exits_with(100);
        again.timeless_summary().assert_same_as(&first, damage);
    }
}

#[test]
fn rustdoc_that_is_killed_half_way_is_no_panic() {
    let copied = crate_of("[package]\nname = \"counter\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let json = r#"{"root": 0, "format_version": 57, "index": {"0": {"id""#;
    let run = copied.provoke_with_rustdoc("counter", json, &["--calls", "500"]).exits_with(70);
    assert!(run.stderr.contains("error: "), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

/// What makes who reads all sources, or believes what is said on standard error, wait or read without end.
const MISLEADING: &str = r#"
/// As the last words of a panic that cannot unwind.
fn say(file: &str) -> ! {
    let package = env!("CARGO_MANIFEST_DIR");
    eprintln!("thread panicked at {package}/{file}:1:1:\nlost\nstack backtrace:\n   0: lost\n");
    std::process::abort()
}

pub fn names_a_pipe(n: u8) {
    if n > 3 {
        say("src/pipe.rs");
    }
}

pub fn names_a_device(n: u8) {
    if n > 3 {
        say(&format!("src/{}dev/zero", "../".repeat(100)));
    }
}

pub fn names_a_link(n: u8) {
    if n > 3 {
        say("src/zero.rs");
    }
}
"#;

#[test]
fn what_is_no_source_is_neither_waited_for_nor_read_without_end() {
    let manifest = "[package]\nname = \"misleading\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", &[LIBRARY, MISLEADING].concat())]);
    let made = std::process::Command::new("mkfifo").arg(copied.path("src/pipe.rs")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", copied.path("src/zero.rs")).unwrap();
    std::os::unix::fs::symlink("..", copied.path("src/cycle")).unwrap();
    fs::File::create(copied.path("src/huge.rs")).unwrap().set_len(1 << 40).unwrap();
    let run = copied.provoke(&["--calls", "2k"]).exits_with(100);
    let mut verdicts = run.verdicts();
    verdicts.sort();
    let expected = ["Counter::count", "names_a_device", "names_a_link", "names_a_pipe"];
    assert_eq!(verdicts, expected.map(|function| format!("error misleading::{function}")));
}

#[test]
fn a_search_that_cannot_be_saved_goes_on_and_says_so_once() {
    let copied = CopiedCrate::subject("tree-map");
    let args = ["--calls", "10M", "--without", "regression"];
    copied.provoke(&["--calls", "1k", "--without", "regression"]).exits_with(0);
    // A limit on the size of files stands in for a full disk: nothing but the saved search is that large.
    let run = copied.provoke_with_small_files(&args).exits_with(0);
    assert_eq!(run.stderr.matches("the search cannot be saved for --resume").count(), 1, "{}", run.stderr);
    assert!(!copied.path("target/provoke/tree-map/state/search.bin").exists());
    copied.provoke(&[&args[..], &["--resume"]].concat()).exits_with(0);
}
