//! Statements of another program, taken over into the one under construction: as they are, or with other arguments.

use provoke_api::OpRole;
use provoke_wire::{Arg, Body, LiteralKind, Mode, StatementKind};

use crate::api::Op;
use crate::rng::Rng;

use super::{Builder, MAX_ARGS, MAX_STATEMENTS, Material, NO_TYPE};

/// How deep an argument that replaces another one is made from scratch.
const REPAIR_DEPTH: u32 = 2;

impl Builder {
    /// Starts anew with the first `n` statements of a legal body, as they are: their slots keep their numbers.
    pub fn start_with(&mut self, material: &Material<'_>, body: &Body, n: usize) {
        debug_assert_eq!(body.n_inputs(), 0);
        self.clear();
        let (n_args, n_data) = match body.statements.get(n) {
            Some(next) => (next.first_arg as usize, next.data_start as usize),
            None => (body.args.len(), body.data.len()),
        };
        let begin = &body.statements[..n.min(body.statements.len())];
        let n_bodies = begin.iter().filter(|statement| statement.kind == StatementKind::Callback).count();
        self.body.statements.extend_from_slice(begin);
        self.body.args.extend_from_slice(&body.args[..n_args]);
        self.body.data.extend_from_slice(&body.data[..n_data]);
        self.body.bodies.extend_from_slice(&body.bodies[..n_bodies]);
        self.record_from(material, 0);
    }

    /// Appends a literal whose data are already encoded.
    pub fn copy_literal(&mut self, material: &Material<'_>, kind: LiteralKind, data: &[u8]) -> u32 {
        let slot = self.body.push_literal_data(kind, data);
        self.types.push(material.graph.type_of_literal(kind as u32).unwrap_or(NO_TYPE));
        self.loans.literal(slot);
        slot
    }

    /// Appends a drop, and before it those of whoever borrows from the slot. Nothing happens if it cannot be dropped.
    pub fn copy_drop(&mut self, slot: u32) {
        if self.loans.can_use(slot, Mode::Move) {
            self.end_conflicts(&[Arg::new(slot, Mode::Move)]);
            self.body.push_drop(slot);
            self.types.push(NO_TYPE);
            self.loans.end(slot);
        }
    }

    /// Appends a callback of another body; `None` if its captures cannot be had.
    pub fn copy_callback(&mut self, from: &Body, index: usize, captures: &[Arg]) -> Option<u32> {
        let can_use = captures.iter().all(|arg| self.loans.can_use(arg.slot(), arg.mode()));
        if !can_use || !self.loans.args_are_compatible(captures) {
            return None;
        }
        self.end_conflicts(captures);
        let slot = self.body.push_copy(from, index, captures);
        self.loans.callback(captures, slot);
        self.types.push(NO_TYPE);
        Some(slot)
    }

    /// Appends a call with arguments that are wished for. Where there is no wish, or it cannot be met any more, another
    /// argument takes its place, or, unless `repairs`, the call does not come about.
    pub fn call_with(
        &mut self,
        material: &Material<'_>,
        op_number: u32,
        wishes: impl ExactSizeIterator<Item = Option<Arg>>,
        repairs: bool,
        rng: &mut Rng,
    ) -> Option<u32> {
        let op = &material.api.ops[op_number as usize];
        let n_args = op.args.len();
        if n_args > MAX_ARGS || n_args != wishes.len() || self.body.statements.len() >= MAX_STATEMENTS {
            return None;
        }
        let mut args = [Arg::new(0, Mode::Copy); MAX_ARGS];
        for (index, wish) in wishes.enumerate() {
            args[index] = match wish {
                Some(arg) if self.is_usable(arg, &args[..index], needs_static(op, index)) => arg,
                _ if repairs => self.another_argument(material, op_number, index, &args[..index], rng)?,
                _ => return None,
            };
        }
        self.push_call(material, op_number, &args[..n_args])
    }

    /// An argument found as for a new call.
    pub fn another_argument(
        &mut self,
        material: &Material<'_>,
        op_number: u32,
        index: usize,
        taken: &[Arg],
        rng: &mut Rng,
    ) -> Option<Arg> {
        let op = &material.api.ops[op_number as usize];
        let was_cautious = std::mem::replace(&mut self.is_cautious, material.cost_limits.is_due(op_number, rng));
        let was_law = std::mem::replace(&mut self.is_law, op.role == OpRole::Law);
        let found = match material.graph.literal(op.args[index]) {
            // What is there may be far too much.
            Some(kind) if self.is_cautious => Some(self.push_literal(material, kind, op.args[index], rng)),
            _ => self.find_argument(material, op, index, taken, REPAIR_DEPTH, rng),
        };
        self.is_cautious = was_cautious;
        self.is_law = was_law;
        found
    }

    /// An argument that is already there, under the rules of the parameter it goes to.
    pub fn present_argument(
        &mut self,
        material: &Material<'_>,
        op_number: u32,
        index: usize,
        taken: &[Arg],
        rng: &mut Rng,
    ) -> Option<Arg> {
        let op = &material.api.ops[op_number as usize];
        self.reuse(material, op.args[index], taken, needs_static(op, index), rng)
    }
}

fn needs_static(op: &Op, index: usize) -> bool {
    op.static_args.contains(&(index as u8))
}
