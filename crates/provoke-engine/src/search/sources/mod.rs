//! Sources of programs: the ways to come by the next one.
//!
//! A source proposes programs from what is known, and learns from what came of them. Proposing only
//! reads. How often a source is asked follows from its row in [`ROWS`] and from what its programs
//! brought so far (`schedule/budget.rs`). A new source is a file here and a row.
//!
//! Decision: `docs/decisions/092-a-batch-follows-from-its-number.md`

pub mod aim;
pub mod build;
pub mod change;
pub mod harvested_texts;
mod workshop;

use provoke_wire::{Body, Outcome, Program};
use serde::{Deserialize, Serialize};

use crate::generate::aim::Nudge;
use crate::options::{BATCH_SIZE, Guidance, WINDOW};
use crate::rng::Rng;
use crate::saved_forms::{RestoreError, ensure};
use crate::search::known::Known;
use crate::search::sources::aim::Aim;
use crate::search::sources::build::Build;
use crate::search::sources::change::Change;

pub(crate) use workshop::Workshop;

/// What is said of a source before it proposed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Of the [`PRIOR_NOVEL`](crate::search::schedule::budget) novelties that all sources are thought to have brought, in parts.
    ///
    /// Building comes first: it needs no new ground to find faults, and has 24. A further source starts with 1, like aiming, unless
    /// it finds faults without reaching anything new.
    pub head_start: u64,
    /// Percent of the budget that it gets at most. Together the sources beside building get [`MAX_BESIDE_BUILDING`] at most, and each
    /// at least [`MIN_PERCENT`](crate::search::schedule::budget).
    pub max_percent: u64,
}

/// By place of the source.
pub(crate) const ROWS: [Row; 3] = [
    Row { head_start: 24, max_percent: 100 },
    Row { head_start: 2, max_percent: 60 },
    Row { head_start: 1, max_percent: 30 },
];

/// Where a program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Place of the source.
    pub source: u8,
    /// Place of the witness that it was made from.
    pub witness: Option<u32>,
}

/// What a source says when it is asked for a program.
pub(crate) enum Proposal {
    Program(Draft),
    /// It came to nothing this time.
    Failed,
    /// It has nothing to propose: others are asked.
    Nothing,
}

/// A program that a source proposes.
pub(crate) struct Draft {
    pub body: Body,
    /// The call that it is about.
    pub op: u32,
    /// The first statement that no component or witness brought along.
    pub first_new: u32,
    pub witness: Option<u32>,
}

/// A batch that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchPlan {
    pub number: u64,
    /// Programs in it, unless a source has it for its own.
    pub size: usize,
}

impl BatchPlan {
    /// Tiny batches at first: there is little to build on, and nobody knows yet what kills or
    /// blocks a worker.
    pub fn of(number: u64) -> BatchPlan {
        BatchPlan { number, size: BATCH_SIZE.min(1 << (number as usize / WINDOW).min(16)) }
    }
}

/// A question for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// Number of the batch that it is for.
    pub batch: u64,
    /// How often the source was asked for this batch before.
    pub nth: usize,
}

/// A batch that is all of one source's. Comparisons are traced in it.
#[derive(Default)]
pub(crate) struct OwnBatch {
    pub drafts: Vec<Draft>,
    /// By draft.
    pub traces: Vec<Tracing>,
    /// How much of what waits it took.
    pub n_taken: usize,
}

/// What a traced program is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tracing {
    /// The place of the witness.
    pub witness: u32,
    pub nudge: Option<Nudge>,
}

/// A way to come by programs.
///
/// Some batches are made at the same time, from the same knowledge: before, each is dealt its part
/// of what waits; while they are made, sources are only read; then what they used is settled, batch
/// by batch.
pub(crate) trait Source: Send + Sync {
    /// Whether it is asked at all.
    fn is_used(&self, guidance: Guidance) -> bool;

