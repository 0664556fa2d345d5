//! Which variables are `mut`: rustc warns of one too many and refuses one too few.

use provoke_wire::{Body, Mode, Statement, StatementKind};

use crate::emit::printer::Printer;
use crate::emit::template;
use crate::emit::template::TemplatePart;
use crate::emit::uses::Uses;

impl Printer<'_> {
    /// Whether the variable of a slot has to be `mut`; `is_lent`: the slot holds a reference that a closure captured.
    pub(super) fn is_mutated(&self, body: &Body, uses: &Uses, slot: u32, is_lent: bool) -> bool {
        uses.of(slot).iter().any(|used| {
            let is_exclusive = match used.mode {
                Mode::RefMut => true,
                Mode::ReborrowMut | Mode::Move => is_lent,
                _ => false,
            };
            let Some(statement) = used.statement.map(|idx| &body.statements[idx]) else {
                return is_exclusive;
            };
            match statement.kind {
                StatementKind::Callback => {
                    let nested = &body.bodies[statement.op as usize];
                    let inner = nested.n_params + used.position as u32;
                    let is_moved = used.mode == Mode::Move && !is_lent;
                    (is_exclusive || is_moved) && self.is_mutated(nested, &self.uses(nested, false), inner, !is_moved)
                }
                StatementKind::Call => {
                    is_exclusive && !(self.is_receiver(statement, used.position) && self.is_mut_reference(body, slot))
                }
                StatementKind::Literal | StatementKind::Drop => is_exclusive,
            }
        })
    }

    pub(super) fn is_receiver(&self, statement: &Statement, position: usize) -> bool {
        let parts = template::parse(self.template(&self.ops[statement.op as usize]));
        parts.contains(&TemplatePart::Receiver(position)) && !parts.contains(&TemplatePart::Argument(position))
    }

    /// A method called on a variable that holds a `&mut` goes through it, and does not change the variable.
    fn is_mut_reference(&self, body: &Body, slot: u32) -> bool {
        let Some(idx) = slot.checked_sub(body.n_inputs()) else {
            return false;
        };
        let statement = &body.statements[idx as usize];
        statement.kind == StatementKind::Call
            && self.ops[statement.op as usize].result_type.as_deref().is_some_and(|ty| ty.starts_with("&mut "))
    }
}
