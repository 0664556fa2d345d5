//! The search: components, strategies, literal pools, verdicts and the minimiser.
//!
//! The engine knows nothing of rustdoc or processes. It is given an [`Api`] and something that runs programs.

mod api;
mod clone_independence;
mod executor;
mod generate;
mod hash;
mod minimize;
mod options;
mod program;
mod regression;
mod rng;
mod saved_forms;
mod search;
#[cfg(test)]
mod test_support;
mod verdict;

pub use api::abilities::{is_copy, needs_drop};
pub use api::graph::Graph;
pub use api::user_policy::{FunctionPolicy, Policy, Rating};
pub use api::{Api, ClausePlace, FunctionFacts, LawOf, Op, PreconditionFacts, SpecificationOf};
pub use clone_independence::ask_about_clones;
pub use executor::{Executor, ExecutorError};
pub use generate::literals::Literals;
pub use generate::mutate::{Ingredients, Mutant, Mutator};
pub use hash::seen::checksum;
pub use minimize::replacements::Replacements;
pub use minimize::stock::Stock;
pub use minimize::{Effort, FailureSite, Minimized, ReplayPrograms, Same, minimize, single_removals};
pub use options::{Guidance, LANES, Regions, SearchOptions, Strategy};
pub use program::check::{CheckError, Rule, accepts, check, check_program};
pub use program::history::{Predecessors, joined};
pub use program::loans::Loans;
pub use program::order::{ProgramSize, compare, is_simpler, simpler_literals};
pub use provoke_oracles::{ClauseKind, Tier};
pub use regression::cover::{cover, goals_of, needed_tests};
pub use regression::exemplars::{Exemplar, ExemplarWay, Exemplars, Goal};
pub use regression::observers::Observers;
pub use saved_forms::RestoreError;
pub use search::blocked::{BlockedCalls, forbidden_words};
pub use search::knowledge::discovery::{Discovery, Outlook};
pub use search::knowledge::edge_map::EdgeMap;
pub use search::schedule::quarantine::Quarantined;
pub use search::{
    Attempts, ClauseRecord, End, Preconditions, Search, SearchObserver, SpecificationRecord, Specifications, Stats,
    Suspect,
};
pub use verdict::backtrace::{BacktracePart, backtrace_parts};
pub use verdict::bucket::{Bucket, Buckets, is_better_example};
pub use verdict::explain::{Explanation, explain};
pub use verdict::faulty_clause::{ClauseTrouble, FaultyClause};
pub use verdict::final_panic::FinalPanic;
pub use verdict::finding::{Finding, FindingId, Findings, Steadiness};
pub use verdict::memory_error::{MemoryError, MemoryReport};
pub use verdict::panic_kind::{PanicEvidence, PanicKind, SiteFacts};
pub use verdict::place::{Caller, Place, PlaceOrigin, Sources, Whereabouts, places_on_stack, whereabouts};
pub use verdict::tracking::{calls_any, calls_function, last_function};
pub use verdict::{
    Activity, Failure, Incident, Judgement, Scene, Triage, Verdict, is_modest, judge, spot_of, stated_at, triage,
};
