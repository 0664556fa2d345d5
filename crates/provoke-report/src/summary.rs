//! `summary.json`: what a run did, for other tools. Fields are added, never renamed, removed or given another meaning.

use crate::{Contracts, ReportedFinding, Tier};
use serde::{Deserialize, Serialize, Serializer};

/// One package's run. What is not measured is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always [`Summary::VERSION`].
    pub version: u32,
    pub package: String,
    pub package_version: String,
    pub seed: u64,
    pub seconds: Seconds,
    pub api: ApiSummary,
    pub search: SearchSummary,
    pub coverage: Option<Coverage>,
    /// What the search had reached when: a point for each time that something new came, as far as they can be told apart.
    #[serde(default)]
    pub growth: Vec<GrowthPoint>,
    /// The worst tier first, then by id.
    pub findings: Vec<ReportedFinding>,
    pub tests: TestCounts,
    pub provoke_version: String,
    /// As `rustc --version` prints it.
    pub toolchain: String,
    /// Ids that the configuration accepts and that a complete run did not meet, sorted.
    #[serde(default)]
    pub accepts_unused: Vec<String>,
    /// Functions that the sandbox kept from doing something, by name. What happened then is no finding.
    #[serde(default)]
    pub blocked: Vec<BlockedFunction>,
    /// Functions that ended their process again and again and were therefore called rarely, by name.
    #[serde(default)]
    pub quarantined: Vec<QuarantinedFunction>,
    /// How preconditions fared; `null` where contracts state none for functions of the API.
    #[serde(default)]
    pub contracts: Option<Contracts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedFunction {
    pub function: String,
    /// For people, as in "kept from reading files".
    pub what: String,
    /// Programs of the search in which it was the first thing to be blocked.
    pub times: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuarantinedFunction {
    pub function: String,
    /// For people: what it does most of the time.
    pub why: String,
    /// Processes that it ended.
    pub times: u64,
}

/// Wall-clock seconds of each phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    #[serde(serialize_with = "rounded")]
    pub rustdoc: f64,
    #[serde(serialize_with = "rounded")]
    pub build: f64,
    #[serde(serialize_with = "rounded")]
    pub search: f64,
    #[serde(serialize_with = "rounded")]
    pub total: f64,
    #[serde(serialize_with = "rounded")]
    pub minimize: f64,
    #[serde(serialize_with = "rounded")]
    pub verify: f64,
}

/// A function and why it is in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionReason {
    pub function: String,
    pub reason: String,
    /// What would help.
    #[serde(default)]
    pub help: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiSummary {
    /// Public safe functions, once each.
    pub functions: u64,
    /// Those with an operation that compiles.
    pub callable: u64,
    /// Those of which at least one call returned normally.
    pub covered: u64,
    pub skipped: Vec<FunctionReason>,
    /// Callable, but no call returned normally.
    pub uncovered: Vec<FunctionReason>,
    /// The names of those that are counted by `covered`.
    #[serde(default)]
    pub covered_functions: Vec<String>,
}

/// What ended the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoppedBy {
    Time,
    Calls,
    /// No program could be built any more that was not run yet.
    Exhausted,
    /// It was hardly worth going on.
    Plateau,
    Interrupt,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchSummary {
    pub programs: u64,
    pub calls: u64,
    pub calls_per_second: u64,
    pub components: u64,
    pub worker_restarts: u64,
    /// Of `calls`, those that only rebuilt a known component.
    pub replayed_calls: u64,
    pub strategy: String,
    pub stopped_by: StoppedBy,
    /// What went wrong and was not looked into, since the time for it was up.
    #[serde(default)]
    pub suspects_left: u64,
    /// How likely it is that going on shows something new; `None` where coverage is not measured.
    #[serde(default)]
    pub discovery: Option<DiscoveryEstimate>,
    /// Of a run in which no function of the crate returned: the one that took the time, if one did.
    #[serde(default)]
    pub held_by: Option<String>,
}

