//! Programs that are aimed at a comparison: witnesses are traced, and changed so that something comes out otherwise than ever before.
//!
//! Decisions:
//! - `docs/decisions/035-open-branches-are-not-aimed-at-first.md`
//! - `docs/decisions/039-what-a-checkpoint-forgets-is-traced-again.md`

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use provoke_wire::{Body, Outcome, Program};
use serde::{Deserialize, Serialize};

use crate::generate::aim::{Conditions, Traced, aim, probes, with_literals};
use crate::generate::argument_constants::ArgumentConstants;
use crate::generate::mutate::{Edit, cross, object_edits};
use crate::options::{GROUP, Guidance};
use crate::rng::Rng;
use crate::saved_forms::{self, RestoreError, ensure};
use crate::search::corpus::witnesses::Witnesses;
use crate::search::known::Known;
use crate::search::schedule::spent::Counts;
use crate::search::sources::change::{last_call, make_from};
use crate::search::sources::harvested_texts::HarvestedTexts;
use crate::search::sources::{Ask, BatchPlan, Draft, OwnBatch, Proposal, Source, Tracing, Workshop};

/// In one proposal of so many, other objects are passed; in the others, other literals.
const MOVED_EVERY: usize = 16;
/// One batch of so many is for traces.
const EVERY: u64 = 8;
const _: () = assert!(GROUP as u64 <= EVERY);
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

impl Tracing {
    /// The program as it is; those after it, up to the next such, have one number changed.
    fn is_first(&self) -> bool {
        self.nudge.is_none()
    }
}

/// A witness with the next way to pass another object in it, and how many ways were tried before.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Move {
    witness: u32,
    n_tried: u32,
    edit: Edit,
}

/// What a batch may use.
#[derive(Debug, Default)]
struct Dealt {
    aimed: Vec<(Body, u32)>,
    moves: Vec<Move>,
}

/// What a proposal is to be, by its number among those of a batch, and which one of its kind it is.
enum Turn {
    Move(usize),
    Aimed(usize),
}

impl Turn {
    fn of(Ask { batch, nth }: Ask) -> Turn {
        let (n_moves, phase) = n_moves_before(batch, nth);
        if phase == MOVED_EVERY - 1 { Turn::Move(n_moves) } else { Turn::Aimed(nth - n_moves) }
    }
}

