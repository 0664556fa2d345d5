//! Batches that are under way, with what their outcomes are learned from.

use super::aiming::Tracing;
use super::schedule::budget::Source;

pub(super) struct Planned {
    pub(super) batch_number: u64,
    pub(super) is_observed: bool,
    pub(super) programs: Vec<PlannedProgram>,
    /// By program, if comparisons are traced.
    pub(super) traces: Vec<Tracing>,
    /// How many edges were known when it was made.
    pub(super) n_known_edges: usize,
    /// The batch itself, where it may have to be saved: behind a border that is still to be crossed.
    pub(super) encoded: Vec<u8>,
}

pub(super) struct PlannedProgram {
    pub(super) op: u32,
    pub(super) first_new: u32,
    pub(super) n_calls: u32,
    /// Calls before the first new one.
    pub(super) n_old: u32,
    pub(super) hash: u64,
    pub(super) source: Source,
}
