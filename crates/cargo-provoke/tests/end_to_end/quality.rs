//! What is planted is found, whatever the seed, and in its shortest form; what is correct stays without a finding.

use std::fs;
use std::ops::RangeInclusive;

use expect_test::expect;

use crate::copied_crate::CopiedCrate;
use crate::run::{Run, number, text};

const SEEDS: RangeInclusive<u8> = 0..=4;

/// The functions at which the planted bugs show, and how many calls the minimised tests may have.
struct Planted {
    subject: &'static str,
    functions: &'static [&'static str],
    calls: RangeInclusive<u64>,
}

fn search(copied: &CopiedCrate, seed: u8, calls: &str) -> Run {
    copied.provoke(&["--calls", calls, "--seed", &seed.to_string(), "--quiet"])
}

fn assert_found(planted: &Planted) {
    let copied = CopiedCrate::subject(planted.subject);
    for seed in SEEDS {
        let run = search(&copied, seed, "3M").exits_with(100);
        let expected: Vec<String> = planted.functions.iter().map(|function| format!("error {function}")).collect();
        assert_eq!(run.verdicts(), expected, "seed {seed}");
        assert_eq!(run.summary()["tests"]["rejected"], 0, "seed {seed}");
        assert_eq!(run.summary()["tests"]["failing"], planted.functions.len(), "seed {seed}");
        for finding in run.findings() {
            let calls = number(&finding["calls"]);
            assert!(planted.calls.contains(&calls), "seed {seed}: {calls} calls in\n{finding:#}");
            assert_eq!(finding["oracle"], "debug-assert", "seed {seed}");
            assert_eq!(finding["flaky"], false, "seed {seed}");
            let test = copied.path("target/provoke").join(planted.subject).join(text(&finding["test"]));
            let source = fs::read_to_string(&test).unwrap_or_else(|error| panic!("{}: {error}", test.display()));
            assert!(source.contains("#[test]"), "{source}");
        }
    }
}

fn assert_nothing_found(subject: &str) {
    let copied = CopiedCrate::subject(subject);
    for seed in SEEDS {
        let run = search(&copied, seed, "200k").exits_with(0);
        assert_eq!(run.verdicts(), [""; 0], "seed {seed}");
        assert_eq!(run.summary()["tests"]["rejected"], 0, "seed {seed}");
        let api = &run.summary()["api"];
        assert_eq!((&api["callable"], &api["covered"]), (&api["functions"], &api["functions"]), "seed {seed}: {api:#}");
        assert!(number(&run.summary()["search"]["calls"]) > 100_000, "seed {seed}: it looked hard enough");
    }
}

/// All of its five bugs, the one behind a magic word, a length and a checksum among them.
#[test]
fn a_guided_search_finds_its_way_into_a_parser_whatever_the_number_of_workers() {
    let copied = CopiedCrate::subject("ini");
    let guided = |jobs: &str| {
        let run = ["--calls", "6M", "--seed", "5", "--jobs", jobs, "--without", "regression", "--quiet"];
        copied.provoke(&run).exits_with(100)
    };
    let (one, two) = (guided("1"), guided("2"));
    let mut places: Vec<&str> = one.findings().iter().map(|finding| text(&finding["location"])).collect();
    places.sort_unstable();
    let planted = [
        "src/directive.rs:46:14",
        "src/directive.rs:58:5",
        "src/lines.rs:48:28",
        "src/parse.rs:69:12",
        "src/quote.rs:17:56",
    ];
    assert_eq!(places, planted);
    assert_eq!(one.summary()["coverage"], two.summary()["coverage"]);
    assert_eq!(one.summary()["search"]["calls"], two.summary()["search"]["calls"]);
    assert_eq!(one.verdicts(), two.verdicts());
    assert_eq!(one.summary()["tests"]["rejected"], 0);
}

#[test]
fn the_bug_of_the_sorted_list_takes_four_calls() {
    assert_found(&Planted { subject: "sorted-list", functions: &["sorted_list::SortedList::get"], calls: 4..=4 });
}

#[test]
fn the_off_by_one_of_the_bounded_stack_takes_two_calls() {
    assert_found(&Planted {
        subject: "bounded-stack",
        functions: &["bounded_stack::BoundedStack::push"],
        calls: 2..=2,
    });
}

