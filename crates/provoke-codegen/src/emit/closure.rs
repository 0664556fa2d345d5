//! Callbacks as closures.

use provoke_wire::{Arg, Body, Mode, Statement};

use crate::emit::Style;
use crate::emit::piece::{Piece, Position, SlotMention, Value, argument};
use crate::emit::printer::{Frame, Printed, Printer, with_loops};
use crate::emit::values::literal::Demand;

/// How much further to the right the body of a closure stands, at least.
const BODY_INDENT: usize = 4;

impl Printer<'_> {
    pub(super) fn callback(&mut self, frame: &mut Frame<'_>, idx: usize, statement: &Statement) {
        let body = frame.body;
        let nested = &body.bodies[statement.op as usize];
        let captures = body.args_of(statement);
        let is_queued = |arg: &Arg| frame.values[arg.slot() as usize] == Value::Pending;
        if captures.iter().any(is_queued) {
            self.name_queued(frame, 0);
        }
        for arg in captures {
            self.name_inline(frame, arg.slot());
        }

        let nested_uses = self.uses(nested, false);
        let is_used = |position: usize| !nested_uses.of(nested.n_params + position as u32).is_empty();
        let is_moved = |arg: &Arg| {
            let is_variable = matches!(frame.values[arg.slot() as usize], Value::Named { .. });
            is_variable && matches!(arg.mode(), Mode::Move | Mode::Copy)
        };
        let moves = captures.iter().enumerate().any(|(position, arg)| is_used(position) && is_moved(arg));

        let mut inner_values = Vec::new();
        let mut mentions = Vec::new();
        for (position, &arg) in captures.iter().enumerate() {
            if !is_used(position) {
                inner_values.push(Value::Empty);
                continue;
            }
            let is_mutated = self.is_mutated(nested, &nested_uses, nested.n_params + position as u32, true);
            let mut inner = captured(&frame.values[arg.slot() as usize], arg.mode(), is_mutated);
            if let (Value::Lent { place, is_mut }, true) = (&inner, moves) {
                // A closure that moves would move this one, too: it gets a reference instead.
                let name = self.names.fresh(&format!("{}_ref", place.trim_start_matches('*')));
                let operator = if *is_mut { "&mut " } else { "&" };
                frame.push(idx, format!("let {name} = {operator}{place};"), true);
                inner = Value::Named { name, is_captured: true };
            }
            mentions.extend(mention(&inner, arg.mode()));
            inner_values.push(inner);
        }

        let text = self.closure_text(nested, inner_values, moves);
        let slot = body.slot_of(idx);
        let piece = Piece { text, depth: 0, mentions, statement: idx };
        match frame.uses.single(slot).and_then(|used| used.statement) {
            Some(use_idx) if !is_changed_between(body, captures, idx, use_idx) => {
                frame.values[slot as usize] = Value::Inline(piece);
            }
            _ => self.bind(frame, slot, &piece),
        }
    }

    fn closure_text(&mut self, nested: &Body, captures: Vec<Value>, moves: bool) -> String {
        let outer_names = self.names.clone();
        let uses = self.uses(nested, false);
        let mut inputs = Vec::new();
        let mut parameters = Vec::new();
        for slot in 0..nested.n_params {
            if uses.of(slot).is_empty() {
                parameters.push("_".to_string());
                inputs.push(Value::Empty);
                continue;
            }
            let name = self.names.parameter();
            let is_mut = self.is_mutated(nested, &uses, slot, false);
            parameters.push(format!("{}{name}", if is_mut { "mut " } else { "" }));
            inputs.push(Value::named(name));
        }
        inputs.extend(captures);
        self.indent += BODY_INDENT;
        let Printed { lines, tail } = self.body(nested, inputs, false);
        self.indent -= BODY_INDENT;
        self.names = outer_names;

        let lines = match self.style {
            Style::Pretty => with_loops(lines),
            Style::Explicit => lines,
        };
        let mut parts: Vec<String> = lines.into_iter().map(|line| line.text).collect();
        let is_expression = parts.is_empty() && tail.is_some();
        parts.extend(tail);
        let body = match parts.join(" ") {
            text if is_expression => text,
            text if text.is_empty() => "{}".to_string(),
            text => format!("{{ {text} }}"),
        };
        let keyword = if moves { "move " } else { "" };
        format!("{keyword}|{}| {body}", parameters.join(", "))
    }
}

/// What a captured value is inside the closure.
fn captured(outer: &Value, mode: Mode, is_mutated: bool) -> Value {
    let lent = |place: String| Value::Lent {
        place,
        is_mut: is_mutated && matches!(mode, Mode::RefMut | Mode::ReborrowMut | Mode::Move),
    };
    match (outer, mode) {
        (Value::Named { name, .. }, Mode::Move | Mode::Copy) => Value::Named { name: name.clone(), is_captured: true },
        (Value::Named { name, .. }, Mode::Ref | Mode::RefMut) => lent(name.clone()),
        (Value::Named { name, .. }, Mode::Reborrow | Mode::ReborrowMut) => lent(format!("*{name}")),
        (Value::Lent { place, .. }, _) => lent(place.clone()),
        (Value::Literal(_), Mode::Ref) => {
            let position = Position {
                mode,
                is_receiver: false,
                is_operand: false,
                is_of_trait: false,
                is_last: false,
                demand: Demand::TYPED,
            };
            Value::Inline(argument(outer, position))
        }
        _ => outer.clone(),
    }
}

fn mention(inner: &Value, mode: Mode) -> Option<SlotMention> {
    let name = match inner {
        Value::Named { name, .. } => name.clone(),
        Value::Lent { place, .. } => place.trim_start_matches('*').to_string(),
        _ => return None,
    };
    Some(SlotMention { name, is_exclusive: !matches!(mode, Mode::Copy | Mode::Ref | Mode::Reborrow) })
}

/// Whether something captured by copy gets another value before the closure is used.
fn is_changed_between(body: &Body, captures: &[Arg], made: usize, used: usize) -> bool {
    let is_changing = |arg: &Arg| matches!(arg.mode(), Mode::RefMut | Mode::ReborrowMut | Mode::Move);
    let copied = |slot: u32| captures.iter().any(|capture| capture.slot() == slot && capture.mode() == Mode::Copy);
    body.statements[made + 1..used]
        .iter()
        .flat_map(|statement| body.args_of(statement))
        .any(|arg| copied(arg.slot()) && is_changing(arg))
}
