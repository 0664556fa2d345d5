//! Programs that are aimed at a comparison: witnesses are traced, and changed so that something comes out otherwise than ever before.
//!
//! Decisions:
//! - `docs/decisions/035-open-branches-are-not-aimed-at-first.md`
//! - `docs/decisions/039-what-a-checkpoint-forgets-is-traced-again.md`

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use provoke_wire::{Body, Outcome, Program};
use serde::{Deserialize, Serialize};

use crate::generate::aim::{Conditions, Nudge, Traced, aim, probes, with_literals};
use crate::generate::argument_constants::ArgumentConstants;
use crate::generate::mutate::{Edit, cross, object_edits};
use crate::options::Guidance;
use crate::rng::Rng;
use crate::saved_forms::{self, RestoreError, ensure};
use crate::search::corpus::witnesses::Witnesses;
use crate::search::known::Known;
use crate::search::sources::change::{last_call, make_from};
use crate::search::sources::harvested_texts::HarvestedTexts;
use crate::search::sources::{Draft, OwnProgram, Proposal, Source, Spent, Workshop};

/// Percent of proposals in which other objects are passed; in the others, other literals.
const MOVED_PERCENT: usize = 6;
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
struct Tracing {
    /// The place of the witness.
    witness: u32,
    nudge: Option<Nudge>,
}

impl Tracing {
    /// The program as it is; those after it, up to the next such, have one number changed.
    fn is_first(&self) -> bool {
        self.nudge.is_none()
    }
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Aim {
    /// Witnesses that are to be traced.
    waiting: VecDeque<u32>,
    /// Witnesses in which other objects are passed, and how many ways were tried.
    moving: VecDeque<(u32, u32)>,
    /// What came of others.
    #[serde(skip)]
    aimed: VecDeque<(Body, u32)>,
    /// By number of the batch: what is traced there.
    #[serde(skip)]
    under_way: BTreeMap<u64, Vec<Tracing>>,
    conditions: Conditions,
    harvested: HarvestedTexts,
}

impl Source for Aim {
    fn is_used(&self, guidance: Guidance) -> bool {
        guidance.aims
    }

    fn propose(&self, known: &Known<'_>, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
        if rng.percent(MOVED_PERCENT) {
            let (n_dropped, moved) = self.next_move(&known.corpus.witnesses);
            workshop.spent.moved = Some((n_dropped, moved.map(|(witness, n_tried, _)| (witness, n_tried + 1))));
            if let Some((witness, _, edit)) = moved {
                let changed = make_from(known, witness, workshop, rng, |mutator, from, body, rng| {
                    mutator.with_edit(from, body, edit, rng).map(|mutant| mutant.first_changed)
                });
                return changed.map_or(Proposal::Failed, Proposal::Program);
            }
        }
        let Some((body, witness)) = self.aimed.front() else { return Proposal::Nothing };
        workshop.spent.n_aimed = 1;
        if known.schedule.avoids(body, rng) {
            return Proposal::Failed;
        }
        // As a whole it is new, since nobody knows what a changed literal does.
        let Some(op) = last_call(body) else { return Proposal::Failed };
        Proposal::Program(Draft { body: body.clone(), op, first_new: 0, witness: Some(*witness) })
    }

    fn spend(&mut self, spent: &Spent) {
        if let Some((n_dropped, again)) = spent.moved {
            self.moving.drain(..n_dropped);
            self.moving.extend(again);
        }
        self.aimed.drain(..spent.n_aimed);
    }

    fn own_batch(&mut self, known: &mut Known<'_>, number: u64, size: usize, rng: &mut Rng) -> Vec<OwnProgram> {
        let mut programs = Vec::new();
        let mut traces = Vec::new();
        let mut is_group_avoided = false;
        for (body, tracing) in self.traced(&mut known.corpus.witnesses, number, size, rng) {
            // What is like a witness is of use together with it only.
            if tracing.is_first() {
                is_group_avoided = known.schedule.avoids(&body, rng);
            }
            let Some(op) = last_call(&body).filter(|_| !is_group_avoided) else { continue };
            programs.push(OwnProgram { body, op, witness: tracing.witness });
            traces.push(tracing);
        }
        if !traces.is_empty() {
            self.under_way.insert(number, traces);
        }
        programs
    }

    fn learn_witness(&mut self, witness: u32) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(witness);
        }
        if self.moving.len() < MAX_WAITING {
            self.moving.push_back((witness, 0));
        }
    }

    /// What programs got from calls and can be written out becomes a witness, too.
    fn learn_own_batch(&mut self, known: &mut Known<'_>, number: u64, programs: &[Program], outcomes: &[Outcome]) {
        let Some(traces) = self.under_way.remove(&number) else { return };
        self.learn_traces(known, programs, &traces, outcomes);
        let plain = programs.iter().zip(&traces).zip(outcomes).filter(|((_, tracing), _)| tracing.is_first());
        for ((program, _), outcome) in plain {
            for body in self.harvested.spell_out(known.api, &known.graph, &program.main, &outcome.texts) {
                let n_calls = body.n_calls() as u32;
                let witness = known.corpus.witnesses.add(body, n_calls, outcome.cost);
                self.learn_witness(witness);
            }
        }
    }

    /// What was traced for nothing waits once more, that which is under way included.
    fn forget_unsaved(&mut self) {
        let aimed = self.aimed.drain(..).map(|(_, witness)| witness);
        let under_way = std::mem::take(&mut self.under_way).into_values().flatten();
        let lost: BTreeSet<u32> = aimed.chain(under_way.map(|tracing| tracing.witness)).collect();
        let n_free = MAX_WAITING.saturating_sub(self.waiting.len());
        self.waiting.extend(lost.into_iter().take(n_free));
    }

    fn save(&self) -> Vec<u8> {
        saved_forms::to_bytes(self)
    }

    fn restore(&mut self, known: &Known<'_>, saved: &[u8]) -> Result<(), RestoreError> {
        *self = saved_forms::from_bytes(saved, "aims")?;
        let mut places = self.waiting.iter().chain(self.moving.iter().map(|(place, _)| place));
        ensure(places.all(|&place| known.corpus.witnesses.has(place)), "waiting witnesses")
    }
}

