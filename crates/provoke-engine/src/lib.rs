//! The search: components, strategies, literal pools, verdicts and the minimiser.
//!
//! The engine knows nothing of rustdoc or processes. It is given an [`Api`] and something that runs programs.

mod api;
mod backtrace;
mod blocked;
mod bucket;
mod builder;
mod check;
mod components;
mod cover;
mod executor;
mod exemplars;
mod explain;
#[cfg(test)]
mod fake;
mod finding;
mod graph;
mod independence;
mod join;
mod literals;
mod loans;
mod memory_error;
mod minimize;
mod observers;
mod options;
mod panic_kind;
mod place;
mod policy;
mod quarantine;
mod rebuild;
mod retype;
mod rng;
mod rules;
#[cfg(test)]
mod sample;
mod search;
mod seen;
mod serial;
mod shrink;
mod slice;
mod stable_hash;
mod supply;
mod tracking;
mod twins;
mod verdict;

pub use api::{Api, Flow, FlowPart, FlowTarget, FunctionFacts, LawOf, Op, OpRole, Wants};
pub use backtrace::{BacktracePart, backtrace_parts};
pub use blocked::{BlockedCalls, forbidden_words};
pub use bucket::{Bucket, Buckets, is_better_example};
pub use check::{CheckError, Rule, accepts, check, check_program, is_copy, needs_drop};
pub use cover::{cover, goals_of, needed_tests};
pub use executor::{Executor, ExecutorError};
pub use exemplars::{Exemplar, Exemplars, Goal, Way};
pub use explain::{Explanation, explain};
pub use finding::{Finding, FindingId, Findings, Steadiness};
pub use graph::Graph;
pub use independence::ask_about_clones;
pub use join::{Predecessors, joined};
pub use literals::Literals;
pub use loans::Loans;
pub use memory_error::{MemoryError, MemoryReport};
pub use minimize::{Effort, Failure, Minimized, Replay, Same, minimize, single_removals};
pub use observers::Observers;
pub use options::{SearchOptions, Strategy};
pub use panic_kind::{PanicEvidence, PanicKind, SiteFacts};
pub use place::{Origin, Place, Sources, Whereabouts, whereabouts};
pub use policy::{FunctionPolicy, Policy, Rating};
pub use provoke_oracles::Tier;
pub use quarantine::Quarantined;
pub use search::{End, Search, Sink, Stats, Suspect};
pub use seen::checksum;
pub use shrink::{ProgramSize, compare, is_simpler, simpler_literals};
pub use supply::Supply;
pub use tracking::{calls_function, last_function};
pub use verdict::{Activity, Event, Incident, Judgement, Scene, Triage, Verdict, is_modest, judge, triage};
