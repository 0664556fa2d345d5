//! What a search knows of the target: what was reached, how much may be left, and which values it compared.

pub mod compared;
pub mod discovery;
pub mod edge_map;

use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::generate::argument_constants::ArgumentConstants;
use crate::hash::seen::Seen;
use crate::options::SearchOptions;
use crate::saved_forms::{RestoreError, ensure};
use crate::search::blocked::BlockedCalls;
use crate::search::knowledge::compared::Compared;
use crate::search::knowledge::discovery::Discovery;
use crate::search::knowledge::edge_map::EdgeMap;
use crate::search::preconditions::Preconditions;
use crate::search::specifications::Specifications;

/// Room for values that were seen, as a power of two.
const SEEN_VALUES_BITS: u32 = 19;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Knowledge {
    /// By function: whether a call returned normally.
    pub covered: Vec<bool>,
    /// What programs reached of the target's control flow.
    pub edges: EdgeMap,
    /// How many programs showed each edge, function and finding.
    pub discovery: Discovery,
    pub values_seen: Seen,
    /// What the target compared lately. Forgotten at each checkpoint.
    #[serde(skip)]
    pub compared: Compared,
    /// What it compares arguments with.
    pub argument_constants: ArgumentConstants,
    pub blocked: BlockedCalls,
    pub preconditions: Preconditions,
    pub specifications: Specifications,
}

impl Knowledge {
    pub fn new(api: &Api, options: &SearchOptions) -> Knowledge {
        Knowledge {
            covered: vec![false; api.functions.len()],
            edges: EdgeMap::new(options.regions.of_edges.len()),
            discovery: Discovery::new(&options.edge_places, api.functions.len()),
            values_seen: Seen::new(SEEN_VALUES_BITS),
            compared: Compared::default(),
            argument_constants: ArgumentConstants::default(),
            blocked: BlockedCalls::default(),
            preconditions: Preconditions::new(api),
            specifications: Specifications::new(api),
        }
    }

    /// Takes over what was saved about the same target.
    pub fn restore(&mut self, saved: Knowledge) -> Result<(), RestoreError> {
        ensure(saved.covered.len() == self.covered.len(), "covered functions")?;
        self.covered = saved.covered;
        self.edges.restore(saved.edges)?;
        self.discovery.restore(saved.discovery)?;
        self.values_seen.restore(saved.values_seen)?;
        self.argument_constants = saved.argument_constants;
        self.blocked = saved.blocked;
        self.preconditions.restore(saved.preconditions)?;
        self.specifications.restore(saved.specifications)
    }
}
