//! Every law that is broken is noticed, and what keeps the laws is left alone.

use expect_test::expect;
use serde_json::Value;

use crate::copied_crate::CopiedCrate;
use crate::run::text;

#[test]
fn every_broken_law_is_noticed_where_it_is_broken() {
    let copied = CopiedCrate::testdata("lawless");
    let run = copied.provoke(&["--calls", "6M", "--write-tests"]).exits_with(100);
    assert_eq!(run.summary()["tests"]["rejected"], 0);
    let line = |finding: &Value| {
        format!("{} {} {}", text(&finding["tier"]), text(&finding["oracle"]), text(&finding["function"]))
    };
    let mut found: Vec<String> = run.findings().iter().map(line).collect();
    found.sort();
    expect![[r#"
        error borrow-equals-alike <lawless::comparisons::Tagged as Borrow>::borrow
        error borrow-hashes-alike <lawless::comparisons::Tagged as Borrow>::borrow
        error both-ends <lawless::iterators::Crossing as DoubleEndedIterator>::next_back
        error clone-equals <lawless::copies::Forgetful as Clone>::clone
        error count-steps <lawless::iterators::Shortcut as Iterator>::count
        error double-ended <lawless::iterators::Crossing as DoubleEndedIterator>::next_back
        error double-ended <lawless::iterators::TwoFaced as DoubleEndedIterator>::next_back
        error eq-reflexive <lawless::comparisons::Irreflexive as PartialEq>::eq
        error eq-symmetric <lawless::comparisons::Asymmetric as PartialEq>::eq
        error eq-symmetric <lawless::comparisons::Label as PartialEq>::eq
        error eq-symmetric <lawless::comparisons::Name as PartialEq>::eq
        error eq-transitive <lawless::comparisons::Intransitive as PartialEq>::eq
        error exact-size <lawless::iterators::Miscounted as ExactSizeIterator>::len
        error exclusive-borrows lawless::borrows::Halves::ends
        error exclusive-borrows lawless::borrows::Stuck::step
        error fused <lawless::iterators::Restless as FusedIterator>::next
        error hash-agrees <lawless::comparisons::Caseless as Hash>::hash
        error last-steps <lawless::iterators::Shortcut as Iterator>::last
        error ne-is-not-eq <lawless::comparisons::Undecided as PartialEq>::ne
        error nth-steps <lawless::iterators::Shortcut as Iterator>::nth
        error ord-agrees-with-eq <lawless::orders::Ranked as PartialOrd>::partial_cmp
        error ord-antisymmetric <lawless::orders::OneWay as PartialOrd>::partial_cmp
        error ord-operators <lawless::orders::Sloppy as PartialOrd>::lt
        error ord-total <lawless::orders::Hesitant as PartialOrd>::partial_cmp
        error ord-transitive <lawless::orders::Hand as PartialOrd>::partial_cmp
        error ord-transitive <lawless::orders::OneWay as PartialOrd>::partial_cmp
        error size-hint <lawless::iterators::Boastful as Iterator>::size_hint
        error trait-panics <lawless::comparisons::Touchy as PartialEq>::eq
        suspicious capacity-agrees lawless::containers::Crowded::capacity
        suspicious conversion-round-trip <lawless::copies::Magnitude as TryFrom>::try_from
        suspicious count-agrees lawless::containers::Secretive::len
        suspicious is-empty-agrees lawless::containers::Pessimist::is_empty
        suspicious text-round-trip <lawless::copies::Unsigned as FromStr>::from_str
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
    // Laws make the longest assertions.
    assert_eq!(copied.tests_that_rustfmt_would_change(), [""; 0]);
}
