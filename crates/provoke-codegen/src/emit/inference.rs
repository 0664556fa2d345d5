//! Where even the pretty style has to name a type, because nothing else in the test tells it.

use provoke_wire::{Body, StatementKind};

use crate::emit::printer::{Frame, Printer};
use crate::emit::uses::Use;

impl Printer<'_> {
    /// Whether nothing in the text would tell rustc the type arguments of a slot: it is made from nothing (`Vec::new()`), and never
    /// meets a value that settles them.
    pub(super) fn needs_type(&self, frame: &Frame<'_>, slot: u32) -> bool {
        let Some(idx) = slot.checked_sub(frame.body.n_inputs()) else {
            return false;
        };
        let maker = &frame.body.statements[idx as usize];
        if maker.kind != StatementKind::Call {
            return false;
        }
        let op = &self.ops[maker.op as usize];
        let is_from_literals = frame.body.args_of(maker).iter().all(|arg| {
            let idx = arg.slot().checked_sub(frame.body.n_inputs());
            idx.is_some_and(|idx| frame.body.statements[idx as usize].kind == StatementKind::Literal)
        });
        // What has no type arguments to be spelled out leaves none open.
        let has_arguments = op.explicit.is_empty() || op.explicit.trim_start_matches('<').contains('<');
        let is_open = is_from_literals
            && has_arguments
            && op.result_type.as_deref().is_some_and(|ty| ty.contains('<'))
            && op.generic_args.is_empty()
            && !op.pretty.contains("{.")
            && !op.pretty.contains('<');
        is_open && !frame.uses.of(slot).iter().any(|used| self.settles_types(frame.body, used))
    }

    fn settles_types(&self, body: &Body, used: &Use) -> bool {
        let Some(statement) = used.statement.map(|idx| &body.statements[idx]) else {
            return true;
        };
        match statement.kind {
            StatementKind::Call => {
                let op = &self.ops[statement.op as usize];
                !op.generic_args.is_empty() || !op.is_inline && !self.is_receiver(statement, used.position)
            }
            StatementKind::Callback => {
                let nested = &body.bodies[statement.op as usize];
                let uses = self.uses(nested, false);
                let inner = nested.n_params + used.position as u32;
                uses.of(inner).iter().any(|used| self.settles_types(nested, used))
            }
            StatementKind::Literal | StatementKind::Drop => false,
        }
    }
}
