//! A search as bytes, and back: everything that what comes next depends on, at a border.

use provoke_wire::{Batch, DecodeError, Program, Reader, Request, Writer};

use super::{Borders, OpRecord, Planned, PlannedProgram, Search, Source};
use crate::hash::stable::StableHash;
use crate::options::{Guidance, Regions};
use crate::rng::Rng;

/// Of the encoding below and of what is learned from outcomes: what is kept by another version is of no use.
const VERSION: u64 = 12;

/// What a search goes on with: the batches that were under way, and the number of the next one.
#[derive(Default)]
pub(super) struct Start {
    pub(super) under_way: Vec<(Batch, Planned)>,
    pub(super) next_number: u64,
}

impl Search<'_> {
    /// The same for searches that can go on with each other's saved state: they have the same API, in the same worker, and the
    /// same options but for their bounds.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        hash.number(VERSION);
        for op in &self.api.ops {
            hash.text(&op.key);
            op.args.iter().chain([&op.result]).for_each(|ty| hash.number(u64::from(*ty)));
        }
        self.api.types.iter().for_each(|ty| hash.text(&ty.name));
        self.api.preconditions.iter().for_each(|precondition| hash.text(&precondition.text));
        self.api.specifications.iter().for_each(|specification| hash.text(&specification.path));
        self.api.ops.iter().flat_map(|op| &op.guards).for_each(|guard| hash.number(u64::from(*guard)));
        self.api.functions.iter().for_each(|function| hash.text(&function.path));
        hash.text(self.options.strategy.name());
        hash.number(self.options.seed);
        hash.number(self.options.notion as u64);
        self.options.is_selected.iter().for_each(|yes| hash.number(u64::from(*yes)));
        self.api.ops.iter().for_each(|op| hash.number(u64::from(self.api.policy.skips(self.api, op))));
        let Guidance { keeps, mutates, aims, measures, relates, weighs } = self.guidance;
        [keeps, mutates, aims, measures, relates, weighs].into_iter().for_each(|yes| hash.number(u64::from(yes)));
        let Regions { of_edges, owners } = &self.options.regions;
        of_edges.iter().for_each(|region| hash.number(u64::from(*region)));
        owners.iter().for_each(|owner| hash.number(owner.map_or(u64::MAX, u64::from)));
        self.options.edge_places.iter().for_each(|place| hash.number(u64::from(*place)));
        hash.number(self.literals.fingerprint());
        hash.finish()
    }

    /// At a border: with what is under way, which has not been learned from.
    pub(super) fn save<'a>(&self, under_way: impl ExactSizeIterator<Item = &'a Planned>, next_number: u64) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u64(self.fingerprint());
        writer.text(&self.rng.save());
        writer.u64(self.borders.cost());
        writer.u64(self.n_barren as u64);
        let stats = &self.stats;
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
        for record in &self.records {
            writer.u64(record.n_tries);
            writer.u32(record.n_deaths);
            writer.u32(record.n_time_outs);
            writer.u64(record.n_stops);
        }
        self.caution.save(&mut writer);
        self.covered.iter().for_each(|yes| writer.u8(u8::from(*yes)));
        self.programs_seen.save(&mut writer);
        self.values_seen.save(&mut writer);
        self.edges.save(&mut writer);
        self.discovery.save(&mut writer);
        self.exemplars.save(&mut writer);
        self.blocked.save(&mut writer);
        self.preconditions.save(&mut writer);
        self.specifications.save(&mut writer);
        self.components.save(&mut writer);
        self.witnesses.save(&mut writer);
        self.shares.save(&mut writer);
        self.aiming.save(&mut writer);
        self.spelling.save(&mut writer);
        self.prospects.save(&mut writer);
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
                writer.u32(program.source.to_word());
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
        self.borders = Borders::restored(reader.u64("cost")?);
        self.n_barren = reader.u64("barren batches")? as usize;
        let stats = &mut self.stats;
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
        for record in &mut self.records {
            *record = OpRecord {
                n_tries: reader.u64("record")?,
                n_deaths: reader.u32("record")?,
                n_time_outs: reader.u32("record")?,
                n_stops: reader.u64("record")?,
            };
        }
        self.caution.restore(reader)?;
        for is_covered in &mut self.covered {
            *is_covered = reader.u8("covered")? != 0;
        }
        self.programs_seen.restore(reader)?;
        self.values_seen.restore(reader)?;
        self.edges.restore(reader)?;
        self.discovery.restore(reader)?;
        self.exemplars.restore(reader)?;
        self.blocked.restore(reader)?;
        self.preconditions.restore(reader)?;
        self.specifications.restore(reader)?;
        self.components.restore(reader)?;
        self.witnesses.restore(reader)?;
        self.shares.restore(reader)?;
        self.aiming.restore(reader, &self.witnesses)?;
        self.spelling.restore(reader)?;
        self.prospects.restore(reader)?;
        self.start.next_number = reader.u64("batch number")?;
        for _ in 0..reader.count(9, "batches")? {
            let mut batch = batch_from(reader.blob("batch")?)?;
            let is_observed = reader.u8("batch")? != 0;
            let n_known_edges = reader.u32("known edges")? as usize;
            batch.news = self.edges.news_until(n_known_edges).ok_or(reader.error("known edges"))?;
            let mut programs = Vec::with_capacity(batch.programs.len());
            for _ in &batch.programs {
                programs.push(PlannedProgram {
                    op: reader.u32("program")?,
                    first_new: reader.u32("program")?,
                    n_calls: reader.u32("program")?,
                    n_old: reader.u32("program")?,
                    hash: reader.u64("program")?,
                    source: Source::from_word(reader.u32("program")?)
                        .filter(|source| source.witness().is_none_or(|place| self.witnesses.has(place)))
                        .ok_or(reader.error("program"))?,
                });
            }
            let batch_number = batch.number;
            let planned =
                Planned { batch_number, is_observed, programs, traces: Vec::new(), n_known_edges, encoded: Vec::new() };
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
