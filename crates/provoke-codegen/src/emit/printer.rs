//! From the statements of a body to one-line statements of Rust.
//!
//! A call whose result has a single use by value is kept in a queue until that use. If the queue's newest calls are just the arguments of
//! the next one, in the order in which Rust evaluates them, they are written inside it; else they get a variable, in the order of the program.

use provoke_wire::{Arg, Body, Literal, LiteralKind, Mode, Statement, StatementKind};

use crate::OpText;

use crate::emit::imports::Imports;
use crate::emit::names::VariableNames;
use crate::emit::piece::{Piece, Position, SlotMention, Value, argument};
use crate::emit::template::TemplatePart;
use crate::emit::uses::{Use, Uses, has_no_drop};
use crate::emit::values::check::Check;
use crate::emit::values::literal::{Demand, literal_text, literal_variable};
use crate::emit::{Style, layout, template};

/// One statement of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedLine {
    pub statement: usize,
    pub text: String,
    /// It declares a variable.
    pub binds: bool,
}

/// From this many equal statements on a loop is written.
const LOOP_FROM: usize = 4;
/// Calls inside calls inside a call are the limit of what reads well.
const MAX_DEPTH: usize = 2;
/// Longer text that is used more than once gets a variable.
const SHORT_TEXT: usize = 24;

pub struct Printer<'a> {
    pub(super) ops: &'a [OpText],
    pub(super) style: Style,
    pub(super) names: VariableNames,
    imports: Imports,
    /// Of the statements that are printed now.
    pub(super) indent: usize,
    /// What the test says about values.
    pub(super) checks: &'a [Check],
}

/// A body while it is printed.
pub(super) struct Frame<'b> {
    pub body: &'b Body,
    pub uses: Uses,
    pub values: Vec<Value>,
    /// Calls that wait for their use, oldest first.
    queue: Vec<(u32, Piece)>,
    pub lines: Vec<PrintedLine>,
    pub is_main: bool,
}

/// The statements of a body and the expression it ends with.
pub(super) struct Printed {
    pub lines: Vec<PrintedLine>,
    pub tail: Option<String>,
}

