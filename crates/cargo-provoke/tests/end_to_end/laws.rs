//! Every law that is broken is noticed, and what keeps the laws is left alone.

use expect_test::expect;
use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn every_broken_law_is_noticed_where_it_is_broken() {
    let copied = CopiedCrate::behaviour("broken-laws");
    let run = copied.provoke(&["--calls", "6M", "--write-tests"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let line = |finding: &Value| {
        let also: Vec<&str> = finding["also_through"].as_array().into_iter().flatten().map(text).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also {}", also.join(", ")) };
        format!("{} {} {}{also}", text(&finding["tier"]), text(&finding["oracle"]), text(&finding["function"]))
    };
    let mut found: Vec<String> = run.findings().iter().map(line).collect();
    found.sort();
    expect![[r#"
        error borrow-equals-alike <broken_laws::comparisons::Tagged as Borrow>::borrow
        error borrow-hashes-alike <broken_laws::comparisons::Tagged as Borrow>::borrow
        error both-ends <broken_laws::iterators::Crossing as DoubleEndedIterator>::next_back
        error clone-equals <broken_laws::copies::Forgetful as Clone>::clone
        error count-steps <broken_laws::iterators::Shortcut as Iterator>::count
        error double-ended <broken_laws::iterators::Crossing as DoubleEndedIterator>::next_back
        error double-ended <broken_laws::iterators::TwoFaced as DoubleEndedIterator>::next_back
        error eq-reflexive <broken_laws::comparisons::Irreflexive as PartialEq>::eq
        error eq-symmetric <broken_laws::comparisons::Asymmetric as PartialEq>::eq
        error eq-symmetric <broken_laws::comparisons::Label as PartialEq>::eq, also <broken_laws::comparisons::Name as PartialEq>::eq
        error eq-transitive <broken_laws::comparisons::Intransitive as PartialEq>::eq
        error exact-size <broken_laws::iterators::Miscounted as ExactSizeIterator>::len
        error fused <broken_laws::iterators::Restless as FusedIterator>::next
        error hash-agrees <broken_laws::comparisons::Caseless as Hash>::hash
        error last-steps <broken_laws::iterators::Shortcut as Iterator>::last
        error ne-is-not-eq <broken_laws::comparisons::Undecided as PartialEq>::ne
        error nth-steps <broken_laws::iterators::Shortcut as Iterator>::nth
        error ord-agrees-with-eq <broken_laws::orders::Ranked as PartialOrd>::partial_cmp
        error ord-antisymmetric <broken_laws::orders::OneWay as PartialOrd>::partial_cmp
        error ord-operators <broken_laws::orders::Sloppy as PartialOrd>::lt
        error ord-total <broken_laws::orders::Hesitant as PartialOrd>::partial_cmp
        error ord-transitive <broken_laws::orders::Hand as PartialOrd>::partial_cmp
        error ord-transitive <broken_laws::orders::OneWay as PartialOrd>::partial_cmp
        error size-hint <broken_laws::iterators::Boastful as Iterator>::size_hint
        error trait-panics <broken_laws::comparisons::Touchy as PartialEq>::eq
        suspicious capacity-agrees broken_laws::containers::Crowded::capacity
        suspicious conversion-round-trip <broken_laws::copies::Magnitude as TryFrom>::try_from
        suspicious count-agrees broken_laws::containers::Secretive::len
        suspicious is-empty-agrees broken_laws::containers::Pessimist::is_empty
        suspicious text-round-trip <broken_laws::copies::Unsigned as FromStr>::from_str
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
    // Laws make the longest assertions.
    assert_eq!(copied.tests_that_rustfmt_would_change(), [""; 0]);
}

#[test]
fn what_is_lent_to_two_at_once_is_noticed() {
    let run = CopiedCrate::behaviour("overlaps").provoke(&["--calls", "3M"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    expect![[r#"
        error exclusive-borrows overlaps::Halves::ends 6 calls
        error exclusive-borrows overlaps::Peeking::take 8 calls
        error exclusive-borrows overlaps::Stuck::step 8 calls
    "#]]
    .assert_eq(&run.lines_with_calls());
}

#[test]
fn views_that_hide_from_whom_they_borrow_accuse_nobody() {
    let run = CopiedCrate::behaviour("lent-views").provoke(&["--calls", "3M"]).exits_with(0);
    let summary = run.summary();
    assert_eq!((&summary["tests"]["rejected"], run.findings().len()), (&0.into(), 0));
    assert_eq!(summary["search"]["worker_restarts"], 0, "no program of ours uses what is gone");
    assert_eq!(summary["api"]["covered"], summary["api"]["callable"]);
}

const TWINS: &str = r#"
macro_rules! countdown {
    ($($Name:ident)*) => {$(
        #[derive(Debug, Clone)]
        pub struct $Name(u8);

        impl $Name {
            pub fn new(start: u8) -> $Name {
                $Name(start % 8)
            }
        }

        impl Iterator for $Name {
            type Item = u8;

            fn next(&mut self) -> Option<u8> {
                self.0 = self.0.checked_sub(1)?;
                Some(self.0)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (usize::from(self.0), Some(usize::from(self.0)))
            }
        }

        impl ExactSizeIterator for $Name {
            fn len(&self) -> usize {
                usize::from(self.0 % 7)
            }
        }
    )*};
}

countdown!(Twin OtherTwin);
"#;

#[test]
fn a_law_that_one_macro_call_breaks_for_two_types_is_one_finding() {
    let manifest = "[package]\nname = \"twins\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let copied = CopiedCrate::of_files(&[("Cargo.toml", manifest), ("src/lib.rs", TWINS)]);
    let run = copied.provoke(&["--calls", "50k", "--without", "regression"]).exits_with(100);
    let found: Vec<&str> = run.findings().iter().map(|finding| text(&finding["function"])).collect();
    assert_eq!(found, ["<twins::OtherTwin as ExactSizeIterator>::len"]);
    let finding = &run.findings()[0];
    assert_eq!(finding["oracle"], "exact-size");
    assert_eq!(finding["also_through"][0], "<twins::Twin as ExactSizeIterator>::len");
    assert_eq!(finding["n_similar"], 1);
}
