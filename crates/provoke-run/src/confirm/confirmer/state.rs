//! What a confirmer knows, for a saved run.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use provoke_engine::{Bucket, Buckets, FaultyClause, Finding, Findings};
use serde::{Deserialize, Serialize};

use crate::results::growth::Growth;

use crate::confirm::confirmed::Confirmed;
use crate::confirm::confirmer::{Confirmer, Elusive, Held};

/// At a border of the search: all that was looked into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfirmerState {
    pub search_seconds: f64,
    minimize_seconds: f64,
    n_batches: u64,
    known: Vec<u64>,
    fruitful: Vec<u64>,
    spoilt_clauses: BTreeSet<FaultyClause>,
    excused: Vec<(u64, u32)>,
    elusive: Vec<(u64, Elusive)>,
    findings: Findings,
    buckets: Buckets,
    examples: Vec<Finding>,
    held: Vec<Held>,
    released: Vec<Confirmed>,
    growth: Growth,
}

impl Confirmer<'_> {
    pub(crate) fn state(&self) -> ConfirmerState {
        ConfirmerState {
            search_seconds: self.search_seconds(),
            minimize_seconds: self.minimize_seconds(),
            n_batches: self.n_batches,
            // What waits for a look is not saved: a run that goes on comes by it again.
            known: self.known.difference(&self.waiting.keys().collect()).copied().collect(),
            fruitful: self.fruitful.iter().copied().collect(),
            spoilt_clauses: self.spoilt_clauses.clone(),
            excused: self.excused.iter().map(|(key, n_seen)| (*key, *n_seen)).collect(),
            elusive: self.elusive.iter().map(|(key, elusive)| (*key, elusive.clone())).collect(),
            findings: self.findings.clone(),
            buckets: self.buckets.clone(),
            examples: self.examples.values().cloned().collect(),
            held: self.held.clone(),
            released: self.released.clone(),
            growth: self.growth.clone(),
        }
    }

    /// Goes on where another confirmer was. What that one handed to the verifier is handed over again.
    pub fn restore(&mut self, state: ConfirmerState) {
        self.paused = Duration::from_secs_f64(state.minimize_seconds);
        let spent = Duration::from_secs_f64(state.search_seconds) + self.paused;
        let now = Instant::now();
        self.started = now.checked_sub(spent).unwrap_or(now);
        self.n_batches = state.n_batches;
        self.known = state.known.into_iter().collect();
        self.fruitful = state.fruitful.into_iter().collect();
        self.spoilt_clauses = state.spoilt_clauses;
        self.excused = state.excused.into_iter().collect();
        self.elusive = state.elusive.into_iter().collect();
        self.findings = state.findings;
        self.buckets = state.buckets;
        let by_bucket = |finding: Finding| (Bucket::of(&finding.judgement), finding);
        self.examples = state.examples.into_iter().map(by_bucket).collect();
        self.held = state.held;
        self.growth = state.growth;
        for confirmed in state.released {
            self.hand_over(confirmed);
        }
    }
}
