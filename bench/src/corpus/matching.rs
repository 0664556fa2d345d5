//! Which finding shows which bug.

use serde::{Deserialize, Serialize};

use crate::corpus::bug::Bug;
use crate::corpus::function_name::FunctionName;
use crate::corpus::oracle_kind::kinds_of;

/// A finding as the tool writes it, with what decides whether it shows a bug, and what is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub id: String,
    pub tier: Tier,
    pub oracle: String,
    /// The last call.
    pub function: String,
    pub message: String,
    /// The innermost line of the crate, where there is one.
    pub location: Option<String>,
    pub calls: u64,
    pub found_after_seconds: f64,
    /// It comes and goes, and has no test.
    #[serde(default)]
    pub flaky: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Error,
    Suspicious,
    /// Not worth a person's time, so nothing is found by it.
    Expected,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Tier::Error => "error",
            Tier::Suspicious => "suspicious",
            Tier::Expected => "expected",
        }
    }
}

/// Whether the finding is this bug.
pub fn shows(finding: &Finding, bug: &Bug) -> bool {
    is_about(finding, bug) && has_expected_kind_and_message(finding, bug)
}

/// The finding that shows the bug; the first if there are several.
pub fn first_that_shows<'a>(findings: &'a [Finding], bug: &Bug) -> Option<&'a Finding> {
    earliest(findings.iter().filter(|finding| shows(finding, bug)))
}

/// A finding about the same function or place that is not of the expected kind, or says something else: most of the
/// time the next thing that a developer wants to look at.
pub fn first_near<'a>(findings: &'a [Finding], bug: &Bug) -> Option<&'a Finding> {
    earliest(findings.iter().filter(|finding| is_about(finding, bug) && !shows(finding, bug)))
}

fn earliest<'a>(findings: impl Iterator<Item = &'a Finding>) -> Option<&'a Finding> {
    findings.min_by(|a, b| a.found_after_seconds.total_cmp(&b.found_after_seconds))
}

/// The last call is one of the bug's functions, or the innermost line of the crate is one of its places. The line, not
/// only the file: many crates have but one.
fn is_about(finding: &Finding, bug: &Bug) -> bool {
    if finding.tier == Tier::Expected || finding.flaky {
        return false;
    }
    let called = FunctionName::parse(&finding.function);
    bug.functions.iter().any(|function| FunctionName::parse(function).is_same(&called))
        || finding.location.as_deref().is_some_and(|location| bug.is_at(location))
}

/// The message of a bug is that of its panic or abort, so a broken law or a hang cannot have it.
fn has_expected_kind_and_message(finding: &Finding, bug: &Bug) -> bool {
    let mut kinds = kinds_of(&finding.oracle).iter().filter(|kind| bug.expects(**kind));
    kinds.any(|kind| !kind.has_message() || bug.has_message_in(&finding.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bug;

    const BUGS: &str = r#"
        [[bug]]
        crate = "a"
        version = "1.0.0"
        function = ["a::List::get", "<a::List as Extend>::extend"]
        expect = ["panic", "hang"]
        message = "index out of bounds"
        place = "src/list.rs:10"
        places_also = ["src/list.rs:20"]
        messages_also = ["overflow"]

        [[bug]]
        crate = "a"
        version = "1.0.0"
        function = ["<a::List as Hash>::hash"]
        expect = "law"

        [[bug]]
        crate = "a"
        version = "1.0.0"
        function = ["a::List::pop"]
        expect = ["signal", "drop", "invariant"]
        message = "zero-initialize"
    "#;

    fn finding(oracle: &str, function: &str, message: &str, location: &str) -> Finding {
        let location = (!location.is_empty()).then(|| location.to_owned());
        Finding {
            id: String::new(),
            tier: Tier::Suspicious,
            oracle: oracle.to_owned(),
            function: function.to_owned(),
            message: message.to_owned(),
            location,
            calls: 3,
            found_after_seconds: 1.0,
            flaky: false,
        }
    }

    /// The bugs that a finding shows, by their places in the list.
    fn shown(finding: &Finding) -> Vec<usize> {
        let bugs = bug::parse(BUGS).expect("valid");
        (0..bugs.len()).filter(|&bug_idx| shows(finding, &bugs[bug_idx])).collect()
    }

    #[test]
    fn a_finding_shows_a_bug_by_function_or_place_and_kind_and_message() {
        let bounds = "index out of bounds: the len is 0 but the index is 0";
        let cases: &[(Finding, &[usize])] = &[
            (finding("undocumented-panic", "a::List::get", bounds, "src/other.rs:1:1"), &[0]),
            (finding("error-promised", "a::other", bounds, "src/list.rs:10:9"), &[0]),
            (finding("unreachable", "a::other", bounds, "src/list.rs:20:9"), &[0]),
            (finding("overflow", "<a::List<u8> as Extend<u8>>::extend", "attempt to add with overflow", ""), &[0]),
            (finding("undocumented-panic", "a::other", bounds, "src/list.rs:11:9"), &[]),
            (finding("undocumented-panic", "a::List::get", "out of memory", ""), &[]),
            (finding("crash", "a::List::get", bounds, ""), &[]),
            // A hang says nothing of what the panic would have said.
            (finding("endless-loop", "a::List::get", "did not return in time", ""), &[0]),
            (finding("hash-agrees", "<a::List<u8> as Hash>::hash", "equal values hash differently", ""), &[1]),
            (finding("undocumented-panic", "<a::List<u8> as Hash>::hash", "", ""), &[]),
            (finding("crash", "a::List::pop", "attempted to zero-initialize type `Box`", ""), &[2]),
            (finding("crash", "a::List::pop", "ended by signal 6 (SIGABRT)", ""), &[]),
            (finding("double-drop", "a::List::pop", "dropped twice", ""), &[2]),
            (finding("count-agrees", "a::List::pop", "`iter().count()` is not `len()`", ""), &[2]),
        ];
        let flaky = Finding { flaky: true, ..cases[0].0.clone() };
        assert_eq!(shown(&flaky), [0; 0], "what has no test is not found");
        for (finding, expected) in cases {
            assert_eq!(shown(finding), *expected, "{finding:?}");
        }
    }

    #[test]
    fn an_expected_refusal_shows_nothing() {
        let mut refusal = finding("undocumented-panic", "a::List::get", "index out of bounds", "");
        assert_eq!(shown(&refusal), [0]);
        refusal.tier = Tier::Expected;
        assert_eq!(shown(&refusal), [0; 0]);
    }

    #[test]
    fn the_first_that_shows_it_counts_and_others_are_near() {
        let bug = bug::parse(BUGS).expect("valid").remove(0);
        let late = Finding { found_after_seconds: 9.0, ..finding("overflow", "a::List::get", "overflow", "") };
        let early = Finding { found_after_seconds: 2.0, ..late.clone() };
        let near = finding("crash", "a::List::get", "ended by signal 11 (SIGSEGV)", "");
        let findings = [late, near.clone(), early.clone()];
        assert_eq!(first_that_shows(&findings, &bug), Some(&early));
        assert_eq!(first_near(&findings, &bug), Some(&near));
        assert_eq!(first_near(&findings[..1], &bug), None);
    }
}