impl<'a> Printer<'a> {
    pub fn new(ops: &'a [OpText], style: Style, names: VariableNames, imports: Imports, indent: usize) -> Printer<'a> {
        Printer { ops, style, names, imports, indent, checks: &[] }
    }

    pub fn main(mut self, body: &Body) -> (Vec<PrintedLine>, Imports) {
        let inputs = vec![Value::Empty; body.n_inputs() as usize];
        let printed = self.body(body, inputs, true);
        (printed.lines, self.imports)
    }

    pub(super) fn uses(&self, body: &Body, is_main: bool) -> Uses {
        Uses::new(body, self.ops, is_main)
    }

    pub(super) fn body(&mut self, body: &Body, inputs: Vec<Value>, is_main: bool) -> Printed {
        let mut values = inputs;
        values.resize(body.n_slots() as usize, Value::Empty);
        let mut frame =
            Frame { body, uses: self.uses(body, is_main), values, queue: Vec::new(), lines: Vec::new(), is_main };
        for (idx, statement) in body.statements.iter().enumerate() {
            if frame.uses.is_skipped(idx) {
                // Even a drop that is not worth a line ends loans, which calls must not be carried across.
                if statement.kind == StatementKind::Drop {
                    self.name_queued(&mut frame, 0);
                }
                continue;
            }
            match statement.kind {
                StatementKind::Call => self.call(&mut frame, idx, statement),
                StatementKind::Literal => self.literal(&mut frame, idx, statement),
                StatementKind::Callback => self.callback(&mut frame, idx, statement),
                StatementKind::Drop => self.drop(&mut frame, idx, statement),
            }
        }
        let tail = self.tail(&mut frame);
        if is_main {
            self.final_checks(&mut frame);
        }
        Printed { lines: frame.lines, tail }
    }

    fn tail(&mut self, frame: &mut Frame<'_>) -> Option<String> {
        if let Some(arg) = frame.body.result
            && let [(slot, _)] = frame.queue[..]
            && slot == arg.slot()
            && let Some((_, piece)) = frame.queue.pop()
        {
            return Some(piece.text);
        }
        self.name_queued(frame, 0);
        let arg = frame.body.result?;
        let value = &frame.values[arg.slot() as usize];
        if matches!(value, Value::Unit | Value::Empty) {
            return None;
        }
        let position = Position {
            mode: arg.mode(),
            is_receiver: false,
            is_operand: false,
            is_of_trait: false,
            is_last: true,
            demand: Demand { typed: self.style == Style::Explicit, may_be_temporary: false },
        };
        Some(argument(value, position).text)
    }

    fn drop(&mut self, frame: &mut Frame<'_>, idx: usize, statement: &Statement) {
        self.name_queued(frame, 0);
        for &arg in frame.body.args_of(statement) {
            self.name_inline(frame, arg.slot());
            let slot = arg.slot() as usize;
            let position = Position {
                mode: Mode::Move,
                is_receiver: false,
                is_operand: false,
                is_of_trait: false,
                is_last: true,
                demand: Demand::TYPED,
            };
            let text = argument(&frame.values[slot], position).text;
            frame.push(idx, format!("drop({text});"), false);
            frame.values[slot] = Value::Empty;
        }
    }

    fn literal(&mut self, frame: &mut Frame<'_>, idx: usize, statement: &Statement) {
        let slot = frame.body.slot_of(idx);
        let literal = LiteralKind::from_code(statement.op)
            .and_then(|kind| Literal::from_data(kind, frame.body.data_of(statement)))
            .unwrap_or(Literal::Unit);
        let is_inline = match &literal {
            Literal::String(_) => {
                let single = frame.uses.single(slot);
                single.is_some_and(|used| used.mode == Mode::Move && is_by_call(frame.body, used))
            }
            Literal::Str(text) => text.len() <= SHORT_TEXT || frame.uses.of(slot).len() < 2,
            Literal::Bytes(bytes) => bytes.len() <= SHORT_TEXT || frame.uses.of(slot).len() < 2,
            _ => true,
        };
        // A reference to a constant lives for ever, one to the result of a call only as long as its statement.
        let is_made_by_call = match &literal {
            Literal::Bytes(_) => true,
            Literal::F32(_) | Literal::F64(_) => literal_text(&literal, Demand::TYPED).contains('('),
            _ => false,
        };
        let is_lent = frame.uses.of(slot).iter().any(|used| used.mode == Mode::Ref);
        let is_inline = is_inline && !(is_made_by_call && is_lent);
        let is_mutated = self.is_mutated(frame.body, &frame.uses, slot, false);
        if is_inline && !is_mutated {
            frame.values[slot as usize] = Value::Literal(literal);
            return;
        }
        let name = self.names.fresh(literal_variable(&literal));
        let text = literal_text(&literal, Demand::TYPED);
        let mutability = if is_mutated { "mut " } else { "" };
        frame.push(idx, format!("let {mutability}{name} = {text};"), true);
        frame.values[slot as usize] = Value::named(name);
    }

    fn call(&mut self, frame: &mut Frame<'_>, idx: usize, statement: &Statement) {
        let ops = self.ops;
        let op = &ops[statement.op as usize];
        let template = self.imports.write(self.template(op), &op.imports);
        self.imports.bring_traits(op, self.style);
        let parts = template::parse(&template);
        let slot = frame.body.slot_of(idx);
        let args = frame.body.args_of(statement);

        let room = layout::MAX_WIDTH.saturating_sub(self.indent + self.declaration_width(op) + 1);
        let most = if template::is_straight(&parts) { n_nestable(frame, &parts, args) } else { 0 };
        let n_nested = (1..=most)
            .rev()
            .find(|&n| {
                let trial = self.call_text(frame, idx, op, &parts, n);
                trial.is_some_and(|piece| piece.depth <= MAX_DEPTH && layout::fits_one_line(&piece.text, room))
            })
            .unwrap_or(0);
        self.name_queued(frame, n_nested);
        let mut text = self.call_text(frame, idx, op, &parts, n_nested);
        let is_wide = |piece: &Piece| !layout::fits_one_line(&piece.text, room);
        if n_nested == 0 && text.as_ref().is_none_or(is_wide) {
            for arg in args {
                if !is_closure(&frame.values[arg.slot() as usize]) {
                    self.name_inline(frame, arg.slot());
                }
            }
            text = self.call_text(frame, idx, op, &parts, 0);
        }
        let Some(piece) = text else {
            return;
        };
        let n_left = frame.queue.len() - n_nested;
        frame.queue.truncate(n_left);

        let uses = frame.uses.of(slot);
        if let Some(check) = self.check_of(frame, idx) {
            self.checked_call(frame, op, &piece, check);
        } else if op.is_unit {
            frame.push(idx, format!("{};", piece.text), false);
            frame.values[slot as usize] = Value::Unit;
        } else if uses.is_empty() {
            self.unused(frame, idx, op, &piece.text);
        } else if op.is_inline && n_nested == 0 && (args.is_empty() || self.is_single_use(frame, slot)) {
            frame.values[slot as usize] = Value::Inline(piece);
        } else if self.is_nestable(frame, slot) && !self.needs_type(frame, slot) {
            frame.queue.push((slot, piece));
            frame.values[slot as usize] = Value::Pending;
        } else {
            self.bind(frame, slot, &piece);
        }
    }

    fn is_single_use(&self, frame: &Frame<'_>, slot: u32) -> bool {
        frame.uses.single(slot).is_some_and(|used| match used.statement {
            Some(idx) => frame.body.statements[idx].kind != StatementKind::Drop,
            None => true,
        })
    }

    /// Whether the result of a call may wait for its use: it has one, by value, in a call or as the body's result.
    fn is_nestable(&self, frame: &Frame<'_>, slot: u32) -> bool {
        frame.uses.single(slot).is_some_and(|used| {
            matches!(used.mode, Mode::Move | Mode::Copy | Mode::ReborrowMut)
                && is_by_call(frame.body, used)
                && (self.style == Style::Pretty || used.statement.is_none())
        })
    }

    pub(super) fn template<'t>(&self, op: &'t OpText) -> &'t str {
        match self.style {
            Style::Explicit if !op.explicit.is_empty() => &op.explicit,
            _ => &op.pretty,
        }
    }

    /// The text of a call with the newest `n_nested` queued calls written inside it; `None` if they would get in each other's way.
    fn call_text(
        &self,
        frame: &Frame<'_>,
        idx: usize,
        op: &OpText,
        parts: &[TemplatePart],
        n_nested: usize,
    ) -> Option<Piece> {
        let args = frame.body.args_of(&frame.body.statements[idx]);
        let queue = &frame.queue[frame.queue.len() - n_nested..];
        let is_uniform = template::is_uniform(parts);
        let mut whole = Piece { text: String::new(), depth: 0, mentions: Vec::new(), statement: idx };
        let mut has_conflict = false;
        let mut n_filled = 0;
        whole.text = template::fill(parts, |part, around| {
            let (number, is_receiver) = match part {
                TemplatePart::Argument(number) => (*number, false),
                TemplatePart::Receiver(number) => (*number, true),
                TemplatePart::Text(text) => return text.clone(),
            };
            let Some(&arg) = args.get(number) else {
                return String::new();
            };
            let is_generic = op.generic_args.iter().any(|&g| usize::from(g) == number);
            let typed = match self.style {
                Style::Explicit => true,
                Style::Pretty => around.is_called || is_generic && !(is_uniform && n_filled > 0),
            };
            n_filled += 1;
            let result_is_used = !frame.uses.of(frame.body.slot_of(idx)).is_empty();
            let may_be_temporary = self.style == Style::Pretty && !is_generic && !result_is_used;
            let position = Position {
                mode: arg.mode(),
                is_receiver,
                is_operand: around.is_operand,
                is_of_trait: op.explicit.contains(" as "),
                is_last: frame.uses.is_last(arg.slot(), Some(idx), number),
                demand: Demand { typed, may_be_temporary },
            };
            let piece = self.argument_text(frame, arg.slot(), queue, position);
            whole.depth = whole.depth.max(piece.depth);
            for mention in piece.mentions {
                let is_same = |other: &SlotMention| other.name == mention.name;
                has_conflict |= whole.mentions.iter().any(|m| is_same(m) && (m.is_exclusive || mention.is_exclusive));
                whole.mentions.push(mention);
            }
            // A method of `&T` itself: called on a `T` it would be that of `T`.
            let lent = match arg.mode() {
                Mode::Ref => "&",
                Mode::RefMut => "&mut ",
                _ => "",
            };
            let is_of_reference = is_receiver && !around.is_operand && op.explicit.starts_with("<&");
            if is_of_reference && !lent.is_empty() { format!("({lent}{})", piece.text) } else { piece.text }
        });
        if has_conflict && n_nested > 0 { None } else { Some(whole) }
    }

    /// What is passed: a literal, a variable, or a queued call written where it is used.
    fn argument_text(&self, frame: &Frame<'_>, slot: u32, queue: &[(u32, Piece)], position: Position) -> Piece {
        match &frame.values[slot as usize] {
            Value::Pending => {
                let queued = queue.iter().find(|(of, _)| *of == slot);
                let wish = || Value::named(self.variable(frame, slot).to_string());
                let nested = queued.map_or_else(wish, |(_, piece)| Value::Inline(piece.clone()));
                let mut piece = argument(&nested, position);
                // A chain of methods reads well however long it is.
                piece.depth += usize::from(queued.is_some() && !position.is_receiver);
                piece
            }
            // Integers and floats without a suffix are of these types if nothing else says so.
            value @ Value::Literal(Literal::I32(_) | Literal::F64(_)) if self.style == Style::Pretty => {
                let demand = Demand { typed: false, ..position.demand };
                argument(value, Position { demand, ..position })
            }
            value => argument(value, position),
        }
    }

    fn unused(&mut self, frame: &mut Frame<'_>, idx: usize, op: &OpText, text: &str) {
        let is_failing = frame.is_main && idx + 1 == frame.body.statements.len();
        let result_type = op.result_type.as_deref();
        // rustc refuses to throw away the guard of a lock.
        let is_guard = result_type.is_some_and(|ty| ty.contains("Guard") || ty.contains("LockResult"));
        let must_live = op.needs_drop && !result_type.is_some_and(has_no_drop);
        let is_kept = is_guard || must_live && !is_failing;
        let name = if is_kept { self.names.fresh(&format!("_{}", op.variable)) } else { "_".to_string() };
        let needs_type = self.needs_type(frame, frame.body.slot_of(idx));
        let head = self.declaration(op, &name, false, needs_type);
        frame.push(idx, format!("{head}{text};"), is_kept);
    }

    /// `let name: Type = `
    fn declaration(&mut self, op: &OpText, name: &str, is_mut: bool, needs_type: bool) -> String {
        let mutability = if is_mut { "mut " } else { "" };
        match &op.result_type {
            Some(ty) if self.style == Style::Explicit || needs_type => {
                let ty = self.imports.write(ty, &op.imports);
                format!("let {mutability}{name}: {ty} = ")
            }
            _ => format!("let {mutability}{name} = "),
        }
    }

    /// A text that names things by the last segments of these paths, with them imported.
    pub(super) fn import(&mut self, text: &str, paths: &[String]) -> String {
        self.imports.write(text, paths)
    }

    /// How wide the declaration of the result may get.
    fn declaration_width(&self, op: &OpText) -> usize {
        let annotation = match &op.result_type {
            Some(ty) if self.style == Style::Explicit => ty.chars().count() + 2,
            _ => 0,
        };
        "let mut  = ".len() + op.variable.chars().count() + annotation
    }

    fn variable(&self, frame: &Frame<'_>, slot: u32) -> &'a str {
        let maker = slot.checked_sub(frame.body.n_inputs()).map(|idx| &frame.body.statements[idx as usize]);
        match maker {
            Some(statement) if statement.kind == StatementKind::Call => &self.ops[statement.op as usize].variable,
            _ => "callback",
        }
    }

    /// Gives the slot a variable.
    pub(super) fn bind(&mut self, frame: &mut Frame<'_>, slot: u32, piece: &Piece) {
        let name = self.names.fresh(self.variable(frame, slot));
        let is_mut = self.is_mutated(frame.body, &frame.uses, slot, false);
        let statement = &frame.body.statements[piece.statement];
        let head = if statement.kind == StatementKind::Call {
            let needs_type = self.needs_type(frame, slot);
            self.declaration(&self.ops[statement.op as usize], &name, is_mut, needs_type)
        } else {
            format!("let {}{name} = ", if is_mut { "mut " } else { "" })
        };
        frame.push(piece.statement, format!("{head}{};", piece.text), true);
        frame.values[slot as usize] = Value::named(name);
    }

    /// Gives variables to all queued calls but the newest `n_kept`.
    pub(super) fn name_queued(&mut self, frame: &mut Frame<'_>, n_kept: usize) {
        let n_named = frame.queue.len() - n_kept;
        let kept = frame.queue.split_off(n_named);
        for (slot, piece) in std::mem::replace(&mut frame.queue, kept) {
            self.bind(frame, slot, &piece);
        }
    }

    /// Gives the slot a variable if it would be written at its use.
    pub(super) fn name_inline(&mut self, frame: &mut Frame<'_>, slot: u32) {
        if let Value::Inline(piece) = frame.values[slot as usize].clone() {
            self.bind(frame, slot, &piece);
        }
    }
}

