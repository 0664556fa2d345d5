//! The search: components, strategies, literal pools, verdicts and the minimiser.
//!
//! The engine knows nothing of rustdoc or processes. It is given an [`Api`] and something that runs programs.

mod aim;
mod api;
mod backtrace;
mod blocked;
mod bucket;
mod builder;
mod caution;
mod check;
mod components;
mod cover;
mod discovery;
mod edge_map;
mod executor;
mod exemplars;
mod explain;
#[cfg(test)]
mod fake;
mod final_panic;
mod finding;
mod graph;
mod independence;
mod join;
mod law_words;
mod literals;
mod loans;
mod memory_error;
mod minimize;
mod mutate;
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
mod scope;
mod search;
mod seen;
mod serial;
mod shrink;
mod slice;
mod spoilt_clause;
mod stable_hash;
mod supply;
mod touchstones;
mod tracking;
mod twins;
mod verdict;

pub use api::{
    Api, ClausePlace, Flow, FlowPart, FlowTarget, FunctionFacts, LawOf, Op, OpRole, Precondition, SpecificationOf,
    Wants,
};
pub use backtrace::{BacktracePart, backtrace_parts};
pub use blocked::{BlockedCalls, forbidden_words};
pub use bucket::{Bucket, Buckets, is_better_example};
pub use check::{CheckError, Rule, accepts, check, check_program, is_copy, needs_drop};
pub use cover::{cover, goals_of, needed_tests};
pub use discovery::{Discovery, Outlook};
pub use edge_map::EdgeMap;
pub use executor::{Executor, ExecutorError};
pub use exemplars::{Exemplar, Exemplars, Goal, Way};
pub use explain::{Explanation, explain};
pub use final_panic::FinalPanic;
pub use finding::{Finding, FindingId, Findings, Steadiness};
pub use graph::Graph;
pub use independence::ask_about_clones;
pub use join::{Predecessors, joined};
pub use literals::Literals;
pub use loans::Loans;
pub use memory_error::{MemoryError, MemoryReport};
pub use minimize::{Effort, Failure, Minimized, Replay, Same, minimize, single_removals};
pub use mutate::{Ingredients, Mutant, Mutator};
pub use observers::Observers;
pub use options::{Guidance, LANES, Regions, SearchOptions, Strategy};
pub use panic_kind::{ClauseKind, PanicEvidence, PanicKind, SiteFacts};
pub use place::{Caller, Origin, Place, Sources, Whereabouts, places_on_stack, whereabouts};
pub use policy::{FunctionPolicy, Policy, Rating};
pub use provoke_oracles::Tier;
pub use quarantine::Quarantined;
pub use search::{
    Attempts, ClauseRecord, End, Preconditions, Search, Sink, SpecificationRecord, Specifications, Stats, Suspect,
};
pub use seen::checksum;
pub use shrink::{ProgramSize, compare, is_simpler, simpler_literals};
pub use spoilt_clause::{ClauseTrouble, SpoiltClause};
pub use supply::Supply;
pub use tracking::{calls_any, calls_function, last_function};
pub use verdict::{
    Activity, Event, Incident, Judgement, Scene, Triage, Verdict, is_modest, judge, spot_of, stated_at, triage,
};
