//! Provoke's events and findings as terminal text and JSON. Everything here is a pure function: no I/O, no printing.
//!
//! Text carries ANSI styles; whoever prints it strips them where colour is not wanted.

mod contracts;
mod error;
mod event;
mod exit_code;
mod finding;
mod lcov;
mod reached;
mod summary;
mod text;

pub use contracts::{AskedSpecification, ClauseCount, Contracts, GuardClause, GuardedFunction, NewCalls, SpoiltClause};
pub use error::UserError;
pub use event::{Event, Progress, RunPhase};
pub use exit_code::ExitCode;
pub use finding::{Accepted, Operand, ReportedFinding};
pub use lcov::{ConditionCoverage, FileCoverage, FunctionCoverage, lcov};
pub use provoke_oracles::Tier;
pub use reached::{Reached, ReachedCondition, ReachedEdge, ReachedSide};
pub use summary::{
    ApiSummary, BlockedFunction, Coverage, DiscoveryEstimate, FunctionReason, GrowthPoint, QuarantinedFunction,
    SearchSummary, Seconds, StoppedBy, Summary, TestCounts,
};
pub use text::list::{FunctionRow, FunctionStatus, render_list};
pub use text::printable::{one_line, printable};
pub use text::render;
pub use text::replay::{Blame, Change, Fate, Frames, ReplayStep, Replayed, render_replay};
pub use text::replay_all::{ReplayedFinding, render_replayed, render_totals};
pub use text::style::{Theme, Verbosity, command};
pub use text::units::{human_count, human_seconds, per_second, plural};