impl Frame<'_> {
    pub fn push(&mut self, statement: usize, text: String, binds: bool) {
        self.lines.push(PrintedLine { statement, text, binds });
    }
}

/// Equal statements in a row as a loop.
pub fn with_loops(lines: Vec<PrintedLine>) -> Vec<PrintedLine> {
    let mut out: Vec<PrintedLine> = Vec::new();
    for run in lines.chunk_by(|a, b| a.text == b.text && !a.binds && !b.binds) {
        if run.len() >= LOOP_FROM {
            out.push(PrintedLine { text: format!("for _ in 0..{} {{ {} }}", run.len(), run[0].text), ..run[0] });
        } else {
            out.extend_from_slice(run);
        }
    }
    out
}

fn is_closure(value: &Value) -> bool {
    matches!(value, Value::Inline(piece) if piece.text.starts_with('|') || piece.text.starts_with("move |"))
}

fn is_by_call(body: &Body, used: Use) -> bool {
    used.statement.is_none_or(|idx| body.statements[idx].kind == StatementKind::Call)
}

/// How many of the newest queued calls are arguments of this one, in the order in which it evaluates them.
fn n_nestable(frame: &Frame<'_>, parts: &[TemplatePart], args: &[Arg]) -> usize {
    let slots: Vec<u32> = parts
        .iter()
        .filter_map(|part| match part {
            TemplatePart::Argument(number) | TemplatePart::Receiver(number) => args.get(*number).map(|arg| arg.slot()),
            TemplatePart::Text(_) => None,
        })
        .collect();
    let mut end = slots.len();
    let mut n = 0;
    for (queued, _) in frame.queue.iter().rev() {
        let n_places = slots.iter().filter(|slot| *slot == queued).count();
        match slots[..end].iter().rposition(|slot| slot == queued) {
            Some(place) if n_places == 1 => end = place,
            _ => break,
        }
        n += 1;
    }
    n
}