impl Aim {
    /// A witness, how many ways were tried in it, and the next way to pass another object; with how many of those that wait were
    /// looked at, the first of which have no way left.
    fn next_move(&self, witnesses: &Witnesses) -> (usize, Option<(u32, u32, Edit)>) {
        for (place, &(witness, n_tried)) in self.moving.iter().enumerate() {
            let edit = object_edits(witnesses.body(witness)).take(MAX_MOVES).nth(n_tried as usize);
            if let Some(edit) = edit {
                return (place + 1, Some((witness, n_tried, edit)));
            }
        }
        (self.moving.len(), None)
    }

    /// The programs of a batch, if this one is for traces.
    fn traced(&mut self, witnesses: &mut Witnesses, number: u64, size: usize, rng: &mut Rng) -> Vec<(Body, Tracing)> {
        let mut batch = Vec::new();
        if number % EVERY != EVERY - 1 || self.aimed.len() > MAX_AIMED / 2 {
            return batch;
        }
        let max_traced = MAX_TRACED.min(size);
        while batch.len() < max_traced {
            let Some(witness) = self.waiting.pop_front() else { break };
            let probes = probes(witnesses.body(witness)).into_iter();
            batch.extend(probes.map(|probe| (probe.body, Tracing { witness, nudge: probe.nudge })));
        }
        // What two witnesses reach may only count together, and only once a comparison is right: nobody would see from what it
        // reaches that such a program is worth tracing.
        for _ in 0..max_traced / TRACED_PER_CROSSED {
            let Some(witness) = witnesses.choose(rng) else { break };
            witnesses.note_choice(witness);
            let Some(other) = witnesses.choose(rng) else { break };
            witnesses.note_choice(other);
            if let Some(change) = cross(witnesses.body(witness), witnesses.body(other), rng) {
                let body = with_literals(witnesses.body(witness), &[change]);
                batch.push((body, Tracing { witness, nudge: None }));
            }
        }
        batch
    }

    fn learn_traces(&mut self, known: &mut Known<'_>, programs: &[Program], traces: &[Tracing], outcomes: &[Outcome]) {
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
            let mut unused = ArgumentConstants::default();
            let argument_constants =
                if known.guidance.measures { &mut known.knowledge.argument_constants } else { &mut unused };
            let aimed = aim(&programs[start].main, &traced, &known.literals, &mut self.conditions, argument_constants);
            self.aimed.extend(aimed.into_iter().map(|body| (body, traces[start].witness)));
            outcomes[start].comparisons.iter().for_each(|comparison| known.knowledge.compared.add(comparison));
            start = end;
        }
        self.aimed.truncate(MAX_AIMED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::sample;

    #[test]
    fn a_batch_of_traces_is_about_as_large_as_the_others() {
        let mut witnesses = Witnesses::default();
        let mut aim = Aim::default();
        for _ in 0..200 {
            let witness = witnesses.add(Body::default(), 1, 0);
            aim.learn_witness(witness);
        }
        let mut rng = Rng::new(1);
        let mut n_traced = |number, size| aim.traced(&mut witnesses, number, size, &mut rng).len();
        assert_eq!([n_traced(EVERY - 1, 4), n_traced(EVERY, 4), n_traced(2 * EVERY - 1, 512)], [4, 0, MAX_TRACED]);
    }

    #[test]
    fn what_was_traced_for_nothing_waits_again_behind_a_checkpoint() {
        let mut aim = Aim { waiting: [4].into(), ..Aim::default() };
        aim.aimed.extend([(Body::default(), 9), (Body::default(), 2), (Body::default(), 9)]);
        let tracing = |witness| Tracing { witness, nudge: None };
        aim.under_way.insert(1, vec![tracing(7), tracing(2)]);
        aim.forget_unsaved();
        assert_eq!(aim.waiting, [4, 2, 7, 9]);
        assert!(aim.aimed.is_empty() && aim.under_way.is_empty());
    }

    #[test]
    fn what_often_ends_the_worker_is_not_traced_nor_is_what_is_like_it() {
        let api = sample::api();
        let options = sample::options(&api);
        let mut known = Known::new(&api, &options, &[]);
        let deadly = api.ops.iter().position(|op| op.key == "number").unwrap();
        known.schedule.records[deadly].n_deaths = u32::MAX;
        let (dangerous, harmless) = ("n = 1u8; number =n", "n = 1u8; x = make; look &x");
        let mut rng = Rng::new(1);
        let mut traced = |texts: &[&str]| {
            known.corpus.witnesses = Witnesses::default();
            let mut aim = Aim::default();
            for text in texts {
                let body = sample::body(&api, text);
                let witness = known.corpus.witnesses.add(body, 1, 0);
                aim.waiting.push_back(witness);
            }
            let programs = aim.own_batch(&mut known, EVERY - 1, 3, &mut rng);
            (programs.iter().map(|program| program.witness).collect::<Vec<u32>>(), aim.under_way.len())
        };
        assert_eq!(traced(&[dangerous]), (vec![], 0));
        assert_eq!(traced(&[dangerous, harmless, dangerous]), (vec![1, 1], 1));
    }
}
