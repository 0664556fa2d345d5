//! Sources of programs: the ways to come by the next one.
//!
//! A source proposes programs from what is known, and learns from what came of them. Proposing only reads: what it changes is in
//! the proposal, and is written down when that was taken up. How often a source is asked follows from its row in [`ROWS`] and from
//! what its programs brought so far (`schedule/budget.rs`). A new source is a file here and a row.

pub mod aim;
pub mod build;
pub mod change;
pub mod harvested_texts;

use provoke_wire::{Body, Outcome, Program};
use serde::{Deserialize, Serialize};

use crate::generate::builder::Builder;
use crate::generate::mutate::Mutator;
use crate::options::Guidance;
use crate::rng::Rng;
use crate::saved_forms::{RestoreError, ensure};
use crate::search::known::Known;
use crate::search::sources::aim::Aim;
use crate::search::sources::build::Build;
use crate::search::sources::change::Change;

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

/// What making programs needs and nobody remembers, and what was spent on the proposal at hand.
#[derive(Default)]
pub(crate) struct Workshop {
    pub builder: Builder,
    pub mutator: Mutator,
    spare: Vec<Body>,
    pub spent: Spent,
}

/// What a proposal used up, whether anything came of it or not.
#[derive(Default)]
pub(crate) struct Spent {
    /// Operations of which calls were tried.
    pub tries: Vec<u32>,
    /// The witness that was chosen to be changed.
    pub chosen: Option<u32>,
    /// How many of the programs that wait to be proposed.
    pub n_aimed: usize,
    /// How many of the witnesses that wait, and with how many ways tried the last of them waits again.
    pub moved: Option<(usize, Option<(u32, u32)>)>,
}

impl Spent {
    pub fn clear(&mut self) {
        self.tries.clear();
        (self.chosen, self.n_aimed, self.moved) = (None, 0, None);
    }
}

/// Bodies whose memory waits to be used again.
const MAX_SPARE: usize = 2 * crate::options::BATCH_SIZE;

impl Workshop {
    /// In memory that was used before.
    pub fn copied(spare: &mut Vec<Body>, body: &Body) -> Body {
        let mut copy = spare.pop().unwrap_or_default();
        copy.clone_from(body);
        copy
    }

    /// What the builder has made.
    pub fn built(&mut self) -> Body {
        Workshop::copied(&mut self.spare, &self.builder.body)
    }

    /// What the mutator has made.
    pub fn changed(&mut self) -> Body {
        Workshop::copied(&mut self.spare, self.mutator.body())
    }

    /// Not all come from here: what is aimed was made elsewhere.
    pub fn keep_spare(&mut self, programs: impl Iterator<Item = Program>) {
        let n_wanted = MAX_SPARE.saturating_sub(self.spare.len());
        self.spare.extend(programs.take(n_wanted).map(|program| program.main));
    }
}

/// A program of a batch that is all of one source's, with where it comes from.
pub(crate) struct OwnProgram {
    pub body: Body,
    pub op: u32,
    pub witness: u32,
}

pub(crate) trait Source {
    /// Whether it is asked at all.
    fn is_used(&self, guidance: Guidance) -> bool;

    fn propose(&self, known: &Known<'_>, workshop: &mut Workshop, rng: &mut Rng) -> Proposal;

    /// What its proposal used up.
    fn spend(&mut self, _: &Spent) {}

    /// The programs of a batch that is all its own, if this one is; comparisons are traced there. Others have `size` programs by now.
    fn own_batch(&mut self, _: &mut Known<'_>, _number: u64, _size: usize, _: &mut Rng) -> Vec<OwnProgram> {
        Vec::new()
    }

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
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;
    use crate::options::BATCH_SIZE;
    use crate::search::Search;
    use crate::search::schedule::budget::MIN_PERCENT;
    use crate::test_support::fake::{self, FakeExecutor, Silent};

    #[test]
    fn memory_that_nobody_uses_again_is_given_back() {
        let mut workshop = Workshop::default();
        for _ in 0..10 {
            workshop.keep_spare(vec![Program::default(); BATCH_SIZE].into_iter());
        }
        assert_eq!(workshop.spare.len(), MAX_SPARE);
    }

    /// Calls one operation, again and again, with whatever fits.
    struct Toy {
        op: u32,
        n_proposed: Rc<Cell<u64>>,
        n_witnesses: Rc<Cell<u64>>,
    }

    impl Source for Toy {
        fn is_used(&self, _: Guidance) -> bool {
            true
        }

        fn propose(&self, known: &Known<'_>, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
            workshop.builder.clear();
            if workshop.builder.call(&known.material(true), self.op, rng).is_none() {
                return Proposal::Nothing;
            }
            self.n_proposed.set(self.n_proposed.get() + 1);
            let first_new = workshop.builder.first_new();
            Proposal::Program(Draft { body: workshop.built(), op: self.op, first_new, witness: None })
        }

        fn learn_witness(&mut self, _: u32) {
            self.n_witnesses.set(self.n_witnesses.get() + 1);
        }
    }

    #[test]
    fn a_further_source_is_a_row_and_is_asked_as_often_as_that_says() {
        let api = fake::api();
        let options = fake::options(200_000);
        let op = api.ops.iter().position(|op| op.key == "toy::push").unwrap() as u32;
        let run = || {
            let (n_proposed, n_witnesses) = (Rc::<Cell<u64>>::default(), Rc::<Cell<u64>>::default());
            let toy = Toy { op, n_proposed: n_proposed.clone(), n_witnesses: n_witnesses.clone() };
            let sources: Vec<Box<dyn Source>> = all().into_iter().chain([Box::new(toy) as Box<dyn Source>]).collect();
            let rows: Vec<Row> = ROWS.into_iter().chain([Row { head_start: 1, max_percent: 20 }]).collect();
            let mut search = Search::with_sources(&api, &options, &[], sources, &rows);
            search.run(&mut FakeExecutor::default(), &mut Silent).unwrap();
            (n_proposed.get(), n_witnesses.get(), search.stats().clone())
        };
        let (n_proposed, n_witnesses, stats) = run();
        let percent = 100 * n_proposed / stats.programs;
        assert!((MIN_PERCENT / 2..60).contains(&percent), "{percent} % of the programs");
        assert!(n_witnesses > 0, "what others reach is heard of");
        assert_eq!(run(), (n_proposed, n_witnesses, stats), "the same again");
    }
}
