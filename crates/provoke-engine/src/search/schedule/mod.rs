//! What a search does next: which operation it calls, and which share of the budget each source of programs gets.
//!
//! Decision: `docs/decisions/034-instances-of-a-function-share-deaths.md`

pub mod budget;
pub mod choose;
pub mod potential;
pub mod quarantine;
pub mod record;
pub mod spent;

use provoke_wire::{Body, Ending, StatementKind};
use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::generate::cost_limits::{CostLimits, weight_of};
use crate::options::Regions;
use crate::rng::Rng;
use crate::saved_forms::{RestoreError, ensure};
use crate::search::schedule::potential::Potential;
use crate::search::schedule::record::OpRecord;
use crate::search::schedule::spent::Spent;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// By operation.
    pub records: Vec<OpRecord>,
    pub cost_limits: CostLimits,
    pub potential: Potential,
}

impl Schedule {
    pub fn new(api: &Api, regions: &Regions) -> Schedule {
        Schedule {
            records: vec![OpRecord::default(); api.ops.len()],
            cost_limits: CostLimits::new(api.ops.len()),
            potential: Potential::new(regions, api.functions.len()),
        }
    }

    /// Takes over what was saved about the same operations, functions and regions.
    pub fn restore(&mut self, saved: Schedule) -> Result<(), RestoreError> {
        ensure(saved.records.len() == self.records.len(), "records of operations")?;
        self.records = saved.records;
        self.cost_limits.restore(saved.cost_limits)?;
        self.potential.restore(saved.potential)?;
        let mut records = self.records.iter().zip(0..);
        let is_plausible = records.all(|(record, op)| record.is_plausible(self.cost_limits.n_exhausted(op)));
        ensure(is_plausible, "records of operations")
    }

    /// Writes down the calls that were tried.
    pub fn note_tries(&mut self, spent: &mut Spent) {
        spent.tries.drain().for_each(|(op, n)| self.records[op as usize].n_tries += u64::from(n));
        spent.tries_of_functions.drain().for_each(|(function, n)| self.potential.note_tries(function, n));
    }

    /// Whether a program is better not run, since a call in it often ends the worker or is dear. A witness survived all of its
    /// calls, but not with these arguments.
    pub fn avoids(&self, body: &Body, rng: &mut Rng) -> bool {
        let calls = body.statements.iter().filter(|statement| statement.kind == StatementKind::Call);
        let reluctance = calls.map(|call| self.reluctance(call.op)).max().unwrap_or(0);
        reluctance > 0 && rng.below(1 + reluctance) != 0
    }

    /// How rarely an operation is called: what keeps killing workers ever more so, and what keeps blocking them, which costs seconds
    /// each time, more so still.
    pub fn reluctance(&self, op: u32) -> usize {
        self.records[op as usize].reluctance(self.cost_limits.level(op))
    }

    /// What components brought along is known already.
    pub fn learn_cost(&mut self, body: &Body, first_new: u32, stopped_at: u32, cost: u64, dear: Option<u32>) {
        let weight = weight_of(cost);
        for (at, statement) in (0..).zip(&body.statements).take(stopped_at as usize + 1).skip(first_new as usize) {
            if statement.kind == StatementKind::Call {
                self.cost_limits.call(statement.op, if dear == Some(at) { weight } else { 0 });
            }
        }
    }

    /// What one instance of a function does, the others are expected to do: each death costs a worker.
    pub fn learn_death(&mut self, api: &Api, killer: usize, ending: Ending) {
        let function = api.ops[killer].function;
        for (place, op) in api.ops.iter().enumerate() {
            if place != killer && (function.is_none() || op.function != function) {
                continue;
            }
            let is_time_out = matches!(ending, Ending::TimedOut { .. });
            self.records[place].n_deaths += 1;
            self.records[place].n_time_outs += u32::from(is_time_out);
            if is_time_out || matches!(ending, Ending::MemoryExhausted { .. }) {
                self.cost_limits.exhaust(place as u32);
            }
        }
    }
}
