//! The last stage before the verifier: findings of one root cause are one, shown by the best example.
//!
//! Decision: `docs/decisions/045-one-finding-per-place.md`

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use provoke_engine::{
    Api, Bucket, Buckets, Failure, Finding, FindingId, Findings, Incident, Judgement, calls_function, is_better_example,
};
use provoke_wire::{FaultKind, Program};
use serde::{Deserialize, Serialize};

use crate::confirm::confirmed::Confirmed;

/// Batches for which a finding is kept back: most functions that lead to the same place with fewer calls turn up by then.
const SETTLING_BATCHES: u64 = 48;
const SETTLING_TIME: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Causes {
    findings: Findings,
    /// Which functions lead to each root cause.
    pub(crate) buckets: Buckets,
    /// By root cause: the finding that shows it best.
    #[serde(with = "by_bucket")]
    examples: BTreeMap<Bucket, Finding>,
    held: Vec<Held>,
}

/// A finding that waits for a better one with the same cause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Held {
    confirmed: Confirmed,
    since_batch: u64,
    #[serde(skip, default = "Instant::now")]
    since: Instant,
}

impl Held {
    /// Batches can be slow, and the user wants to see something. When it is shown changes nothing about what is found.
    fn has_settled(&self, n_batches: u64) -> bool {
        self.since_batch + SETTLING_BATCHES < n_batches || self.since.elapsed() > SETTLING_TIME
    }
}

/// Since when a finding, or a worse one of its root cause, is kept back.
pub(crate) struct Since(u64, Instant);

impl Causes {
    pub(crate) fn n_examples(&self) -> usize {
        self.examples.len()
    }

    /// Whether the very same finding is known.
    pub(crate) fn has_found(&self, judgement: &Judgement) -> bool {
        self.findings.get(&FindingId::of(judgement)).is_some()
    }

    /// What shows the root cause best so far.
    pub(crate) fn example_of(&self, judgement: &Judgement) -> Option<&Finding> {
        self.examples.get(&Bucket::of(judgement))
    }

    /// Another function leads to a place that is known.
    pub(crate) fn add_way(&mut self, judgement: &Judgement) {
        self.buckets.add(judgement);
    }

    /// Adds a finding. If it shows its cause better than all before, the one that it takes the place of goes, and this one is to
    /// be [held](Causes::hold).
    pub(crate) fn add(&mut self, finding: &Finding, n_batches: u64) -> Option<Since> {
        self.findings.add(finding.clone());
        self.buckets.add(&finding.judgement);
        let bucket = Bucket::of(&finding.judgement);
        if self.examples.get(&bucket).is_some_and(|known| !is_better_example(finding, known)) {
            return None;
        }
        let worse = self.held.iter().position(|held| Bucket::of(&held.confirmed.finding.judgement) == bucket);
        self.examples.insert(bucket, finding.clone());
        Some(worse.map_or_else(
            || Since(n_batches, Instant::now()),
            |place| {
                let held = self.held.remove(place);
                Since(held.since_batch, held.since)
            },
        ))
    }

    /// Keeps a finding back until it has settled.
    pub(crate) fn hold(&mut self, confirmed: Confirmed, Since(since_batch, since): Since) {
        self.held.push(Held { confirmed, since_batch, since });
    }

    /// What was kept back for long enough, with the other functions that lead to its place.
    pub(crate) fn take_settled(&mut self, n_batches: u64) -> Vec<Confirmed> {
        let settled: Vec<Held> = self.held.extract_if(.., |held| held.has_settled(n_batches)).collect();
        settled.into_iter().map(|held| self.released(held)).collect()
    }

    /// All that is still kept back.
    pub(crate) fn take_all(&mut self) -> Vec<Confirmed> {
        let all = std::mem::take(&mut self.held);
        all.into_iter().map(|held| self.released(held)).collect()
    }

    fn released(&self, Held { mut confirmed, .. }: Held) -> Confirmed {
        confirmed.also_through = self.buckets.also_through(&confirmed.finding.judgement);
        confirmed
    }

    /// Whether a fault of a tracked element or a crash is what one of the calls was found to do already. An element that was
    /// dropped twice or used afterwards shows in many ways, a leak in one.
    pub(crate) fn explain(&self, api: &Api, incident: &Incident, program: &Program) -> bool {
        if !matches!(incident.event, Failure::Tracked(_) | Failure::Signal(_)) {
            return false;
        }
        self.findings.iter().any(|known| {
            let explains = match known.incident.event {
                Failure::Tracked(FaultKind::Leak) => incident.event == known.incident.event,
                Failure::Tracked(FaultKind::DoubleDrop | FaultKind::UseAfterDrop) => true,
                _ => false,
            };
            explains && calls_function(api, &program.main, &known.judgement.function)
        })
    }
}

/// As a list: the root cause follows from the finding.
mod by_bucket {
    use super::*;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(examples: &BTreeMap<Bucket, Finding>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(examples.values())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<Bucket, Finding>, D::Error> {
        let examples = Vec::<Finding>::deserialize(deserializer)?.into_iter();
        Ok(examples.map(|finding| (Bucket::of(&finding.judgement), finding)).collect())
    }
}
