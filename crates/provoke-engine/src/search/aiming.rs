//! Which witnesses are traced, and the programs that came of it.

use std::collections::{BTreeSet, VecDeque};

use provoke_wire::{Body, DecodeError, Literal, Outcome, Program, Reader, Writer};

use super::corpus::Witnesses;
use super::knowledge::compared::Compared;
use crate::generate::aim::{Conditions, Nudge, Traced, aim, probes, with_literals};
use crate::generate::argument_constants::Touchstones;
use crate::generate::literals::Literals;
use crate::generate::mutate::{Edit, cross, object_edits};
use crate::options::Guidance;
use crate::rng::Rng;

/// One batch of so many is for traces.
const EVERY: u64 = 8;
/// Programs in such a batch, if others are as large: all that a young search reaches is new, and traces of it all would take
/// calls from building up.
const MAX_TRACED: usize = 96;
/// For so many of them there is one more that is made from two witnesses.
const TRACED_PER_CROSSED: usize = 4;
/// Ways to pass other objects in one witness.
const MAX_MOVES: usize = 20;
/// Witnesses that wait, and programs that came of them.
const MAX_WAITING: usize = 1024;
const MAX_AIMED: usize = 4096;

/// What a program of a traced batch is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tracing {
    /// The place of the witness.
    pub(super) witness: u32,
    nudge: Option<Nudge>,
}

impl Tracing {
    pub(super) fn new(witness: u32, nudge: Option<Nudge>) -> Tracing {
        Tracing { witness, nudge }
    }

    /// The program as it is; those after it, up to the next such, have one number changed.
    pub(super) fn is_first(&self) -> bool {
        self.nudge.is_none()
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Aiming {
    /// Witnesses that are to be traced.
    waiting: VecDeque<u32>,
    /// Witnesses in which other objects are passed, and how many ways were tried.
    moving: VecDeque<(u32, u32)>,
    /// What came of others.
    aimed: VecDeque<(Body, u32)>,
    conditions: Conditions,
    compared: Compared,
    touchstones: Touchstones,
}

impl Aiming {
    pub(super) fn trace(&mut self, witness: u32) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(witness);
        }
        if self.moving.len() < MAX_WAITING {
            self.moving.push_back((witness, 0));
        }
    }

    /// A witness, and the next way to pass another object in it.
    pub(super) fn next_move(&mut self, witnesses: &Witnesses) -> Option<(u32, Edit)> {
        while let Some((witness, n_tried)) = self.moving.pop_front() {
            let edit = object_edits(witnesses.body(witness)).take(MAX_MOVES).nth(n_tried as usize);
            if let Some(edit) = edit {
                self.moving.push_back((witness, n_tried + 1));
                return Some((witness, edit));
            }
        }
        None
    }

    /// The programs of a batch, if this one is for traces. Others have `size` programs by now.
    pub(super) fn batch(
        &mut self,
        number: u64,
        size: usize,
        witnesses: &mut Witnesses,
        rng: &mut Rng,
    ) -> Vec<(Body, Tracing)> {
        let mut batch = Vec::new();
        if number % EVERY != EVERY - 1 || self.aimed.len() > MAX_AIMED / 2 {
            return batch;
        }
        let max_traced = MAX_TRACED.min(size);
        while batch.len() < max_traced {
            let witness = match self.waiting.pop_front() {
                Some(witness) => witness,
                None => break,
            };
            let probes = probes(witnesses.body(witness)).into_iter();
            batch.extend(probes.map(|probe| (probe.body, Tracing::new(witness, probe.nudge))));
        }
        // What two witnesses reach may only count together, and only once a comparison is right: nobody would see from what it
        // reaches that such a program is worth tracing.
        for _ in 0..max_traced / TRACED_PER_CROSSED {
            let (Some(witness), Some(other)) = (witnesses.choose(rng), witnesses.choose(rng)) else { break };
            if let Some(change) = cross(witnesses.body(witness), witnesses.body(other), rng) {
                let body = with_literals(witnesses.body(witness), &[change]);
                batch.push((body, Tracing::new(witness, None)));
            }
        }
        batch
    }

