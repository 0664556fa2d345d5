//! What a run says about the lines and branches that it reached.

use std::collections::BTreeMap;
use std::fs;

use crate::copied_crate::CopiedCrate;

/// By file, then by line: whether it was reached.
type Lines = BTreeMap<String, BTreeMap<u32, bool>>;

/// Lines and the sides of conditions in them: `1`, `0` or `-`.
type Branches = BTreeMap<u32, Vec<String>>;

/// Reads a tracefile, which has nothing in it that is not expected there.
fn read_lcov(text: &str) -> (Lines, BTreeMap<String, Branches>) {
    let mut files = Lines::new();
    let mut branches_of_files = BTreeMap::new();
    let mut branches = Branches::new();
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
            "BRDA" => branches.entry(numbers[0].parse().unwrap()).or_default().push(numbers[3].to_owned()),
            "BRF" => assert_eq!(value, branches.values().map(Vec::len).sum::<usize>().to_string()),
            "BRH" => {
                assert_eq!(value, branches.values().flatten().filter(|taken| *taken == "1").count().to_string());
            }
            "LF" => assert_eq!(value, lines.len().to_string()),
            "LH" => assert_eq!(value, n_hit()),
            "end_of_record" => {
                assert!(branches.keys().all(|line| lines.contains_key(line)), "{branches:?}");
                assert!(files.insert(path.clone(), std::mem::take(&mut lines)).is_none(), "{path} twice");
                branches_of_files.insert(path.clone(), std::mem::take(&mut branches));
            }
            "FN" | "FNDA" => assert_eq!(numbers.len(), 2, "{line}"),
            "FNF" | "FNH" => assert_eq!(numbers.len(), 1, "{line}"),
            _ => panic!("{line}"),
        }
    }
    assert!(lines.is_empty(), "the last record has no end");
    (files, branches_of_files)
}

#[test]
fn generic_and_inlined_code_is_counted_and_nothing_else() {
    let copied = CopiedCrate::behaviour("generics");
    let run = copied.provoke(&["--calls", "50k", "--lcov", "out/lcov.info"]).exits_with(0);
    let (files, branches) = read_lcov(&fs::read_to_string(copied.path("out/lcov.info")).unwrap());
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
    let sides = || branches.values().flat_map(|branches| branches.values()).flatten();
    assert_eq!(number("branches_total"), sides().count() as u64);
    assert_eq!(number("branches"), sides().filter(|taken| *taken == "1").count() as u64);
}

#[test]
fn dependencies_count_on_request() {
    let copied = CopiedCrate::behaviour("two-versions");
    let covered_files = |cover: &[&str]| -> Vec<String> {
        let lcov = ["--calls", "2k", "--without", "regression", "--deny", "none", "--lcov", "out/lcov.info"];
        copied.provoke(&[&lcov, cover].concat()).exits_with(0);
        let (files, _) = read_lcov(&fs::read_to_string(copied.path("out/lcov.info")).unwrap());
        let is_reached = |lines: &BTreeMap<u32, bool>| lines.values().any(|hit| *hit);
        assert!(files.values().all(is_reached), "{files:?}");
        files.keys().map(|path| copied.without_path(path)).collect()
    };
    let own = "[crate]/src/lib.rs";
    assert_eq!(covered_files(&[]), [own]);
    assert_eq!(covered_files(&["--cover", "meter@2.0.0"]), ["[crate]/meter-2/src/lib.rs", own]);
    assert_eq!(covered_files(&["--cover", "meter"]), ["[crate]/meter-1/src/lib.rs", "[crate]/meter-2/src/lib.rs", own]);
    let run = copied.provoke(&["--cover", "meter@3.0.0"]).exits_with(1);
    assert!(run.stderr.contains("hint: there is `meter@1.0.0` and `meter@2.0.0`"), "{}", run.stderr);
    let run = copied.provoke(&["--cover", "metre"]).exits_with(1);
    assert!(run.stderr.contains("`two-versions` does not depend on `metre`"), "{}", run.stderr);
}

#[test]
fn conditions_have_sides_and_some_of_them_only_panic() {
    let copied = CopiedCrate::behaviour("generics");
    copied.provoke(&["--calls", "50k", "--without", "regression"]).exits_with(0);
    let text = fs::read_to_string(copied.path("target/provoke/generics/coverage.json")).unwrap();
    let coverage: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sides_at = |text: &str| -> Vec<(bool, bool)> {
        let is_there = |place: &str| {
            let (file, line_and_column) = place.split_once(':').unwrap();
            let line: usize = line_and_column.split(':').next().unwrap().parse().unwrap();
            fs::read_to_string(copied.path(file)).unwrap().lines().nth(line - 1).unwrap().contains(text)
        };
        let conditions = coverage["conditions"].as_array().unwrap().iter();
        let here = conditions.filter(|condition| is_there(condition["place"].as_str().unwrap()));
        let sides = here.flat_map(|condition| condition["sides"].as_array().unwrap());
        sides.map(|side| (side["panics"].as_bool().unwrap(), side["taken"].as_bool().unwrap())).collect()
    };
    let (goes_on, panics, taken) = (false, true, true);
    let mut both = sides_at("self.things.len() > 3");
    both.sort();
    assert_eq!(both, [(goes_on, taken), (goes_on, taken)]);
    let mut one = sides_at("others.len() == 77_777");
    one.sort();
    assert_eq!(one, [(goes_on, !taken), (goes_on, taken)]);
    // Never reached, and the index may be out of bounds there.
    let check = sides_at("others[largest_place(others)]");
    assert!(check.contains(&(goes_on, !taken)) && check.contains(&(panics, !taken)), "{check:?}");
    // It has no condition of its own: whether there is room for one more is decided in std.
    assert_eq!(sides_at("self.things.push(thing)"), []);
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
    let copied = CopiedCrate::behaviour("generics");
    let run = copied.provoke(&["--calls", "2k", "--without", "counters,regression"]).exits_with(0);
    assert!(run.summary()["coverage"].is_null());
    assert!(!run.stderr.contains("Coverage"), "{}", run.stderr);
    // In the same directory, the other worker is built beside the first.
    let run = copied.provoke(&["--calls", "2k", "--without", "coverage,regression"]).exits_with(0);
    assert!(run.summary()["coverage"]["edges"].as_u64().unwrap() > 0);
}
