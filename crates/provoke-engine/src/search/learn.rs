//! What a search learns from the outcomes of a batch.

use provoke_wire::{
    Body, CheckAnswer, Ending, LiteralKind, Notion, Observed, Outcome, Phase, Program, StatementKind, Variant,
};

use super::observer::{Sink, Suspect};
use super::specifications::asked_at_end;
use super::{PlannedProgram, Search, is_selected};
use crate::executor::{Executor, ExecutorError};
use crate::generate::cost_limits::weight_of;
use crate::hash::seen::WordHash;
use crate::options::{Guidance, Strategy};
use crate::program::history::Predecessors;
use crate::verdict::is_legal;

/// Values that cannot be told apart are kept up to this number per type.
const MAX_UNSEEN_VALUES: usize = 200;

/// A program that costs more is not worth replaying.
const MAX_COST: u64 = 4 << 20;

/// A program with what became of it.
pub(super) struct Ran<'a> {
    pub(super) program: &'a Program,
    pub(super) outcome: &'a Outcome,
    pub(super) before: Predecessors<'a>,
}

impl Search<'_> {
    pub(super) fn learn(
        &mut self,
        executor: &mut dyn Executor,
        sink: &mut dyn Sink,
        Ran { program, outcome, before }: Ran<'_>,
        plan: &PlannedProgram,
        first_value: Option<usize>,
    ) -> Result<(), ExecutorError> {
        self.stats.programs += 1;
        let n_known = self.edges.known().len();
        let is_novel = self.edges.learn(&outcome.edges);
        self.discovery.next_program();
        self.discovery.reach(&outcome.edges);
        self.stats.places = self.discovery.n_places();
        let caller = self.api.ops[plan.op as usize].function;
        for &edge in &self.edges.known()[n_known..] {
            self.prospects.reach(self.options.regions.of_edges[edge as usize], caller);
        }
        self.stats.novel_programs += u64::from(is_novel);
        self.stats.edges = self.edges.known().len() as u64;
        let executed = if outcome.ending == Ending::Finished { plan.n_calls } else { outcome.n_calls };
        self.stats.calls += u64::from(executed);
        self.shares.add(plan.source, executed, is_novel);
        self.stats.replayed_calls += u64::from(plan.n_old.min(executed));
        let stopped_at = match outcome.ending {
            Ending::Finished => program.main.statements.len() as u32,
            Ending::Panicked => {
                let statement = outcome.panics.first().map_or(0, |p| p.statement);
                if let Some(call) = program.main.statements.get(statement as usize)
                    && call.kind == StatementKind::Call
                {
                    self.records[call.op as usize].n_stops += 1;
                }
                statement
            }
            Ending::Signal { statement, .. }
            | Ending::Exit { statement, .. }
            | Ending::StackOverflow { statement, .. }
            | Ending::TimedOut { statement, .. }
            | Ending::MemoryExhausted { statement, .. } => {
                let killer = program.main.statements.get(statement as usize).filter(|s| s.kind == StatementKind::Call);
                let killer = killer.map_or(plan.op, |s| s.op) as usize;
                self.learn_death(killer, outcome.ending);
                statement
            }
        };
        self.preconditions.learn(self.api, program, outcome, stopped_at);
        self.specifications.learn(self.api, program, outcome);
        self.learn_cost(&program.main, plan.first_new, stopped_at, outcome);
        if let Some(blocked) = outcome.blocked {
            self.blocked.add(self.api, &program.main, blocked);
        }
        let is_covering = self.mark_covered(program, plan.first_new, stopped_at);
        if is_covering && outcome.cost <= MAX_COST && outcome.blocked.is_none() {
            self.exemplars.returned(self.api, &program.main, plan.first_new, stopped_at, &outcome.observed);
        }
        if let (Ending::Panicked, [panic]) = (outcome.ending, &outcome.panics[..])
            && panic.phase == Phase::Call
            && outcome.blocked.is_none()
        {
            self.exemplars.panicked(self.api, &program.main, panic.statement);
        }
        let is_legal = is_legal(outcome);
        if let Some((program, outcome)) = asked_at_end(self.api, program, outcome) {
            let (program, outcome) = (&program, &outcome);
            let suspect = Suspect { program, outcome, before, entropy: self.entropy(), supply: self.supply() };
            let shown = sink.suspect(executor, suspect)?;
            shown.into_iter().for_each(|finding| self.discovery.find(finding));
            return Ok(());
        }
        // A call that was not made accuses nobody, and neither does one that no application would make.
        let is_outside = outcome.checked.is_some_and(|checked| checked.answer == CheckAnswer::Discarded);
        let is_unmet = outcome.unmet.is_some() || is_outside;
        let is_refused = is_unmet && outcome.panics.len() == 1 && outcome.fault.is_none();
        if !is_refused && (!is_legal || outcome.fault.is_some()) {
            let stopper = program.main.statements.get(stopped_at as usize).filter(|s| s.kind == StatementKind::Call);
            if stopper.is_none_or(|s| is_selected(self.api, self.options, s.op)) {
                let suspect = Suspect { program, outcome, before, entropy: self.entropy(), supply: self.supply() };
                let shown = sink.suspect(executor, suspect)?;
                shown.into_iter().for_each(|finding| self.discovery.find(finding));
            }
        }
        if !is_legal {
            return Ok(());
        }
        let is_witness = is_novel && self.guidance != Guidance::NONE && outcome.cost <= MAX_COST;
        if is_witness {
            if let Some(place) = plan.source.witness() {
                self.witnesses.bear_fruit(place);
            }
            let witness = self.witnesses.add(program.main.clone(), plan.n_calls, outcome.cost);
            if self.guidance.aims {
                self.aiming.trace(witness);
            }
        }
        if self.options.strategy != Strategy::Walk {
            self.keep_if_useful(program, plan, outcome, first_value, is_witness && self.guidance.keeps);
        }
        Ok(())
    }

    /// What components brought along is known already.
    fn learn_cost(&mut self, body: &Body, first_new: u32, stopped_at: u32, outcome: &Outcome) {
        let weight = weight_of(outcome.cost);
        for (at, statement) in (0..).zip(&body.statements).take(stopped_at as usize + 1).skip(first_new as usize) {
            if statement.kind == StatementKind::Call {
                self.caution.call(statement.op, if outcome.dear == Some(at) { weight } else { 0 });
            }
        }
    }

    /// What one instance of a function does, the others are expected to do: each death costs a worker.
    fn learn_death(&mut self, killer: usize, ending: Ending) {
        let function = self.api.ops[killer].function;
        for (place, op) in self.api.ops.iter().enumerate() {
            if place != killer && (function.is_none() || op.function != function) {
                continue;
            }
            let is_time_out = matches!(ending, Ending::TimedOut { .. });
            self.records[place].n_deaths += 1;
            self.records[place].n_time_outs += u32::from(is_time_out);
            if is_time_out || matches!(ending, Ending::MemoryExhausted { .. }) {
                self.caution.exhaust(place as u32);
            }
        }
    }

    /// For every observed value of a batch: whether it is new and worth keeping. Done for all at once, so that the memory
    /// accesses of the look-ups overlap.
    pub(super) fn look_up_values(&mut self, programs: &[Program], outcomes: &[Outcome]) {
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
                        self.values_seen.insert(hash.finish())
                    }
                    // Nothing tells such values apart: keep some, then a few more now and then.
                    (Some(ty), None) => self.components.n_values(ty) < MAX_UNSEEN_VALUES || self.rng.below(64) == 0,
                };
                self.is_new.push(is_new);
            }
        }
    }

    fn type_of(&self, body: &Body, slot: u32) -> Option<u32> {
        let statement = body.statements.get(slot as usize)?;
        match statement.kind {
            StatementKind::Call => Some(self.api.ops[statement.op as usize].result),
            StatementKind::Literal => self.graph.type_of_literal(statement.op),
            _ => None,
        }
    }

    /// Numbers and the like are drawn, not replayed.
    fn is_kept_type(&self, ty: u32) -> bool {
        self.graph.literal(ty).is_none_or(|kind| kind == LiteralKind::String)
    }

    /// Whether a function was covered for the first time.
    fn mark_covered(&mut self, program: &Program, from: u32, until: u32) -> bool {
        if !self.discovery.has_open_functions() {
            return false;
        }
        let n_before = self.stats.functions_covered;
        let until = (until as usize).min(program.main.statements.len());
        for statement in &program.main.statements[(from as usize).min(until)..until] {
            if statement.kind != StatementKind::Call {
                continue;
            }
            let op = &self.api.ops[statement.op as usize];
            for function in [op.function, op.trait_function].into_iter().flatten() {
                self.discovery.cover(function);
                if !self.covered[function as usize] {
                    self.covered[function as usize] = true;
                    self.stats.functions_covered += 1;
                }
            }
        }
        self.stats.functions_covered > n_before
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
        if self.notion() == Notion::None || !is_observed {
            for slot in plan.first_new..body.statements.len() as u32 {
                if let Some(ty) = self.type_of(body, slot)
                    && self.graph.literal(ty).is_none()
                    && is_live_at_end(body, slot)
                {
                    reusable.push((ty, slot, false));
                }
            }
        }
        if !reusable.is_empty() {
            let end = body.statements.len() as u32;
            self.exemplars.returned(self.api, body, plan.first_new, end, &outcome.observed);
            // A copy without spare room; the buffers are used again.
            self.components.add(body.clone(), plan.n_calls, outcome.cost, &reusable);
        }
        self.reusable = reusable;
    }
}

/// Not moved and not dropped by a later statement.
fn is_live_at_end(body: &Body, slot: u32) -> bool {
    !body.args.iter().any(|arg| arg.slot() == slot && arg.mode() == provoke_wire::Mode::Move)
}