/// How many of the first proposals of a batch are moves, and where in its period the next one is.
/// Batches begin at different places: one that asks for few has its moves, too.
fn n_moves_before(batch: u64, nth: usize) -> (usize, usize) {
    let at = nth + (7 * batch % MOVED_EVERY as u64) as usize;
    (at / MOVED_EVERY, at % MOVED_EVERY)
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
    /// By number of the batch, while it is made.
    #[serde(skip)]
    dealt: BTreeMap<u64, Dealt>,
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

    /// A part of what is aimed and of what is moved. Witnesses in which nothing is left to move
    /// wait no longer.
    fn deal(&mut self, known: &Known<'_>, plan: BatchPlan, n_sharing: usize) {
        // No batch asks for more: the share of this source is below a third.
        let n_asked = plan.size.div_ceil(2);
        let n_aimed = self.aimed.len().div_ceil(n_sharing).min(n_asked);
        let aimed = self.aimed.drain(..n_aimed).collect();
        let n_moves = self.moving.len().div_ceil(n_sharing).min(n_asked / MOVED_EVERY + 1);
        let moves = self.moving.drain(..n_moves).filter_map(|(witness, n_tried)| {
            let edit = object_edits(known.corpus.witnesses.body(witness)).take(MAX_MOVES).nth(n_tried as usize)?;
            Some(Move { witness, n_tried, edit })
        });
        self.dealt.insert(plan.number, Dealt { aimed, moves: moves.collect() });
    }

    fn propose(&self, known: &Known<'_>, ask: Ask, workshop: &mut Workshop, rng: &mut Rng) -> Proposal {
        let Some(dealt) = self.dealt.get(&ask.batch) else { return Proposal::Nothing };
        match Turn::of(ask) {
            Turn::Move(nth) => {
                let Some(&Move { witness, edit, .. }) = dealt.moves.get(nth) else { return Proposal::Nothing };
                let changed = make_from(known, witness, workshop, rng, |mutator, from, body, rng| {
                    mutator.with_edit(from, body, edit, rng).map(|mutant| mutant.first_changed)
                });
                changed.map_or(Proposal::Failed, Proposal::Program)
            }
            Turn::Aimed(nth) => {
                let Some((body, witness)) = dealt.aimed.get(nth) else { return Proposal::Nothing };
                if known.schedule.avoids(body, rng) {
                    return Proposal::Failed;
                }
                // As a whole it is new, since nobody knows what a changed literal does.
                let Some(op) = last_call(body) else { return Proposal::Failed };
                Proposal::Program(Draft { body: body.clone(), op, first_new: 0, witness: Some(*witness) })
            }
        }
    }

    /// What was dealt and not used waits in front of all others again.
    fn settle(&mut self, batch: u64, n_asked: usize) {
        let Some(Dealt { aimed, moves }) = self.dealt.remove(&batch) else { return };
        let (n_moves, _) = n_moves_before(batch, n_asked);
        let (n_moved, n_aimed) = (n_moves.min(moves.len()), (n_asked - n_moves).min(aimed.len()));
        aimed.into_iter().skip(n_aimed).rev().for_each(|aimed| self.aimed.push_front(aimed));
        let (moved, unmoved) = moves.split_at(n_moved);
        unmoved.iter().rev().for_each(|it| self.moving.push_front((it.witness, it.n_tried)));
        self.moving.extend(moved.iter().map(|it| (it.witness, it.n_tried + 1)));
    }

    /// Nothing is dealt for it: of batches that are made at the same time, one is for traces.
    fn own_batch(&self, known: &Known<'_>, plan: BatchPlan, workshop: &mut Workshop, rng: &mut Rng) -> OwnBatch {
        let (traced, n_taken) = self.traced(&known.corpus.witnesses, plan, &mut workshop.spent.choices, rng);
        let mut own = OwnBatch { n_taken, ..OwnBatch::default() };
        let mut is_group_avoided = false;
        for (body, tracing) in traced {
            // What is like a witness is of use together with it only.
            if tracing.is_first() {
                is_group_avoided = known.schedule.avoids(&body, rng);
            }
            let Some(op) = last_call(&body).filter(|_| !is_group_avoided) else { continue };
            own.drafts.push(Draft { body, op, first_new: 0, witness: Some(tracing.witness) });
            own.traces.push(tracing);
        }
        own
    }

    fn settle_own(&mut self, batch: u64, own: OwnBatch) {
        self.waiting.drain(..own.n_taken);
        if !own.traces.is_empty() {
            self.under_way.insert(batch, own.traces);
        }
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
    /// The programs of a batch, if this one is for traces, and how many of those that wait are in
    /// it.
    fn traced(
        &self,
        witnesses: &Witnesses,
        plan: BatchPlan,
        choices: &mut Counts,
        rng: &mut Rng,
    ) -> (Vec<(Body, Tracing)>, usize) {
        let mut batch = Vec::new();
        if plan.number % EVERY != EVERY - 1 || self.n_aimed() > MAX_AIMED / 2 {
            return (batch, 0);
        }
        let max_traced = MAX_TRACED.min(plan.size);
        let mut n_taken = 0;
        while batch.len() < max_traced {
            let Some(&witness) = self.waiting.get(n_taken) else { break };
            n_taken += 1;
            let probes = probes(witnesses.body(witness)).into_iter();
            batch.extend(probes.map(|probe| (probe.body, Tracing { witness, nudge: probe.nudge })));
        }
        // What two witnesses reach may only count together, and only once a comparison is right: nobody would see from what it
        // reaches that such a program is worth tracing.
        for _ in 0..max_traced / TRACED_PER_CROSSED {
            let Some(witness) = witnesses.choose(choices, rng) else { break };
            choices.add(witness);
            let Some(other) = witnesses.choose(choices, rng) else { break };
            choices.add(other);
            if let Some(change) = cross(witnesses.body(witness), witnesses.body(other), rng) {
                let body = with_literals(witnesses.body(witness), &[change]);
                batch.push((body, Tracing { witness, nudge: None }));
            }
        }
        (batch, n_taken)
    }

    /// How many aimed programs wait, those that were dealt included.
    fn n_aimed(&self) -> usize {
        self.aimed.len() + self.dealt.values().map(|dealt| dealt.aimed.len()).sum::<usize>()
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
        let mut n_traced = |number, size| {
            let (traced, n_taken) =
                aim.traced(&witnesses, BatchPlan { number, size }, &mut Counts::default(), &mut rng);
            assert_eq!(n_taken, traced.len());
            traced.len()
        };
        assert_eq!([n_traced(EVERY - 1, 4), n_traced(EVERY, 4), n_traced(2 * EVERY - 1, 512)], [4, 0, MAX_TRACED]);
    }

    #[test]
    fn batches_share_what_waits_and_give_back_what_they_did_not_use() {
        let api = sample::api();
        let options = sample::options(&api);
        let mut known = Known::new(&api, &options, &[]);
        let body = sample::body(&api, "x = make; look &x");
        let witness = known.corpus.witnesses.add(body.clone(), 2, 0);
        let mut aim = Aim::default();
        aim.aimed.extend((0..7).map(|n| (body.clone(), n)));
        aim.moving.extend([(witness, 0), (witness, MAX_MOVES as u32), (witness, 1)]);
        let plans = [16, 17].map(|number| BatchPlan { number, size: 512 });
        aim.deal(&known, plans[0], 2);
        aim.deal(&known, plans[1], 1);
        assert_eq!(plans.map(|plan| aim.dealt[&plan.number].aimed.len()), [4, 3]);
        assert_eq!(plans.map(|plan| aim.dealt[&plan.number].moves.len()), [1, 1], "one of three has no way left");
        let witnesses = |nth| {
            let ask = |batch| aim.propose(&known, Ask { batch, nth }, &mut Workshop::new(), &mut Rng::new(1));
            plans.map(|plan| match ask(plan.number) {
                Proposal::Program(draft) => draft.witness,
                _ => None,
            })
        };
        assert_eq!(witnesses(0), [Some(0), Some(4)]);
        assert_eq!(witnesses(3), [Some(3), None]);
        aim.settle(16, MOVED_EVERY);
        aim.settle(17, 1);
        assert_eq!(aim.aimed.iter().map(|aimed| aimed.1).collect::<Vec<u32>>(), [5, 6]);
        assert_eq!(aim.moving, [(witness, 1), (witness, 1)]);
    }

    #[test]
    fn one_proposal_of_sixteen_is_a_move_however_few_a_batch_asks_for() {
        for n_asked in [3, 16, 100] {
            let asks = || (0..320).flat_map(|batch| (0..n_asked).map(move |nth| Ask { batch, nth }));
            let n_moves = asks().filter(|ask| matches!(Turn::of(*ask), Turn::Move(_))).count();
            assert_eq!(n_moves, 320 * n_asked / MOVED_EVERY);
            for batch in 0..320 {
                let places = |is_move: bool| {
                    let turns = (0..n_asked).map(|nth| Turn::of(Ask { batch, nth }));
                    let of_kind = turns.filter_map(move |turn| match (turn, is_move) {
                        (Turn::Move(place), true) | (Turn::Aimed(place), false) => Some(place),
                        _ => None,
                    });
                    of_kind.collect::<Vec<usize>>()
                };
                let (n_moves, _) = n_moves_before(batch, n_asked);
                assert_eq!(places(true), (0..n_moves).collect::<Vec<_>>());
                assert_eq!(places(false), (0..n_asked - n_moves).collect::<Vec<_>>());
            }
        }
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
            let own = aim.own_batch(&known, BatchPlan { number: EVERY - 1, size: 3 }, &mut Workshop::new(), &mut rng);
            let witnesses: Vec<u32> = own.drafts.iter().filter_map(|draft| draft.witness).collect();
            aim.settle_own(EVERY - 1, own);
            (witnesses, aim.under_way.len())
        };
        assert_eq!(traced(&[dangerous]), (vec![], 0));
        assert_eq!(traced(&[dangerous, harmless, dangerous]), (vec![1, 1], 1));
    }
}