#[test]
fn one_place_reached_through_two_functions_is_one_finding() {
    let copied = CopiedCrate::subject("bounded-stack");
    for seed in SEEDS {
        let run = copied.provoke(&["--calls", "300k", "--seed", &seed.to_string()]).exits_with(100);
        assert_eq!(run.verdicts(), ["error bounded_stack::BoundedStack::push"], "seed {seed}");
        let finding = &run.findings()[0];
        assert_eq!(finding["n_similar"], 1, "seed {seed}");
        assert_eq!(finding["also_through"][0], "bounded_stack::BoundedStack::push_n", "seed {seed}");
        assert!(run.stderr.contains("also through 1 other function"), "{}", run.stderr);
        let findings = copied.path("target/provoke/bounded-stack/findings");
        assert_eq!(fs::read_dir(findings).unwrap().count(), 2, "a test and a program, of one finding");
    }
}

#[test]
fn both_bugs_of_the_polynomials_are_found() {
    assert_found(&Planted {
        subject: "polynomial",
        functions: &["polynomial::PStack::push", "polynomial::Poly::add"],
        calls: 6..=7,
    });
}

#[test]
fn a_correct_stack_has_no_finding() {
    assert_nothing_found("int-stack");
}

#[test]
fn a_correct_search_tree_has_no_finding() {
    assert_nothing_found("bin-tree");
}

#[test]
fn a_correct_binomial_heap_has_no_finding() {
    assert_nothing_found("binomial-heap");
}

#[test]
fn a_correct_fibonacci_heap_has_no_finding() {
    assert_nothing_found("fibonacci-heap");
}

#[test]
fn a_correct_map_has_no_finding() {
    assert_nothing_found("tree-map");
}

#[test]
fn the_emitted_test_reads_as_if_written_by_hand() {
    let copied = CopiedCrate::subject("sorted-list");
    let run = search(&copied, 0, "100k").exits_with(100);
    let test = text(&run.findings()[0]["test"]);
    let source = fs::read_to_string(copied.path("target/provoke/sorted-list").join(test)).unwrap();
    expect![[r#"
        use sorted_list::SortedList;

        // Expected: an internal `debug_assert!` states what the author holds impossible.
        // Happened: no element left may be greater than the one returned
        // at src/lib.rs:53:9
        #[test]
        fn get_debug_assert() {
            let mut sorted_list = SortedList::<i32>::default();
            sorted_list.insert(0);
            sorted_list.insert(1);
            let _ = sorted_list.get();
        }
    "#]]
    .assert_eq(&source);
}

#[test]
fn calls_of_every_shape_become_tests_that_compile_and_fail() {
    let copied = CopiedCrate::behaviour("failures-of-every-shape");
    let run = search(&copied, 0, "1M").exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0, "{}", run.stderr);
    expect![[r#"
        error <failures_of_every_shape::Angle as Add>::add
        error <failures_of_every_shape::Angle as Display>::fmt
        error <failures_of_every_shape::Config as From>::from
        error <failures_of_every_shape::Document as Measured>::measure
        error <failures_of_every_shape::Order as FromStr>::from_str
        error <failures_of_every_shape::Order as PartialEq>::eq
        error <failures_of_every_shape::Words as Iterator>::next
        error <str as Measured>::measure
        error failures_of_every_shape::Account::close
        error failures_of_every_shape::Angle::turn
        error failures_of_every_shape::Command::obey
        error failures_of_every_shape::Command::obey_twice
        error failures_of_every_shape::Config::check
        error failures_of_every_shape::Cursor::remove
        error failures_of_every_shape::Document::same_first
        error failures_of_every_shape::Order::send
        error failures_of_every_shape::break_on_array
        error failures_of_every_shape::break_on_box
        error failures_of_every_shape::break_on_bytes
        error failures_of_every_shape::break_on_char
        error failures_of_every_shape::break_on_duration
        error failures_of_every_shape::break_on_float
        error failures_of_every_shape::break_on_iterator
        error failures_of_every_shape::break_on_list
        error failures_of_every_shape::break_on_option
        error failures_of_every_shape::break_on_ordering
        error failures_of_every_shape::break_on_range
        error failures_of_every_shape::break_on_result
        error failures_of_every_shape::break_on_slice
        error failures_of_every_shape::break_on_text
        error failures_of_every_shape::break_on_tuple
        error failures_of_every_shape::break_on_words
        error failures_of_every_shape::deprecated_break
        error failures_of_every_shape::match
        error failures_of_every_shape::must_use_break"#]]
    .assert_eq(&run.verdicts().join("\n"));
    let again = search(&copied, 1, "1M").exits_with(100);
    assert_eq!(again.summary()["tests"]["rejected"], 0, "{}", again.stderr);
    assert_eq!(again.verdicts(), run.verdicts(), "seed 1 against seed 0");
    for finding in run.findings().iter().chain(again.findings()) {
        assert!(number(&finding["calls"]) <= 10, "far from minimal: {finding:#}");
    }
}
