//! Provoke's events and findings as terminal text and JSON. Everything here is a pure function: no I/O, no printing.
//!
//! Text carries ANSI styles; whoever prints it strips them where colour is not wanted.

mod contracts;
mod error;
mod event;
mod exit_code;
mod finding;
mod lcov;
mod list;
mod printable;
mod reached;
mod replay;
mod replay_all;
mod run_summary;
mod style;
mod summary;
mod text;
mod units;

pub use contracts::{AskedSpecification, ClauseCount, Contracts, GuardClause, GuardedFunction, SpoiltClause};
pub use error::UserError;
pub use event::{Event, Progress, RunPhase};
pub use exit_code::ExitCode;
pub use finding::{Accepted, Operand, ReportedFinding};
pub use lcov::{ConditionCoverage, FileCoverage, FunctionCoverage, lcov};
pub use list::{FunctionRow, FunctionStatus, render_list};
pub use printable::{one_line, printable};
pub use provoke_oracles::Tier;
pub use reached::{Reached, ReachedCondition, ReachedEdge, ReachedSide};
pub use replay::{Blame, Change, Fate, Frames, ReplayStep, Replayed, render_replay};
pub use replay_all::{ReplayedFinding, render_replayed, render_totals};
pub use style::{Theme, Verbosity, command};
pub use summary::{
    ApiSummary, BlockedFunction, Coverage, DiscoveryEstimate, FunctionReason, GrowthPoint, QuarantinedFunction,
    SearchSummary, Seconds, StoppedBy, Summary, TestCounts,
};
pub use text::render;
pub use units::{human_count, human_seconds, per_second, plural};