/// New is a program that is the first to reach an edge or to go wrong in some way, or in which a function returns for the first
/// time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscoveryEstimate {
    /// That a program is new, when as many are run again: `singletons` or `new_in_second_half`, whichever is more, of all
    /// `programs`. `None` if there were too few to tell.
    pub probability: Option<f64>,
    /// Those with coverage: programs under a sanitizer do not count.
    pub programs: u64,
    /// Programs that showed something that no other one did.
    pub singletons: u64,
    /// Programs among the second half that were new.
    pub new_in_second_half: u64,
    /// Programs since the last one that was new.
    pub programs_since_new: u64,
}

/// What the search reached of the crate's own sources, as far as there is code of them in the worker: generic functions that are
/// called with no type have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Places (file, line and column) to which control flow leads. One that is reached in any instance of generic code is
    /// reached.
    pub edges: u64,
    pub edges_total: u64,
    #[serde(default)]
    pub lines: u64,
    #[serde(default)]
    pub lines_total: u64,
    /// All functions with code, private ones included.
    #[serde(default)]
    pub functions: u64,
    #[serde(default)]
    pub functions_total: u64,
    /// Sides of conditions: the ways on from places at which control flow forks, whether code got there or not. Not that a
    /// call may unwind.
    #[serde(default)]
    pub branches: u64,
    #[serde(default)]
    pub branches_total: u64,
    /// Of these, sides that lead to nothing but a panic: asserts, and checks that the compiler adds.
    #[serde(default)]
    pub panic_branches: u64,
    #[serde(default)]
    pub panic_branches_total: u64,
}

/// How far the search was after so many calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GrowthPoint {
    /// Of search.
    #[serde(serialize_with = "rounded")]
    pub seconds: f64,
    pub calls: u64,
    pub programs: u64,
    /// As in [`Coverage::edges`].
    pub edges: Option<u64>,
    /// As in [`ApiSummary::covered`].
    pub functions: u64,
    pub findings: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCounts {
    pub failing: u64,
    /// Tests in `regression.rs`; `None` where none were wanted.
    pub regression: Option<u64>,
    /// Tests that did not compile or did not do what they claim. Anything but 0 is a bug in Provoke.
    pub rejected: u64,
    /// Regression tests that were planned and then left out: what they saw was not the same each time, or time was up.
    #[serde(default)]
    pub regression_left_out: Option<u64>,
}

impl Summary {
    pub const VERSION: u32 = 1;

    /// Without those that the user accepts.
    pub fn n_findings(&self, tier: Tier) -> u64 {
        let of_tier = |finding: &&ReportedFinding| finding.tier == tier && finding.accepted.is_none();
        self.findings.iter().filter(of_tier).count() as u64
    }

    /// Nothing can be said about the crate: no call was made, or none of its functions returned and one held the search up.
    pub fn is_in_vain(&self) -> bool {
        self.findings.is_empty() && (self.search.calls == 0 || self.search.held_by.is_some())
    }

    pub fn n_accepted(&self) -> u64 {
        self.findings.iter().filter(|finding| finding.accepted.is_some()).count() as u64
    }

    /// The file's text, ending in a newline.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The text of a file with the summaries of several packages, ending in a newline.
    pub fn list_to_json(summaries: &[Summary]) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(summaries)? + "\n")
    }

    pub fn from_json(text: &str) -> Result<Summary, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// Three decimals: more is noise that makes two summaries hard to compare.
pub(crate) fn rounded<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