    /// Puts aside what a batch may use. So many batches share what waits, this one included.
    fn deal(&mut self, _: &Known<'_>, _: BatchPlan, _n_sharing: usize) {}

    fn propose(&self, known: &Known<'_>, ask: Ask, workshop: &mut Workshop, rng: &mut Rng) -> Proposal;

    /// The programs of a batch that is all its own, if this one is.
    fn own_batch(&self, _: &Known<'_>, _: BatchPlan, _: &mut Workshop, _: &mut Rng) -> OwnBatch {
        OwnBatch::default()
    }

    /// A batch was made, and the source asked for so many programs.
    fn settle(&mut self, _batch: u64, _n_asked: usize) {}

    /// A batch of its own was made and is run.
    fn settle_own(&mut self, _batch: u64, _: OwnBatch) {}

    /// A program was the first to reach something, and is the witness at this place.
    fn learn_witness(&mut self, _: u32) {}

    /// What became of a batch of its own.
    fn learn_own_batch(&mut self, _: &mut Known<'_>, _number: u64, _: &[Program], _: &[Outcome]) {}

    /// At a checkpoint: what is not saved is forgotten by every search, so that one that goes on later is like one that was never
    /// stopped.
    fn forget_unsaved(&mut self) {}

    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _: &Known<'_>, saved: &[u8]) -> Result<(), RestoreError> {
        ensure(saved.is_empty(), "source")
    }
}

/// All of them, in the order of [`ROWS`].
pub(crate) fn all() -> Vec<Box<dyn Source>> {
    vec![Box::new(Build), Box::new(Change), Box::<Aim>::default()]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::search::Search;
    use crate::search::schedule::budget::MIN_PERCENT;
    use crate::test_support::fake::{self, FakeExecutor, Silent};

    /// Calls one operation, again and again, with whatever fits.
    struct Toy {
        op: u32,
        n_proposed: Arc<AtomicU64>,
        n_witnesses: Arc<AtomicU64>,
    }

    impl Source for Toy {
        fn is_used(&self, _: Guidance) -> bool {
            true
        }

        fn propose(&self, known: &Known<'_>, _: Ask, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
            workshop.builder.clear();
            if workshop.builder.call(&known.material(true), self.op, rng).is_none() {
                return Proposal::Nothing;
            }
            self.n_proposed.fetch_add(1, Ordering::Relaxed);
            let first_new = workshop.builder.first_new();
            Proposal::Program(Draft { body: workshop.built(), op: self.op, first_new, witness: None })
        }

        fn learn_witness(&mut self, _: u32) {
            self.n_witnesses.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_further_source_is_a_row_and_is_asked_as_often_as_that_says() {
        let api = fake::api();
        let options = fake::options(200_000);
        let op = api.ops.iter().position(|op| op.key == "toy::push").unwrap() as u32;
        let run = || {
            let (n_proposed, n_witnesses) = (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default());
            let toy = Toy { op, n_proposed: n_proposed.clone(), n_witnesses: n_witnesses.clone() };
            let sources: Vec<Box<dyn Source>> = all().into_iter().chain([Box::new(toy) as Box<dyn Source>]).collect();
            let rows: Vec<Row> = ROWS.into_iter().chain([Row { head_start: 1, max_percent: 20 }]).collect();
            let mut search = Search::with_sources(&api, &options, &[], sources, &rows);
            search.run(&mut FakeExecutor::default(), &mut Silent).unwrap();
            (n_proposed.load(Ordering::Relaxed), n_witnesses.load(Ordering::Relaxed), search.stats().clone())
        };
        let (n_proposed, n_witnesses, stats) = run();
        let percent = 100 * n_proposed / stats.programs;
        assert!((MIN_PERCENT / 2..60).contains(&percent), "{percent} % of the programs");
        assert!(n_witnesses > 0, "what others reach is heard of");
        assert_eq!(run(), (n_proposed, n_witnesses, stats), "the same again");
    }
}
