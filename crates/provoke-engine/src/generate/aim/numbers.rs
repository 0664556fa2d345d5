//! Which numbers of a program make a comparison come out as wanted.

use provoke_wire::{Body, LiteralKind, StatementKind};

use super::{Failure, Nudge, Relation, number_operands};
use crate::generate::argument_constants::{ArgumentConstants, Parameter};
use crate::generate::literals::Literals;
use crate::generate::mutate::Integer;

/// A number of a program: a whole number or a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Integer(Integer),
    Char(char),
}

/// `None` where the kind is no number.
pub(super) fn read(kind: LiteralKind, data: &[u8]) -> Option<Number> {
    if kind == LiteralKind::Char {
        let code = u32::from_le_bytes(data.try_into().ok()?);
        return char::from_u32(code).map(Number::Char);
    }
    Integer::read(kind, data).map(Number::Integer)
}

impl Number {
    fn value(self) -> i128 {
        match self {
            Number::Integer(integer) => integer.value(),
            Number::Char(c) => i128::from(u32::from(c)),
        }
    }

    /// `None` where its type has no such value.
    fn become_value(self, value: i128) -> Option<Number> {
        match self {
            Number::Integer(integer) => integer.become_value(value).map(Number::Integer),
            Number::Char(_) => u32::try_from(value).ok().and_then(char::from_u32).map(Number::Char),
        }
    }

    pub(super) fn moved_by(self, by: i128) -> Option<Number> {
        self.become_value(self.value().checked_add(by)?)
    }

    pub(super) fn data(self) -> Vec<u8> {
        match self {
            Number::Integer(integer) => {
                let mut data = Vec::new();
                integer.write(&mut data);
                data
            }
            Number::Char(c) => u32::from(c).to_le_bytes().to_vec(),
        }
    }
}

fn number_at(body: &Body, index: usize) -> Option<Number> {
    let statement = body.statements.get(index).filter(|statement| statement.kind == StatementKind::Literal)?;
    read(LiteralKind::from_code(statement.op)?, body.data_of(statement))
}

/// Adds what may be changed for this comparison, the most promising first.
pub(super) fn changes(
    body: &Body,
    event: &Failure<'_>,
    relation: Relation,
    others: &[(Nudge, Vec<Failure<'_>>)],
    out: &mut Vec<Vec<(usize, Vec<u8>)>>,
) {
    let Some((n_bytes, a, b)) = number_operands(event.comparison) else { return };
    let difference = |x: u64, y: u64| sign_extended(x.wrapping_sub(y), n_bytes);
    // By how much `a - b` has to change.
    let wanted = difference(b, a)
        + match relation {
            Relation::Equal => 0,
            Relation::Less => -1,
            Relation::Greater => 1,
        };
    let mut movers: Vec<(usize, Number)> = Vec::new();
    for (nudge, events) in others {
        let index = nudge.statement as usize;
        let Some(number) = number_at(body, index) else { continue };
        let moved = movement(event, events);
        match moved {
            Some(0) => continue,
            Some(moved) => {
                movers.push((index, number));
                // As far as it moves for each step of the number; either way around the circle of numbers of this width.
                let circle = 1i128 << (8 * n_bytes);
                for distance in [wanted, wanted - circle, wanted + circle] {
                    if (distance * nudge.by) % moved == 0 {
                        out.extend(number.moved_by(distance * nudge.by / moved).map(|new| vec![(index, new.data())]));
                    }
                }
            }
            // It decides whether the comparison is made at all.
            None => {}
        }
        // Where the way from the number to the operand is not a straight one, or was not seen: as the operands are.
        let is_operand =
            |operand: u64| sign_extended(number.value() as u64, n_bytes) == sign_extended(operand, n_bytes);
        if moved.is_some() || is_operand(a) || is_operand(b) {
            let step = wanted - difference(b, a);
            for operand in [a, b] {
                for value in [sign_extended(operand, n_bytes), i128::from(operand)] {
                    for target in [value + step, value - step, -value] {
                        out.extend(number.become_value(target).map(|new| vec![(index, new.data())]));
                    }
                }
            }
        }
    }
    // Two that move it: the same value for both, or neighbours.
    if let [(first, one), (second, other), ..] = movers[..] {
        for by in [0, 1, -1] {
            let meet = |index: usize, from: Number, to: Number| {
                Some((index, from.become_value(to.value().checked_add(by)?)?.data()))
            };
            out.extend(meet(first, one, other).map(|change| vec![change]));
            out.extend(meet(second, other, one).map(|change| vec![change]));
        }
        if let (Some(zero), Some(same)) = (one.become_value(0), other.become_value(0)) {
            out.push(vec![(first, zero.data()), (second, same.data())]);
        }
    }
}

/// Larger numbers are constants of arguments only if they were mined, too. Code of std that is compiled along with the target checks how far
/// apart ranges of memory are, and that differs from process to process.
const MAX_TOUCHSTONE: u128 = 0xffff;

/// Finds the values of arguments at which a comparison has equal operands, where a number of the program is an argument and
/// moves an operand evenly while that very call runs.
pub(super) fn find_touchstones(
    body: &Body,
    events: &[Failure<'_>],
    others: &[(Nudge, Vec<Failure<'_>>)],
    literals: &Literals,
    argument_constants: &mut ArgumentConstants,
) {
    for (nudge, nudged) in others {
        let Some(number) = number_at(body, nudge.statement as usize) else { continue };
        for event in events {
            let Some((n_bytes, a, b)) = number_operands(event.comparison) else { continue };
            let distance = sign_extended(b.wrapping_sub(a), n_bytes) * nudge.by;
            let Some(moved) = movement(event, nudged).filter(|moved| *moved != 0 && distance % moved == 0) else {
                continue;
            };
            let Some(equal) = number.moved_by(distance / moved).map(Number::value) else { continue };
            if equal.unsigned_abs() <= MAX_TOUCHSTONE || literals.has_mined(equal) {
                let parameters = parameters_of(body, event.comparison.statement, nudge.statement);
                parameters.for_each(|parameter| argument_constants.add_number(parameter, equal));
            }
        }
    }
}

/// By how much more the first operand moved than the second, from a run to one in which a number was changed, whose events are
/// sorted by key. Nothing if the comparison was not made there.
fn movement(event: &Failure<'_>, nudged: &[Failure<'_>]) -> Option<i128> {
    let (n_bytes, a, b) = number_operands(event.comparison)?;
    let met = nudged.binary_search_by_key(&event.key(), Failure::key).ok()?;
    let (_, a2, b2) = number_operands(nudged[met].comparison)?;
    let difference = |x: u64, y: u64| sign_extended(x.wrapping_sub(y), n_bytes);
    Some(difference(a2, a) - difference(b2, b))
}

/// As which arguments a statement passes a value.
fn parameters_of(body: &Body, statement: u32, slot: u32) -> impl Iterator<Item = Parameter> {
    let call = body.statements.get(statement as usize).filter(|statement| statement.kind == StatementKind::Call);
    call.into_iter().flat_map(move |call| {
        let args = body.args_of(call).iter().zip(0..).filter(move |(arg, _)| arg.slot() == slot);
        args.map(|(_, index)| Parameter { op: call.op, index })
    })
}

fn sign_extended(value: u64, n_bytes: u8) -> i128 {
    let unused = 64 - 8 * u32::from(n_bytes);
    i128::from(((value << unused) as i64) >> unused)
}
