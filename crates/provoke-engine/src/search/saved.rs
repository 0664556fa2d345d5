//! A search as bytes, and back: everything that what comes next depends on, at a border.

use std::borrow::Cow;
use std::collections::VecDeque;

use provoke_wire::{Batch, Program, Request};
use serde::{Deserialize, Serialize};

use crate::hash::seen::Seen;
use crate::hash::stable::StableHash;
use crate::options::{Guidance, Regions};
use crate::program::check::check_program;
use crate::saved_forms::{RestoreError, ensure, from_bytes, to_bytes};
use crate::search::Search;
use crate::search::batch::Planned;
use crate::search::checkpoints::Checkpoints;
use crate::search::corpus::Corpus;
use crate::search::knowledge::Knowledge;
use crate::search::make::plan_program;
use crate::search::observer::Stats;
use crate::search::schedule::Schedule;
use crate::search::schedule::budget::Budget;
use crate::search::sources::Draft;

/// Of the encoding below and of what is learned from outcomes: what is kept by another version is of no use.
const VERSION: u64 = 16;

/// All of a search that what comes next depends on. What follows from the rest, from the API or from the options is left out.
#[derive(Serialize, Deserialize)]
struct SavedSearch<'a> {
    fingerprint: u64,
    /// At the last checkpoint, which is here.
    cost: u64,
    n_barren: usize,
    stats: Cow<'a, Stats>,
    schedule: Cow<'a, Schedule>,
    knowledge: Cow<'a, Knowledge>,
    corpus: Cow<'a, Corpus>,
    programs_seen: Cow<'a, Seen>,
    shares: Cow<'a, Budget>,
    /// By source: as it saves itself.
    sources: Vec<Vec<u8>>,
    /// Batches that have not been learned from.
    under_way: Cow<'a, VecDeque<Planned>>,
    /// Of the first batch behind them.
    next_number: u64,
}

/// What a search goes on with: the batches that were under way, and the number of the next one.
#[derive(Default)]
pub(crate) struct Start {
    pub(crate) under_way: Vec<(Batch, Planned)>,
    pub(crate) next_number: u64,
}

