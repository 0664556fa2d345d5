//! What a slot is in the text: a variable, or something written at its use.

use provoke_wire::{Literal, Mode};

use crate::emit::layout::expression::{Binding, binding};
use crate::emit::values::literal::{Demand, literal_text};

/// A variable inside an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotMention {
    pub name: String,
    /// Moved or borrowed mutably: nothing else in the statement may touch it.
    pub is_exclusive: bool,
}

/// An expression that may be written inside another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub text: String,
    /// How deep calls are nested in it.
    pub depth: usize,
    pub mentions: Vec<SlotMention>,
    /// The statement it stands for.
    pub statement: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Not made yet, never printed, or gone.
    Empty,
    /// The result of a call without one.
    Unit,
    Literal(Literal),
    Named {
        name: String,
        /// Captured by value: the closure may run again, so nothing that is not used up may be moved out.
        is_captured: bool,
    },
    /// Captured by reference: the slot holds a reference to the place that the text names.
    Lent {
        place: String,
        is_mut: bool,
    },
    /// Written at its single use, wherever that is: evaluating it has no effect.
    Inline(Piece),
    /// A call whose single use comes soon; kept in the printer's queue.
    Pending,
}

impl Value {
    pub fn named(name: String) -> Value {
        Value::Named { name, is_captured: false }
    }
}

/// How an argument is written: after `{0}` or after `{.0}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub mode: Mode,
    pub is_receiver: bool,
    /// The operand of an operator that borrows by itself.
    pub is_operand: bool,
    /// The receiver of a method that references may have, too: `x.cmp(y)` on a `&mut` would compare references.
    pub is_of_trait: bool,
    /// Nobody uses the slot later.
    pub is_last: bool,
    pub demand: Demand,
}

/// The text of a value in a position, with what it mentions.
pub fn argument(value: &Value, position: Position) -> Piece {
    if position.is_receiver && position.is_operand {
        let whole = Position { is_receiver: false, is_operand: false, is_last: true, ..position };
        let piece = argument(value, whole);
        return Piece { text: behind(&piece.text), ..piece };
    }
    let Position { mode, is_receiver, is_of_trait, is_last, demand, .. } = position;
    let leaf = |text: String| Piece { text, depth: 0, mentions: Vec::new(), statement: 0 };
    match value {
        Value::Empty | Value::Pending => leaf("()".to_string()),
        Value::Unit => leaf(passed("()", mode, false)),
        Value::Literal(literal) => {
            let is_whole = is_receiver || matches!(mode, Mode::Move | Mode::Copy);
            let demand = Demand {
                // Behind a reference a byte string would stay an array.
                typed: demand.typed || is_receiver || !is_whole && matches!(literal, Literal::Bytes(_)),
                may_be_temporary: demand.may_be_temporary && is_whole && !is_receiver,
            };
            let text = literal_text(literal, demand);
            leaf(if is_receiver { receiver(&text) } else { passed(&text, mode, false) })
        }
        Value::Named { name, is_captured } => {
            let text = if is_receiver && is_of_trait && mode == Mode::Reborrow {
                format!("*{name}")
            } else if is_receiver {
                name.clone()
            } else {
                passed(name, mode, is_last && !is_captured)
            };
            with_mention(text, name, mode)
        }
        Value::Lent { place, is_mut } => {
            let name = place.trim_start_matches('*');
            if is_receiver {
                return with_mention(name.to_string(), name, mode);
            }
            let reference =
                if *is_mut && mode != Mode::Reborrow { format!("&mut {place}") } else { format!("&{place}") };
            let text = match mode {
                Mode::Ref | Mode::RefMut => passed(&reference, mode, false),
                _ => reference,
            };
            with_mention(text, name, mode)
        }
        Value::Inline(piece) => {
            let text = if is_receiver { receiver(&piece.text) } else { passed(&piece.text, mode, true) };
            Piece { text, ..piece.clone() }
        }
    }
}

/// What a reference refers to.
fn behind(reference: &str) -> String {
    let place = reference.strip_prefix("&mut ").or_else(|| reference.strip_prefix('&'));
    match place {
        Some(place) => place.to_string(),
        None if binding(reference) == Binding::Loose => format!("*({reference})"),
        None => format!("*{reference}"),
    }
}

/// A method borrows its receiver by itself: `v[..].len()` for `(&v[..]).len()`. Nothing but a borrow can be meant there,
/// because a slice cannot be passed by value.
fn receiver(text: &str) -> String {
    let place = text.strip_prefix("&mut ").or_else(|| text.strip_prefix('&'));
    match place {
        Some(place) if place.ends_with("[..]") && binding(place) == Binding::Tight => place.to_string(),
        _ => text.to_string(),
    }
}

fn with_mention(text: String, name: &str, mode: Mode) -> Piece {
    Piece {
        text,
        depth: 0,
        mentions: vec![SlotMention {
            name: name.to_string(),
            is_exclusive: !matches!(mode, Mode::Copy | Mode::Ref | Mode::Reborrow),
        }],
        statement: 0,
    }
}

fn passed(text: &str, mode: Mode, is_last: bool) -> String {
    let operator = match mode {
        Mode::Move | Mode::Copy => "",
        Mode::ReborrowMut if is_last => "",
        Mode::Ref => "&",
        Mode::RefMut => "&mut ",
        Mode::Reborrow => "&*",
        Mode::ReborrowMut => "&mut *",
    };
    let is_closure = text.starts_with('|') || text.starts_with("move |");
    if !operator.is_empty() && !is_closure && binding(text) == Binding::Loose {
        format!("{operator}({text})")
    } else {
        format!("{operator}{text}")
    }
}
