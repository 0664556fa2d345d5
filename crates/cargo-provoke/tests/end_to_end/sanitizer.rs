//! Memory errors that show in nothing but a report of the sanitizer.

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, text};

fn source_of_test(copied: &CopiedCrate, run: &Run, function: &str) -> String {
    let finding = run.findings().iter().find(|finding| finding["function"] == function).unwrap();
    let path = copied.path("target/provoke/memory-errors").join(text(&finding["test"]));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_only_the_sanitizer_sees_is_found_with_it_and_nothing_else_is() {
    let copied = CopiedCrate::behaviour("memory-errors");
    let run = copied.provoke(&["--calls", "50k", "--sanitizer", "none"]).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    let run = copied.provoke(&["--calls", "50k", "--sanitizer", "address"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    expect![[r#"
        error memory-error memory_errors::Cellar::year_at_hand 4 calls
        error memory-error memory_errors::is_label_blank 1 calls
    "#]]
    .assert_eq(&run.lines_with_calls());
    assert!(run.findings().iter().all(|finding| finding["sanitizer"] == "address"), "{:?}", run.findings());
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    expect![[r#"
        use memory_errors::Cellar;

        // Expected: safe code must not touch memory that is not its own.
        // Happened: heap-use-after-free: read of 4 bytes, 0 bytes inside of 4-byte region
        // at src/lib.rs:28:44
        // Seen by AddressSanitizer:
        // RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address cargo test --target [host]
        #[test]
        fn year_at_hand_memory_error() {
            let mut cellar = Cellar::new();
            cellar.store(0);
            cellar.drink();
            let _ = cellar.year_at_hand(); // aborts the test process
        }
    "#]]
    .assert_eq(&source_of_test(&copied, &run, "memory_errors::Cellar::year_at_hand").replace(&host, "[host]"));
    let finding =
        run.findings().iter().find(|finding| finding["function"] == "memory_errors::Cellar::year_at_hand").unwrap();
    assert_eq!(
        finding["explanation"][0],
        "read in a closure (src/lib.rs:28:44), called by year_at_hand (src/lib.rs:28:22)"
    );
    let replayed = copied.provoke(&["replay", "--all"]).exits_with(100);
    assert!(replayed.stdout.contains("2 still there"), "{}", replayed.stdout);
}

#[test]
fn the_last_part_of_a_long_search_is_the_sanitizers() {
    let copied = CopiedCrate::behaviour("memory-errors");
    let run = copied.provoke(&["--calls", "5M", "--without", "regression"]).exits_with(100);
    assert!(run.stderr.contains("Searching with AddressSanitizer"), "{}", run.stderr);
    expect![[r#"
        error memory-error memory_errors::Cellar::year_at_hand 4 calls
        error memory-error memory_errors::is_label_blank 1 calls
    "#]]
    .assert_eq(&run.lines_with_calls());
}

/// Refuses to instrument, as compilers do for platforms without the sanitizer, and passes everything else on.
const RELUCTANT_WRAPPER: &str = "#!/bin/sh
case \"$*\" in
*-Zsanitizer=*) echo 'error: address sanitizer is not supported for this target' >&2; exit 1;;
esac
exec \"$@\"
";

#[cfg(unix)]
#[test]
fn without_the_sanitizer_a_search_that_wants_it_is_refused_and_another_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let copied = CopiedCrate::behaviour("memory-errors");
    let wrapper = copied.path("wrapper.sh");
    std::fs::write(&wrapper, RELUCTANT_WRAPPER).unwrap();
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let variables = [("RUSTC_WRAPPER", wrapper.to_str().unwrap())];
    let refused = copied.provoke_with(&["--calls", "1k", "--sanitizer", "address"], &variables).refuses_with(1);
    assert!(refused.contains("cannot be built with AddressSanitizer"), "{refused}");
    assert!(refused.contains("address sanitizer is not supported for this target"), "{refused}");
    assert!(refused.contains("hint: "), "{refused}");
    let run = copied.provoke_with(&["--calls", "5M", "--without", "regression"], &variables).exits_with(0);
    assert!(run.stderr.contains("warning: memory errors are not looked for"), "{}", run.stderr);
    // All of them, but for those that a panic kept from being made; the sanitizer's part would be a fifth.
    let calls = run.summary()["search"]["calls"].as_u64().unwrap();
    assert!(calls > 4_500_000, "{calls}");
}

/// What the lock keeps, no signature shows; and locks can be shared, so that nobody takes it for a cell.
const ARCHIVE: &str = "
use std::sync::Mutex;

#[derive(Default)]
pub struct Archive<T>(Mutex<Vec<T>>);

impl<T: Clone> Archive<T> {
    pub fn keep_all(&self, values: &[T]) {
        self.0.lock().unwrap().extend_from_slice(values);
    }
}

impl Archive<&str> {
    pub fn total(&self) -> usize {
        self.0.lock().unwrap().iter().map(|text| text.bytes().map(usize::from).sum::<usize>()).sum()
    }
}

#[derive(Default)]
pub struct Register(Vec<String>);

impl Register {
    pub fn add(&mut self, name: String) {
        self.0.push(name);
    }

    pub fn clear(&mut self) {
        self.0 = Vec::new();
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
";

#[test]
fn what_rustc_refuses_to_compile_accuses_nobody_and_says_whose_loans_were_misread() {
    let manifest = "[package]\nname = \"archive\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", ARCHIVE)]);
    let sanitized = ["--sanitizer", "address", "--without", "regression"];
    let misread = "is not understood: <::archive::Archive<&'static str>>::keep_all";
    let run = copied.provoke(&[&sanitized[..], &["--calls", "300k"]].concat()).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    assert!(run.stderr.contains(misread) && !run.stderr.contains("no longer called"), "{}", run.stderr);
    // Whose loans were misread is not called any more where the clock decides anyway.
    let run = copied.provoke(&[&sanitized[..], &["--time", "6s"]].concat()).exits_with(0);
    assert_eq!(run.verdicts(), [""; 0]);
    assert!(run.stderr.contains(&format!("no longer called, since what it borrows from {misread}")), "{}", run.stderr);
}
