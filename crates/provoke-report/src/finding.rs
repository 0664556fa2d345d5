//! A finding: something a person should look at, with the test that shows it.

use crate::ReplayStep;
use crate::summary::rounded;
use provoke_oracles::Tier;
use serde::{Deserialize, Serialize};

/// That the user accepts a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    pub reason: String,
}

/// The fields up to `test` are those of `summary.json`; the others were added behind them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedFinding {
    /// The same for every seed and run.
    pub id: String,
    pub tier: Tier,
    /// Which rule says that this is wrong.
    pub oracle: String,
    pub function: String,
    pub message: String,
    /// `src/lib.rs:12:5`, relative to the package; `None` where no place is known (a signal, a time-out).
    pub location: Option<String>,
    /// Calls of operations in the minimised program.
    pub calls: u64,
    pub calls_before_minimizing: u64,
    #[serde(serialize_with = "rounded")]
    pub found_after_seconds: f64,
    pub flaky: bool,
    /// The file of the test, relative to the results directory; `None` without a test that was verified.
    pub test: Option<String>,
    pub expected: String,
    pub happened: String,
    /// Why it has this tier, a line each.
    pub explanation: Vec<String>,
    /// The user knows it and lives with it: counted, not denied.
    #[serde(default)]
    pub accepted: Option<Accepted>,
    /// How many programs were run to minimise it.
    #[serde(default)]
    pub minimize_replays: u64,
    /// How many other findings have the same cause, as far as that can be told; they are not listed by themselves.
    #[serde(default)]
    pub n_similar: u64,
    /// The functions of those.
    #[serde(default)]
    pub also_through: Vec<String>,
    /// The sanitizer that shows it, where it takes one: `address`.
    #[serde(default)]
    pub sanitizer: Option<String>,
    /// Where a contract is broken: its calls one by one, with the state after each.
    #[serde(default)]
    pub trace: Vec<ReplayStep>,
    /// Where a contract is broken: the values that the clause is about, as far as they are known.
    #[serde(default)]
    pub operands: Vec<Operand>,
    /// What is in the file named by `test`.
    #[serde(skip)]
    pub test_source: Option<String>,
}

/// A value that a broken clause is about, as the call got it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// `self`, or the name of a parameter.
    pub name: String,
    /// Its `Debug` text.
    pub value: String,
    /// The call may have changed it before the clause was broken: this is what it was before.
    pub before_call: bool,
}

impl ReportedFinding {
    /// Whether it makes a run fail; `deny` is the mildest tier that does.
    pub fn is_denied(&self, deny: Option<Tier>) -> bool {
        self.accepted.is_none() && deny.is_some_and(|least| self.tier >= least)
    }
}