    /// Learns from a batch of traces.
    pub(super) fn learn(
        &mut self,
        guidance: Guidance,
        literals: &Literals,
        programs: &[Program],
        traces: &[Tracing],
        outcomes: &[Outcome],
    ) {
        let mut start = 0;
        while start < traces.len() {
            let end = traces[start + 1..]
                .iter()
                .position(Tracing::is_first)
                .map_or(traces.len(), |offset| start + 1 + offset);
            let traced: Vec<Traced<'_>> = traces[start..end]
                .iter()
                .zip(&outcomes[start..end])
                .map(|(tracing, outcome)| Traced { nudge: tracing.nudge, comparisons: &outcome.comparisons })
                .collect();
            let mut unused = Touchstones::default();
            let touchstones = if guidance.measures { &mut self.touchstones } else { &mut unused };
            let aimed = aim(&programs[start].main, &traced, literals, &mut self.conditions, touchstones);
            self.aimed.extend(aimed.into_iter().map(|body| (body, traces[start].witness)));
            outcomes[start].comparisons.iter().for_each(|comparison| self.compared.add(comparison));
            start = end;
        }
        self.aimed.truncate(MAX_AIMED);
    }

    pub(super) fn next_aimed(&mut self) -> Option<(Body, u32)> {
        self.aimed.pop_front()
    }

    pub(super) fn touchstones(&self) -> &Touchstones {
        &self.touchstones
    }

    pub(super) fn compared(&self) -> &[Literal] {
        self.compared.values()
    }

    /// At a border: what is not saved is forgotten by every search, so that one that goes on later is like one that was never
    /// stopped. What was traced for nothing waits once more, that which is under way included.
    pub(super) fn cross_border<'a>(&mut self, under_way: impl Iterator<Item = &'a Tracing>) {
        let aimed = self.aimed.drain(..).map(|(_, witness)| witness);
        let lost: BTreeSet<u32> = aimed.chain(under_way.map(|tracing| tracing.witness)).collect();
        let n_free = MAX_WAITING.saturating_sub(self.waiting.len());
        self.waiting.extend(lost.into_iter().take(n_free));
        self.compared.clear();
    }

    pub(super) fn save(&self, writer: &mut Writer) {
        writer.words(&self.waiting.iter().copied().collect::<Vec<u32>>());
        writer.words(&self.moving.iter().flat_map(|&(witness, n_tried)| [witness, n_tried]).collect::<Vec<u32>>());
        self.conditions.save(writer);
        self.touchstones.save(writer);
    }

    pub(super) fn restore(&mut self, reader: &mut Reader<'_>, witnesses: &Witnesses) -> Result<(), DecodeError> {
        self.waiting = reader.words("waiting witnesses")?.into();
        let moving = reader.words("waiting witnesses")?;
        self.moving = moving.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        let mut places = self.waiting.iter().chain(self.moving.iter().map(|(place, _)| place));
        if !places.all(|&place| witnesses.has(place)) {
            return Err(reader.error("waiting witnesses"));
        }
        self.conditions.restore(reader)?;
        self.touchstones.restore(reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_of_traces_is_about_as_large_as_the_others() {
        let mut witnesses = Witnesses::default();
        let mut aiming = Aiming::default();
        for _ in 0..200 {
            let witness = witnesses.add(Body::default(), 1, 0);
            aiming.trace(witness);
        }
        let mut rng = Rng::new(1);
        let mut n_traced = |number, size| aiming.batch(number, size, &mut witnesses, &mut rng).len();
        assert_eq!([n_traced(EVERY - 1, 4), n_traced(EVERY, 4), n_traced(2 * EVERY - 1, 512)], [4, 0, MAX_TRACED]);
    }

    #[test]
    fn what_was_traced_for_nothing_waits_again_behind_a_border() {
        let mut aiming = Aiming { waiting: [4].into(), ..Aiming::default() };
        aiming.aimed.extend([(Body::default(), 9), (Body::default(), 2), (Body::default(), 9)]);
        aiming.cross_border([Tracing::new(7, None), Tracing::new(2, None)].iter());
        assert_eq!(aiming.waiting, [4, 2, 7, 9]);
        assert!(aiming.next_aimed().is_none());
    }
}