#[cfg(test)]
pub(crate) fn sample() -> Summary {
    let test = "use slab::Slab;\n\n#[test]\nfn insert_at_keeps_its_length() {\n    let mut slab: Slab<u8> = Slab::new();\n    slab.insert_at(3, 0);\n}\n";
    Summary {
        version: Summary::VERSION,
        package: "slab".into(),
        package_version: "0.4.4".into(),
        seed: 1,
        seconds: Seconds { rustdoc: 0.41249, build: 6.1, search: 20.0004, total: 27.2, minimize: 0.3, verify: 0.4 },
        api: ApiSummary {
            functions: 58,
            callable: 55,
            covered: 54,
            skipped: vec![FunctionReason {
                function: "slab::Slab::from_raw".into(),
                reason: "takes a raw pointer".into(),
                help: Some("test it through a safe function that takes references".into()),
            }],
            uncovered: vec![FunctionReason {
                function: "slab::Slab::key_of".into(),
                reason: "every call panicked".into(),
                help: None,
            }],
            covered_functions: vec!["slab::Slab::insert".into(), "slab::Slab::insert_at".into()],
        },
        search: SearchSummary {
            programs: 3_100_000,
            calls: 68_249_000,
            calls_per_second: 3_412_450,
            components: 843,
            worker_restarts: 2,
            replayed_calls: 41_000_000,
            strategy: "directed".into(),
            stopped_by: StoppedBy::Time,
            suspects_left: 0,
            discovery: Some(DiscoveryEstimate {
                probability: Some(0.000025),
                programs: 3_000_000,
                singletons: 75,
                new_in_second_half: 61,
                programs_since_new: 12_000,
            }),
            held_by: None,
        },
        coverage: Some(Coverage {
            edges: 310,
            edges_total: 342,
            lines: 401,
            lines_total: 420,
            functions: 71,
            functions_total: 72,
            branches: 150,
            branches_total: 210,
            panic_branches: 2,
            panic_branches_total: 40,
        }),
        growth: vec![GrowthPoint {
            seconds: 0.81234,
            calls: 2_600_000,
            programs: 118_000,
            edges: Some(310),
            functions: 54,
            findings: 1,
        }],
        findings: vec![ReportedFinding {
            id: "3f2a9c1d".into(),
            tier: Tier::Error,
            oracle: "debug-assertion".into(),
            function: "slab::Slab::insert_at".into(),
            message: "assertion failed: key <= self.len\n  left: 3\n right: 0".into(),
            location: Some("src/lib.rs:12:5".into()),
            calls: 2,
            calls_before_minimizing: 41,
            found_after_seconds: 0.81234,
            flaky: false,
            test: Some("findings/3f2a9c1d.rs".into()),
            expected: "the crate's own debug assertions hold".into(),
            happened: "panicked: assertion failed: key <= self.len".into(),
            explanation: vec!["a `debug_assert!` of the crate failed".into()],
            accepted: None,
            minimize_replays: 312,
            n_similar: 1,
            sanitizer: None,
            also_through: vec!["slab::Slab::insert".into()],
            trace: Vec::new(),
            operands: Vec::new(),
            test_source: Some(test.into()),
        }],
        tests: TestCounts { failing: 1, regression: Some(12), rejected: 0, regression_left_out: Some(1) },
        provoke_version: "0.1.0".into(),
        toolchain: "rustc 1.95.0".into(),
        accepts_unused: Vec::new(),
        blocked: vec![BlockedFunction { function: "slab::Slab::load".into(), what: "reading files".into(), times: 12 }],
        quarantined: vec![QuarantinedFunction {
            function: "slab::Slab::with_capacity".into(),
            why: "exhausts the memory".into(),
            times: 4,
        }],
        contracts: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accepted;
    use expect_test::expect;

    #[test]
    fn the_json_is_what_other_tools_rely_on() {
        expect![[r#"
            {
              "version": 1,
              "package": "slab",
              "package_version": "0.4.4",
              "seed": 1,
              "seconds": {
                "rustdoc": 0.412,
                "build": 6.1,
                "search": 20.0,
                "total": 27.2,
                "minimize": 0.3,
                "verify": 0.4
              },
              "api": {
                "functions": 58,
                "callable": 55,
                "covered": 54,
                "skipped": [
                  {
                    "function": "slab::Slab::from_raw",
                    "reason": "takes a raw pointer",
                    "help": "test it through a safe function that takes references"
                  }
                ],
                "uncovered": [
                  {
                    "function": "slab::Slab::key_of",
                    "reason": "every call panicked",
                    "help": null
                  }
                ],
                "covered_functions": [
                  "slab::Slab::insert",
                  "slab::Slab::insert_at"
                ]
              },
              "search": {
                "programs": 3100000,
                "calls": 68249000,
                "calls_per_second": 3412450,
                "components": 843,
                "worker_restarts": 2,
                "replayed_calls": 41000000,
                "strategy": "directed",
                "stopped_by": "time",
                "suspects_left": 0,
                "discovery": {
                  "probability": 0.000025,
                  "programs": 3000000,
                  "singletons": 75,
                  "new_in_second_half": 61,
                  "programs_since_new": 12000
                },
                "held_by": null
              },
              "coverage": {
                "edges": 310,
                "edges_total": 342,
                "lines": 401,
                "lines_total": 420,
                "functions": 71,
                "functions_total": 72,
                "branches": 150,
                "branches_total": 210,
                "panic_branches": 2,
                "panic_branches_total": 40
              },
              "growth": [
                {
                  "seconds": 0.812,
                  "calls": 2600000,
                  "programs": 118000,
                  "edges": 310,
                  "functions": 54,
                  "findings": 1
                }
              ],
              "findings": [
                {
                  "id": "3f2a9c1d",
                  "tier": "error",
                  "oracle": "debug-assertion",
                  "function": "slab::Slab::insert_at",
                  "message": "assertion failed: key <= self.len\n  left: 3\n right: 0",
                  "location": "src/lib.rs:12:5",
                  "calls": 2,
                  "calls_before_minimizing": 41,
                  "found_after_seconds": 0.812,
                  "flaky": false,
                  "test": "findings/3f2a9c1d.rs",
                  "expected": "the crate's own debug assertions hold",
                  "happened": "panicked: assertion failed: key <= self.len",
                  "explanation": [
                    "a `debug_assert!` of the crate failed"
                  ],
                  "accepted": null,
                  "minimize_replays": 312,
                  "n_similar": 1,
                  "also_through": [
                    "slab::Slab::insert"
                  ],
                  "sanitizer": null,
                  "trace": [],
                  "operands": []
                }
              ],
              "tests": {
                "failing": 1,
                "regression": 12,
                "rejected": 0,
                "regression_left_out": 1
              },
              "provoke_version": "0.1.0",
              "toolchain": "rustc 1.95.0",
              "accepts_unused": [],
              "blocked": [
                {
                  "function": "slab::Slab::load",
                  "what": "reading files",
                  "times": 12
                }
              ],
              "quarantined": [
                {
                  "function": "slab::Slab::with_capacity",
                  "why": "exhausts the memory",
                  "times": 4
                }
              ],
              "contracts": null
            }
        "#]]
        .assert_eq(&sample().to_json().unwrap());
    }

    #[test]
    fn a_summary_is_read_back_as_it_was_written() {
        let text = sample().to_json().unwrap();
        assert_eq!(Summary::from_json(&text).unwrap().to_json().unwrap(), text);
    }

    #[test]
    fn a_summary_of_an_earlier_version_can_be_read() {
        let mut old: serde_json::Value = serde_json::to_value(sample()).unwrap();
        old["api"].as_object_mut().unwrap().remove("covered_functions");
        old["findings"][0].as_object_mut().unwrap().remove("accepted");
        for field in ["accepts_unused", "blocked", "growth", "quarantined", "contracts"] {
            old.as_object_mut().unwrap().remove(field);
        }
        for field in ["minimize_replays", "n_similar", "also_through"] {
            old["findings"][0].as_object_mut().unwrap().remove(field);
        }
        old["search"].as_object_mut().unwrap().remove("discovery");
        old["tests"].as_object_mut().unwrap().remove("regression_left_out");
        assert_eq!(Summary::from_json(&old.to_string()).unwrap().api.covered, 54);
    }

    #[test]
    fn findings_are_counted_by_tier() {
        assert_eq!(sample().n_findings(Tier::Error), 1);
        assert_eq!(sample().n_findings(Tier::Suspicious), 0);
        let mut summary = sample();
        summary.findings[0].accepted = Some(Accepted { reason: "known".into() });
        assert_eq!((summary.n_findings(Tier::Error), summary.n_accepted()), (0, 1));
    }
}