impl Search<'_> {
    /// The same for searches that can go on with each other's saved state: they have the same API, in the same worker, and the
    /// same options but for their bounds.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        hash.number(VERSION);
        for op in &self.known.api.ops {
            hash.text(&op.key);
            op.args.iter().chain([&op.result]).for_each(|ty| hash.number(u64::from(*ty)));
        }
        self.known.api.types.iter().for_each(|ty| hash.text(&ty.name));
        self.known.api.preconditions.iter().for_each(|precondition| hash.text(&precondition.text));
        self.known.api.specifications.iter().for_each(|specification| hash.text(&specification.path));
        self.known.api.ops.iter().flat_map(|op| &op.guards).for_each(|guard| hash.number(u64::from(*guard)));
        self.known.api.functions.iter().for_each(|function| hash.text(&function.path));
        hash.text(self.known.options.strategy.name());
        hash.number(self.known.options.seed);
        hash.number(self.known.options.notion as u64);
        self.known.options.is_selected.iter().for_each(|yes| hash.number(u64::from(*yes)));
        self.known
            .api
            .ops
            .iter()
            .for_each(|op| hash.number(u64::from(self.known.api.policy.skips(self.known.api, op))));
        let Guidance { keeps, mutates, aims, measures, relates, weighs } = self.known.guidance;
        [keeps, mutates, aims, measures, relates, weighs].into_iter().for_each(|yes| hash.number(u64::from(yes)));
        let Regions { of_edges, owners } = &self.known.options.regions;
        of_edges.iter().for_each(|region| hash.number(u64::from(*region)));
        owners.iter().for_each(|owner| hash.number(owner.map_or(u64::MAX, u64::from)));
        self.known.options.edge_places.iter().for_each(|place| hash.number(u64::from(*place)));
        hash.number(self.known.literals.fingerprint());
        hash.finish()
    }

    /// At a border: with what is under way, which has not been learned from.
    pub(crate) fn save(&self, under_way: &VecDeque<Planned>, next_number: u64) -> Vec<u8> {
        to_bytes(&SavedSearch {
            fingerprint: self.fingerprint(),
            cost: self.checkpoints.cost(),
            n_barren: self.n_barren,
            stats: Cow::Borrowed(&self.known.stats),
            schedule: Cow::Borrowed(&self.known.schedule),
            knowledge: Cow::Borrowed(&self.known.knowledge),
            corpus: Cow::Borrowed(&self.known.corpus),
            programs_seen: Cow::Borrowed(&self.programs_seen),
            shares: Cow::Borrowed(&self.shares),
            sources: self.sources.iter().map(|source| source.save()).collect(),
            under_way: Cow::Borrowed(under_way),
            next_number,
        })
    }

    /// Goes on where a search with the same fingerprint was saved. After an error the search is of no use any more.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let saved: SavedSearch<'_> = from_bytes(bytes, "search")?;
        ensure(saved.fingerprint == self.fingerprint(), "fingerprint")?;
        self.checkpoints = Checkpoints::restored(saved.cost);
        self.n_barren = saved.n_barren;
        self.known.stats = saved.stats.into_owned();
        self.known.schedule.restore(saved.schedule.into_owned())?;
        self.known.knowledge.restore(saved.knowledge.into_owned())?;
        self.known.corpus.restore(self.known.api, saved.corpus.into_owned())?;
        self.programs_seen.restore(saved.programs_seen.into_owned())?;
        self.shares.restore(saved.shares.into_owned())?;
        ensure(saved.sources.len() == self.sources.len(), "sources")?;
        for (source, saved) in self.sources.iter_mut().zip(&saved.sources) {
            source.restore(&self.known, saved)?;
        }
        let under_way = saved.under_way.into_owned();
        let first_number = saved.next_number.checked_sub(under_way.len() as u64).ok_or(RestoreError("batch number"))?;
        self.start.next_number = saved.next_number;
        for (planned, number) in under_way.into_iter().zip(first_number..) {
            ensure(planned.batch_number == number, "batch number")?;
            let restored = self.restored_batch(planned)?;
            self.start.under_way.push(restored);
        }
        Ok(())
    }

    /// A batch that was under way, its programs legal and planned anew.
    fn restored_batch(&mut self, mut planned: Planned) -> Result<(Batch, Planned), RestoreError> {
        let (known, encoded) = (&mut self.known, std::mem::take(&mut planned.encoded));
        let mut batch = batch_from(&encoded).ok_or(RestoreError("batch"))?;
        batch.news = known.knowledge.edges.news_until(planned.n_known_edges).ok_or(RestoreError("known edges"))?;
        ensure((batch.number, batch.programs.len()) == (planned.batch_number, planned.programs.len()), "batch")?;
        for (program, plan) in batch.programs.iter().zip(&mut planned.programs) {
            let (op, origin) = (plan.op, plan.origin);
            let is_sound = (op as usize) < self.known.api.ops.len()
                && usize::from(origin.source) < self.sources.len()
                && origin.witness.is_none_or(|place| self.known.corpus.witnesses.has(place))
                && check_program(self.known.api, program).is_ok();
            ensure(is_sound, "program")?;
            let draft =
                Draft { body: program.main.clone(), op, first_new: program.observe_from, witness: origin.witness };
            *plan = plan_program(self.known.api, draft, origin.source.into()).1;
        }
        Ok((batch, planned))
    }
}

fn batch_from(bytes: &[u8]) -> Option<Batch> {
    let Ok(Request::Run(mut batch)) = Request::decode(bytes) else { return None };
    let (number, options) = (batch.number, batch.options);
    let mut programs = Vec::with_capacity(batch.n_left());
    let mut program = Program::default();
    while batch.next_into(&mut program).ok()? {
        programs.push(program.clone());
    }
    Some(Batch { number, options, programs, news: Vec::new() })
}

#[cfg(test)]
#[path = "saved_tests.rs"]
mod tests;
