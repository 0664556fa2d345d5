//! What a run says about the lines that it reached.

use std::collections::BTreeMap;
use std::fs;

use crate::copied_crate::CopiedCrate;

/// By file, then by line: whether it was reached.
type Lines = BTreeMap<String, BTreeMap<u32, bool>>;

/// Reads a tracefile, which has nothing in it that is not expected there.
fn read_lcov(text: &str) -> Lines {
    let mut files = Lines::new();
    let mut lines = BTreeMap::new();
    let mut path = String::new();
    for line in text.lines() {
        let (keyword, value) = line.split_once(':').unwrap_or((line, ""));
        let numbers: Vec<&str> = value.split(',').collect();
        let n_hit = || lines.values().filter(|hit| **hit).count().to_string();
        match keyword {
            "TN" => assert_eq!(value, ""),
            "SF" => path = value.to_owned(),
            "DA" => assert!(lines.insert(numbers[0].parse().unwrap(), numbers[1] == "1").is_none(), "{line} twice"),
            "LF" => assert_eq!(value, lines.len().to_string()),
            "LH" => assert_eq!(value, n_hit()),
            "end_of_record" => {
                assert!(files.insert(path.clone(), std::mem::take(&mut lines)).is_none(), "{path} twice");
            }
            "FN" | "FNDA" => assert_eq!(numbers.len(), 2, "{line}"),
            "FNF" | "FNH" => assert_eq!(numbers.len(), 1, "{line}"),
            _ => panic!("{line}"),
        }
    }
    assert!(lines.is_empty(), "the last record has no end");
    files
}

#[test]
fn generic_and_inlined_code_is_counted_and_nothing_else() {
    let copied = CopiedCrate::testdata("generics");
    let run = copied.provoke(&["--calls", "50k", "--lcov", "out/lcov.info"]).exits_with(0);
    let files = read_lcov(&fs::read_to_string(copied.path("out/lcov.info")).unwrap());
    let names: Vec<String> = files.keys().map(|path| copied.without_path(path)).collect();
    assert_eq!(names, ["[crate]/src/lib.rs", "[crate]/src/shelf.rs"]);
    for (path, lines) in &files {
        for (line, number) in fs::read_to_string(path).unwrap().lines().zip(1..) {
            let expected = match line.split_once(" // ") {
                Some((_, "reached")) => Some(true),
                Some((_, "not reached")) => Some(false),
                Some((_, "no code")) => None,
                _ => continue,
            };
            assert_eq!(lines.get(&number).copied(), expected, "{path}:{number}: {line}");
        }
    }
    let coverage = run.summary()["coverage"].clone();
    let number = |name: &str| coverage[name].as_u64().unwrap();
    let all = || files.values().flat_map(|lines| lines.values());
    assert_eq!(number("lines_total"), all().count() as u64);
    assert_eq!(number("lines"), all().filter(|hit| **hit).count() as u64);
    assert!(number("edges") > 0 && number("edges") < number("edges_total"), "{coverage}");
    // `largest`, and four of `Shelf`; what is derived is no function in the sources, and nothing calls the last one.
    assert_eq!((number("functions"), number("functions_total")), (5, 6), "{coverage}");
    assert!(run.stderr.contains("    Coverage "), "{}", run.stderr);
}

#[test]
fn emitted_tests_are_compiled_without_counters() {
    let copied = CopiedCrate::subject("polynomial");
    copied.provoke(&["--calls", "50k", "--seed", "1"]).exits_with(100);
    let directory = copied.path("target/provoke/build/debug/deps");
    let mut n_tests = 0;
    for entry in fs::read_dir(directory).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let is_test = name.starts_with("provoke_") && !name.starts_with("provoke_harness");
        if is_test && !name.contains('.') {
            n_tests += 1;
            let bytes = fs::read(entry.path()).unwrap();
            assert!(!bytes.windows(8).any(|window| window == b"__sancov"), "{name} has counters");
        }
    }
    assert!(n_tests > 0, "no test was built");
}

#[test]
fn without_counters_nothing_is_measured() {
    let copied = CopiedCrate::testdata("generics");
    let run = copied.provoke(&["--calls", "2k", "--without", "counters,regression"]).exits_with(0);
    assert!(run.summary()["coverage"].is_null());
    assert!(!run.stderr.contains("Coverage"), "{}", run.stderr);
    // In the same directory, the other worker is built beside the first.
    let run = copied.provoke(&["--calls", "2k", "--without", "coverage,regression"]).exits_with(0);
    assert!(run.summary()["coverage"]["edges"].as_u64().unwrap() > 0);
}
