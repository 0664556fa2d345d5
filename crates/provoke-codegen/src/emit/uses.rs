//! Who uses which slot of a body, and which statements need not be printed at all.

use provoke_wire::{Body, LiteralKind, Mode, Statement, StatementKind};

use crate::OpText;

/// One use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// `None` is the result of the body.
    pub statement: Option<usize>,
    /// Which argument of the statement.
    pub position: usize,
    pub mode: Mode,
}

#[derive(Clone, Debug)]
pub struct Uses {
    by_slot: Vec<Vec<Use>>,
    is_skipped: Vec<bool>,
}

impl Uses {
    /// `is_main`: the last statement is the one that fails, so it is printed whatever it is.
    pub fn new(body: &Body, ops: &[OpText], is_main: bool) -> Uses {
        let mut uses =
            Uses { by_slot: vec![Vec::new(); body.n_slots() as usize], is_skipped: vec![false; body.statements.len()] };
        if let Some(arg) = body.result {
            uses.add(arg.slot(), None, 0, arg.mode());
        }
        // Backwards, so that what is used only by something superfluous is superfluous itself.
        for (idx, statement) in body.statements.iter().enumerate().rev() {
            let slot = body.slot_of(idx) as usize;
            let is_last = is_main && idx + 1 == body.statements.len();
            let is_skipped = match statement.kind {
                StatementKind::Call => ops[statement.op as usize].is_inline && uses.is_never_read(body, slot),
                StatementKind::Literal | StatementKind::Callback => uses.is_never_read(body, slot),
                StatementKind::Drop => !is_drop_visible(body, ops, statement),
            };
            if is_skipped && !is_last {
                uses.is_skipped[idx] = true;
                for used in std::mem::take(&mut uses.by_slot[slot]) {
                    // Only drops are left.
                    uses.is_skipped[used.statement.expect("a result is read")] = true;
                }
                continue;
            }
            let nested = match statement.kind {
                StatementKind::Callback => body.bodies.get(statement.op as usize),
                _ => None,
            };
            let nested = nested.map(|nested| (nested.n_params, Uses::new(nested, ops, false)));
            for (position, arg) in body.args_of(statement).iter().enumerate() {
                let is_ignored =
                    nested.as_ref().is_some_and(|(n_params, inner)| inner.of(n_params + position as u32).is_empty());
                // A closure does not capture what its body never mentions.
                if is_ignored {
                    continue;
                }
                uses.add(arg.slot(), Some(idx), position, arg.mode());
            }
        }
        for slot_uses in &mut uses.by_slot {
            slot_uses.sort_by_key(|used| (used.statement.unwrap_or(usize::MAX), used.position));
        }
        uses
    }

    fn add(&mut self, slot: u32, statement: Option<usize>, position: usize, mode: Mode) {
        if let Some(uses) = self.by_slot.get_mut(slot as usize) {
            uses.push(Use { statement, position, mode });
        }
    }

    fn is_never_read(&self, body: &Body, slot: usize) -> bool {
        self.by_slot[slot]
            .iter()
            .all(|used| used.statement.is_some_and(|idx| body.statements[idx].kind == StatementKind::Drop))
    }

    pub fn of(&self, slot: u32) -> &[Use] {
        &self.by_slot[slot as usize]
    }

    pub fn is_skipped(&self, statement: usize) -> bool {
        self.is_skipped[statement]
    }

    /// The use that is the slot's only one.
    pub fn single(&self, slot: u32) -> Option<Use> {
        match self.of(slot) {
            [used] => Some(*used),
            _ => None,
        }
    }

    pub fn is_last(&self, slot: u32, statement: Option<usize>, position: usize) -> bool {
        self.of(slot).last().is_some_and(|used| used.statement == statement && used.position == position)
    }
}

/// Whether dropping the value does anything; rustc warns about the drop of a reference or of a `Copy` value.
fn is_drop_visible(body: &Body, ops: &[OpText], statement: &Statement) -> bool {
    let Some(slot) = body.args_of(statement).first().map(|arg| arg.slot()) else {
        return false;
    };
    if body.args.iter().any(|arg| arg.slot() == slot && arg.mode() == Mode::Copy) {
        return false;
    }
    let Some(idx) = slot.checked_sub(body.n_inputs()) else {
        return true;
    };
    let maker = &body.statements[idx as usize];
    match maker.kind {
        StatementKind::Call => {
            let op = &ops[maker.op as usize];
            op.needs_drop && !op.result_type.as_deref().is_some_and(has_no_drop)
        }
        StatementKind::Literal => LiteralKind::from_code(maker.op) == Some(LiteralKind::String),
        StatementKind::Callback => true,
        StatementKind::Drop => false,
    }
}

/// Whether a type shows by its text that dropping it does nothing.
pub fn has_no_drop(ty: &str) -> bool {
    let ty = ty.trim();
    if let Some(inner) = ty.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        return has_no_drop(inner);
    }
    let is_primitive = matches!(ty, "bool" | "char" | "str" | "()" | "Ordering" | "Duration" | "Instant")
        || ty
            .strip_prefix(['u', 'i', 'f'])
            .is_some_and(|size| size == "size" || !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()));
    is_primitive || ty.starts_with('&')
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::{Arg, Literal};

    fn op(needs_drop: bool, result_type: &str) -> OpText {
        OpText { needs_drop, result_type: Some(result_type.into()), ..OpText::default() }
    }

    #[test]
    fn drops_that_do_nothing_are_skipped() {
        let ops = [op(true, "Stack"), op(true, "Option<&u8>"), op(false, "Iter<u8>"), op(true, "f64")];
        let mut body = Body::default();
        for number in 0..4 {
            body.push_call(number, &[]);
        }
        for slot in 0..4 {
            body.push_drop(slot);
        }
        let uses = Uses::new(&body, &ops, false);
        let skipped: Vec<bool> = (4..8).map(|idx| uses.is_skipped(idx)).collect();
        assert_eq!(skipped, [false, true, true, true]);
    }

    #[test]
    fn what_only_superfluous_statements_use_is_superfluous() {
        let mut body = Body::default();
        let text = body.push_literal(&Literal::String("a".into()));
        body.push_callback(Body { n_captures: 1, ..Body::default() }, &[Arg::new(text, Mode::Ref)]);
        body.push_drop(text);
        let uses = Uses::new(&body, &[], false);
        assert!((0..3).all(|idx| uses.is_skipped(idx)));
    }
}
