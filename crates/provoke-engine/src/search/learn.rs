//! What a search learns from the outcomes of a batch.
//!
//! Decision: `docs/decisions/023-literals-are-no-components.md`

use provoke_wire::{
    Body, CheckAnswer, Ending, LiteralKind, Observed, Outcome, Phase, Program, StatementKind, ValueIdentity, Variant,
};

use crate::hash::seen::WordHash;
use crate::options::{Guidance, Strategy};
use crate::program::history::Predecessors;
use crate::rng::Rng;
use crate::search::Search;
use crate::search::batch::PlannedProgram;
use crate::search::observer::{SearchObserver, Suspect};
use crate::search::specifications::asked_at_end;
use crate::verdict::{Incident, is_legal, triage};

/// Values that cannot be told apart are kept up to this number per type.
const MAX_UNSEEN_VALUES: usize = 200;

/// A program that costs more is not worth replaying.
const MAX_COST: u64 = 4 << 20;

/// A program with what became of it.
pub struct Ran<'a> {
    pub program: &'a Program,
    pub outcome: &'a Outcome,
    pub before: Predecessors<'a>,
}

impl Search<'_> {
    pub(crate) fn learn(
        &mut self,
        sink: &mut dyn SearchObserver,
        ran: Ran<'_>,
        plan: &PlannedProgram,
        first_value: Option<usize>,
    ) {
        let Ran { program, outcome, .. } = ran;
        let is_novel = self.learn_reach(plan, outcome);
        let stopped_at = self.learn_ending(plan, program, outcome);
        self.learn_what_was_asked(plan, program, outcome, stopped_at);
        self.keep_exemplars(plan, program, outcome, stopped_at);
        if self.tell(sink, ran, stopped_at) || !is_legal(outcome) {
            return;
        }
        let is_witness = is_novel && self.known.guidance != Guidance::NONE && outcome.cost <= MAX_COST;
        if is_witness {
            self.keep_witness(plan, program, outcome);
        }
        if self.known.options.strategy != Strategy::Walk {
            self.keep_if_useful(program, plan, outcome, first_value, is_witness && self.known.guidance.keeps);
        }
    }

    /// Whether the program was the first to reach something.
    fn learn_reach(&mut self, plan: &PlannedProgram, outcome: &Outcome) -> bool {
        let (knowledge, stats) = (&mut self.known.knowledge, &mut self.known.stats);
        stats.programs += 1;
        let n_known = knowledge.edges.known().len();
        let is_novel = knowledge.edges.learn(&outcome.edges);
        knowledge.discovery.next_program();
        knowledge.discovery.reach(&outcome.edges);
        stats.places = knowledge.discovery.n_places();
        let caller = self.known.api.ops[plan.op as usize].function;
        for &edge in &knowledge.edges.known()[n_known..] {
            self.known.schedule.potential.reach(self.known.options.regions.of_edges[edge as usize], caller);
        }
        stats.novel_programs += u64::from(is_novel);
        stats.edges = knowledge.edges.known().len() as u64;
        let executed = if outcome.ending == Ending::Finished { plan.n_calls } else { outcome.n_calls };
        stats.calls += u64::from(executed);
        self.shares.add(usize::from(plan.origin.source), executed, is_novel);
        stats.replayed_calls += u64::from(plan.n_old.min(executed));
        is_novel
    }

    /// Where the program stopped; behind its last statement if it came to its end.
    fn learn_ending(&mut self, plan: &PlannedProgram, program: &Program, outcome: &Outcome) -> u32 {
        let called_at = |statement: u32| {
            let call = program.main.statements.get(statement as usize)?;
            (call.kind == StatementKind::Call).then_some(call.op)
        };
        match outcome.ending {
            Ending::Finished => program.main.statements.len() as u32,
            Ending::Panicked => {
                let statement = outcome.panics.first().map_or(0, |p| p.statement);
                if let Some(op) = called_at(statement) {
                    self.known.schedule.records[op as usize].n_stops += 1;
                }
                statement
            }
            Ending::Signal { statement, .. }
            | Ending::Exit { statement, .. }
            | Ending::StackOverflow { statement, .. }
            | Ending::TimedOut { statement, .. }
            | Ending::MemoryExhausted { statement, .. } => {
                let killer = called_at(statement).unwrap_or(plan.op) as usize;
                self.known.schedule.learn_death(self.known.api, killer, outcome.ending);
                statement
            }
        }
    }

    /// What came of contracts, what it cost, and what the sandbox refused.
    fn learn_what_was_asked(&mut self, plan: &PlannedProgram, program: &Program, outcome: &Outcome, stopped_at: u32) {
        let (api, knowledge) = (self.known.api, &mut self.known.knowledge);
        knowledge.preconditions.learn(api, program, outcome, plan.first_new, stopped_at);
        knowledge.specifications.learn(api, program, outcome);
        self.known.schedule.learn_cost(&program.main, plan.first_new, stopped_at, outcome.cost, outcome.dear);
        if let Some(blocked) = outcome.blocked {
            knowledge.blocked.add(api, &program.main, blocked);
        }
    }

    fn keep_exemplars(&mut self, plan: &PlannedProgram, program: &Program, outcome: &Outcome, stopped_at: u32) {
        let is_covering = self.mark_covered(program, plan.first_new, stopped_at);
        let (api, exemplars) = (self.known.api, &mut self.known.corpus.exemplars);
        if outcome.blocked.is_some() {
            return;
        }
        if is_covering && outcome.cost <= MAX_COST {
            exemplars.returned(api, &program.main, plan.first_new, stopped_at, &outcome.observed);
        }
        if let (Ending::Panicked, [panic]) = (outcome.ending, &outcome.panics[..])
            && panic.phase == Phase::Call
        {
            exemplars.panicked(api, &program.main, panic.statement);
        }
    }

    /// Tells the observer what did not end well. Whether there is nothing more to learn from the program.
    fn tell(
        &mut self,
        sink: &mut dyn SearchObserver,
        Ran { program, outcome, before }: Ran<'_>,
        stopped_at: u32,
    ) -> bool {
        if let Some((program, outcome)) = asked_at_end(self.known.api, program, outcome) {
            self.tell_suspect(sink, Ran { program: &program, outcome: &outcome, before });
            return true;
        }
        // A call that was not made accuses nobody, and neither does one that no application would make.
        let is_outside = outcome.checked.is_some_and(|checked| checked.answer == CheckAnswer::Discarded);
        let is_unmet = outcome.unmet.is_some() || is_outside;
        let is_refused = is_unmet && outcome.panics.len() == 1 && outcome.fault.is_none();
        if !is_refused && (!is_legal(outcome) || outcome.fault.is_some()) {
            let stopper = program.main.statements.get(stopped_at as usize).filter(|s| s.kind == StatementKind::Call);
            if stopper.is_none_or(|s| self.known.is_selected(s.op)) {
                self.tell_suspect(sink, Ran { program, outcome, before });
            }
        }
        false
    }

    fn tell_suspect(&mut self, sink: &mut dyn SearchObserver, Ran { program, outcome, before }: Ran<'_>) {
        let incidents = &triage(outcome, self.known.api, &program.main).incidents[..];
        incidents.iter().for_each(|incident| self.known.knowledge.discovery.meet(incident.key));
        sink.suspect(self.suspect(program, outcome, incidents, before));
    }

    pub(crate) fn suspect<'s>(
        &'s self,
        program: &'s Program,
        outcome: &'s Outcome,
        incidents: &'s [Incident],
        before: Predecessors<'s>,
    ) -> Suspect<'s> {
        let (api, components, entropy) = (self.known.api, &self.known.corpus.components, self.entropy());
        Suspect { program, outcome, incidents, before, entropy, api, components }
    }

    fn keep_witness(&mut self, plan: &PlannedProgram, program: &Program, outcome: &Outcome) {
        let witnesses = &mut self.known.corpus.witnesses;
        if let Some(place) = plan.origin.witness {
            witnesses.bear_fruit(place);
        }
        let witness = witnesses.add(program.main.clone(), plan.n_calls, outcome.cost);
        for source in self.sources.iter_mut().filter(|source| source.is_used(self.known.guidance)) {
            source.learn_witness(witness);
        }
    }

    /// For every observed value of a batch: whether it is new and worth keeping. Done for all at once, so that the memory
    /// accesses of the look-ups overlap.
    pub(crate) fn look_up_values(&mut self, programs: &[Program], outcomes: &[Outcome], rng: &mut Rng) {
        self.is_new.clear();
        for (program, outcome) in programs.iter().zip(outcomes) {
            let is_kept = is_legal(outcome) && outcome.cost <= MAX_COST;
            for &Observed { slot, fingerprint, .. } in &outcome.observed {
                let ty = self.type_of(&program.main, slot).filter(|&ty| is_kept && self.is_kept_type(ty));
                let is_new = match (ty, fingerprint) {
                    (None, _) => false,
                    (Some(ty), Some(value)) => {
                        let mut hash = WordHash::default();
                        hash.add(u64::from(ty));
                        hash.add(value);
                        self.known.knowledge.values_seen.insert(hash.finish())
                    }
                    // Nothing tells such values apart: keep some, then a few more now and then.
                    (Some(ty), None) => {
                        self.known.corpus.components.n_values(ty) < MAX_UNSEEN_VALUES || rng.below(64) == 0
                    }
                };
                self.is_new.push(is_new);
            }
        }
    }

    fn type_of(&self, body: &Body, slot: u32) -> Option<u32> {
        let statement = body.statements.get(slot as usize)?;
        match statement.kind {
            StatementKind::Call => Some(self.known.api.ops[statement.op as usize].result),
            StatementKind::Literal => self.known.graph.type_of_literal(statement.op),
            _ => None,
        }
    }

    /// Numbers and the like are drawn, not replayed.
    fn is_kept_type(&self, ty: u32) -> bool {
        self.known.graph.literal(ty).is_none_or(|kind| kind == LiteralKind::String)
    }

    /// Whether a function was covered for the first time.
    fn mark_covered(&mut self, program: &Program, from: u32, until: u32) -> bool {
        if !self.known.knowledge.discovery.has_open_functions() {
            return false;
        }
        let n_before = self.known.stats.functions_covered;
        let until = (until as usize).min(program.main.statements.len());
        for statement in &program.main.statements[(from as usize).min(until)..until] {
            if statement.kind != StatementKind::Call {
                continue;
            }
            let op = &self.known.api.ops[statement.op as usize];
            for function in [op.function, op.trait_function].into_iter().flatten() {
                self.known.knowledge.discovery.cover(function);
                if !self.known.knowledge.covered[function as usize] {
                    self.known.knowledge.covered[function as usize] = true;
                    self.known.stats.functions_covered += 1;
                }
            }
        }
        self.known.stats.functions_covered > n_before
    }

    /// Keeps a legal program whose values are new, with those values marked as reusable; or all of its new values, if it is
    /// the first to reach something. The first of its values as they were looked up, if they were observed.
    fn keep_if_useful(
        &mut self,
        program: &Program,
        plan: &PlannedProgram,
        outcome: &Outcome,
        first_value: Option<usize>,
        is_witness: bool,
    ) {
        let is_observed = first_value.is_some();
        if outcome.cost > MAX_COST || !is_observed && !is_witness {
            return;
        }
        let body = &program.main;
        let mut reusable = std::mem::take(&mut self.reusable);
        reusable.clear();
        let is_new = first_value.map_or(&[][..], |first| &self.is_new[first..]);
        for (&Observed { slot, variant, .. }, &is_new) in outcome.observed.iter().zip(is_new) {
            if (is_new || is_witness)
                && let Some(ty) = self.type_of(body, slot).filter(|&ty| self.is_kept_type(ty))
            {
                reusable.push((ty, slot, variant == Variant::Empty));
            }
        }
        if self.notion() == ValueIdentity::None || !is_observed {
            for slot in plan.first_new..body.statements.len() as u32 {
                if let Some(ty) = self.type_of(body, slot)
                    && self.known.graph.literal(ty).is_none()
                    && is_live_at_end(body, slot)
                {
                    reusable.push((ty, slot, false));
                }
            }
        }
        if !reusable.is_empty() {
            let end = body.statements.len() as u32;
            self.known.corpus.exemplars.returned(self.known.api, body, plan.first_new, end, &outcome.observed);
            // A copy without spare room; the buffers are used again.
            self.known.corpus.components.add(body.clone(), plan.n_calls, outcome.cost, &reusable);
        }
        self.reusable = reusable;
    }
}

/// Not moved and not dropped by a later statement.
fn is_live_at_end(body: &Body, slot: u32) -> bool {
    !body.args.iter().any(|arg| arg.slot() == slot && arg.mode() == provoke_wire::Mode::Move)
}
