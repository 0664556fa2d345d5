//! The one closed list of what can happen in a run. Everybody emits these; only the command line prints them.

use crate::{ReplayedFinding, ReportedFinding, Summary, UserError};

/// What the tool is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunPhase {
    ReadingApi,
    BuildingHarness,
    Searching,
    /// A second worker, with AddressSanitizer.
    BuildingSanitized,
    /// The rest of a search, in that worker.
    SearchingSanitized,
    Minimizing,
    Verifying,
    /// Regression tests are chosen, compiled and run.
    Regression,
}

/// How far the search is, for the live line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// `None` when the search is not bounded by time.
    pub seconds_left: Option<f64>,
    pub calls: u64,
    /// `None` when the search is not bounded by calls.
    pub calls_limit: Option<u64>,
    /// See [`per_second`](crate::per_second).
    pub calls_per_second: u64,
    pub functions_covered: u64,
    pub functions_callable: u64,
    /// Of how many places in the sources, as in [`Coverage`](crate::Coverage); `None` where that is not measured.
    pub edges: Option<(u64, u64)>,
    pub findings: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// From here on everything is about this package.
    PackageStarted {
        package: String,
        version: String,
    },
    PhaseStarted {
        phase: RunPhase,
    },
    PhaseFinished {
        phase: RunPhase,
        seconds: f64,
    },
    /// Types are being found for what functions take; at the end all of them are planned.
    Planning {
        planned: u64,
        functions: u64,
    },
    /// One round of letting rustc judge the harness.
    HarnessRound {
        round: u32,
        n_ops: u64,
        n_struck: u64,
    },
    /// Known once the harness compiles.
    ApiRead {
        functions: u64,
        callable: u64,
        skipped: u64,
    },
    Progress(Progress),
    /// Something else, mostly another run of the tool, has what is needed to go on.
    Waiting {
        /// Whom or what for.
        object: String,
    },
    /// A run that was stopped goes on from here.
    Resumed {
        /// Of search so far.
        seconds: f64,
        calls: u64,
        findings: u64,
    },
    FindingConfirmed(Box<ReportedFinding>),
    /// A worker died or was ended, and another took its place.
    WorkerReplaced {
        why: String,
    },
    Warning {
        message: String,
        hint: Option<String>,
    },
    /// An emitted test did not compile or did not fail as claimed: a bug in Provoke.
    TestRejected {
        id: String,
        reason: String,
    },
    /// Tests were put where the user asked for them.
    TestsWritten {
        path: String,
        n_tests: u64,
    },
    /// A finding of an earlier run was run again.
    Replayed(Box<ReplayedFinding>),
    /// A line that cargo wrote.
    CargoSaid {
        line: String,
    },
    /// The package cannot be tested; others go on.
    PackageFailed(Box<UserError>),
    /// The user pressed Ctrl-C once.
    StopAsked,
    /// The package is done; its files are in `directory`.
    Done {
        summary: Box<Summary>,
        directory: String,
    },
}
