//! A search as bytes, and back: everything that what comes next depends on, at a border.

use provoke_wire::{Batch, DecodeError, Program, Reader, Request, Writer};

use crate::hash::stable::StableHash;
use crate::options::{Guidance, Regions};
use crate::rng::Rng;
use crate::search::Search;
use crate::search::batch::{Planned, PlannedProgram, origin_from_word, origin_to_word};
use crate::search::checkpoints::Checkpoints;
use crate::search::schedule::record::OpRecord;

/// Of the encoding below and of what is learned from outcomes: what is kept by another version is of no use.
const VERSION: u64 = 13;

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
    pub(crate) fn save<'a>(&self, under_way: impl ExactSizeIterator<Item = &'a Planned>, next_number: u64) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u64(self.fingerprint());
        writer.text(&self.rng.save());
        writer.u64(self.checkpoints.cost());
        writer.u64(self.n_barren as u64);
        let stats = &self.known.stats;
        let numbers = [
            stats.programs,
            stats.calls,
            stats.replayed_calls,
            stats.components,
            stats.functions_covered,
            stats.planned_calls,
            stats.edges,
            stats.novel_programs,
            stats.places,
        ];
        numbers.into_iter().for_each(|number| writer.u64(number));
        for record in &self.known.schedule.records {
            writer.u64(record.n_tries);
            writer.u32(record.n_deaths);
            writer.u32(record.n_time_outs);
            writer.u64(record.n_stops);
        }
        self.known.schedule.cost_limits.save(&mut writer);
        self.known.knowledge.covered.iter().for_each(|yes| writer.u8(u8::from(*yes)));
        self.programs_seen.save(&mut writer);
        self.known.knowledge.values_seen.save(&mut writer);
        self.known.knowledge.edges.save(&mut writer);
        self.known.knowledge.discovery.save(&mut writer);
        self.known.corpus.exemplars.save(&mut writer);
        self.known.knowledge.blocked.save(&mut writer);
        self.known.knowledge.preconditions.save(&mut writer);
        self.known.knowledge.specifications.save(&mut writer);
        self.known.corpus.components.save(&mut writer);
        self.known.corpus.witnesses.save(&mut writer);
        self.shares.save(&mut writer);
        self.known.knowledge.argument_constants.save(&mut writer);
        self.sources.iter().for_each(|source| source.save(&mut writer));
        self.known.schedule.potential.save(&mut writer);
        writer.u64(next_number);
        writer.u32(under_way.len() as u32);
        for planned in under_way {
            writer.blob(&planned.encoded);
            writer.u8(u8::from(planned.is_observed));
            writer.u32(planned.n_known_edges as u32);
            for program in &planned.programs {
                writer.u32(program.op);
                writer.u32(program.first_new);
                writer.u32(program.n_calls);
                writer.u32(program.n_old);
                writer.u64(program.hash);
                writer.u32(origin_to_word(program.origin));
            }
        }
        writer.bytes
    }

    /// Goes on where a search with the same fingerprint was saved. After an error the search is of no use any more.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let reader = &mut Reader::new(bytes);
        if reader.u64("fingerprint")? != self.fingerprint() {
            return Err(reader.error("fingerprint"));
        }
        self.rng = Rng::restore(&reader.text("random numbers")?).ok_or(reader.error("random numbers"))?;
        self.checkpoints = Checkpoints::restored(reader.u64("cost")?);
        self.n_barren = reader.u64("barren batches")? as usize;
        let stats = &mut self.known.stats;
        for number in [
            &mut stats.programs,
            &mut stats.calls,
            &mut stats.replayed_calls,
            &mut stats.components,
            &mut stats.functions_covered,
            &mut stats.planned_calls,
            &mut stats.edges,
            &mut stats.novel_programs,
            &mut stats.places,
        ] {
            *number = reader.u64("statistics")?;
        }
        for record in &mut self.known.schedule.records {
            *record = OpRecord {
                n_tries: reader.u64("record")?,
                n_deaths: reader.u32("record")?,
                n_time_outs: reader.u32("record")?,
                n_stops: reader.u64("record")?,
            };
        }
        self.known.schedule.cost_limits.restore(reader)?;
        for is_covered in &mut self.known.knowledge.covered {
            *is_covered = reader.u8("covered")? != 0;
        }
        self.programs_seen.restore(reader)?;
        self.known.knowledge.values_seen.restore(reader)?;
        self.known.knowledge.edges.restore(reader)?;
        self.known.knowledge.discovery.restore(reader)?;
        self.known.corpus.exemplars.restore(reader)?;
        self.known.knowledge.blocked.restore(reader)?;
        self.known.knowledge.preconditions.restore(reader)?;
        self.known.knowledge.specifications.restore(reader)?;
        self.known.corpus.components.restore(reader)?;
        self.known.corpus.witnesses.restore(reader)?;
        self.shares.restore(reader)?;
        self.known.knowledge.argument_constants.restore(reader)?;
        for source in &mut self.sources {
            source.restore(&self.known, reader)?;
        }
        self.known.schedule.potential.restore(reader)?;
        self.start.next_number = reader.u64("batch number")?;
        for _ in 0..reader.count(9, "batches")? {
            let mut batch = batch_from(reader.blob("batch")?)?;
            let is_observed = reader.u8("batch")? != 0;
            let n_known_edges = reader.u32("known edges")? as usize;
            batch.news = self.known.knowledge.edges.news_until(n_known_edges).ok_or(reader.error("known edges"))?;
            let mut programs = Vec::with_capacity(batch.programs.len());
            for _ in &batch.programs {
                programs.push(PlannedProgram {
                    op: reader.u32("program")?,
                    first_new: reader.u32("program")?,
                    n_calls: reader.u32("program")?,
                    n_old: reader.u32("program")?,
                    hash: reader.u64("program")?,
                    origin: origin_from_word(reader.u32("program")?)
                        .filter(|origin| origin.witness.is_none_or(|place| self.known.corpus.witnesses.has(place)))
                        .ok_or(reader.error("program"))?,
                });
            }
            let batch_number = batch.number;
            let planned = Planned { batch_number, is_observed, programs, n_known_edges, encoded: Vec::new() };
            self.start.under_way.push((batch, planned));
        }
        if reader.is_at_end() { Ok(()) } else { Err(reader.error("search")) }
    }
}

fn batch_from(bytes: &[u8]) -> Result<Batch, DecodeError> {
    let Request::Run(mut batch) = Request::decode(bytes)? else {
        return Err(Reader::new(bytes).error("batch"));
    };
    let (number, options) = (batch.number, batch.options);
    let mut programs = Vec::with_capacity(batch.n_left());
    let mut program = Program::default();
    while batch.next_into(&mut program)? {
        programs.push(program.clone());
    }
    Ok(Batch { number, options, programs, news: Vec::new() })
}

#[cfg(test)]
#[path = "saved_tests.rs"]
mod tests;
