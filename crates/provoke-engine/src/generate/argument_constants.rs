//! What each operation measures its arguments by: numbers at which a comparison is about to come out otherwise, and words that it
//! compares something with.
//!
//! A crate has many numbers and words, and one argument is measured by a few of them. Where a fault takes two of those at once
//! (the last year and the last week of it), drawing from all that were mined would take very long.
//!
//! Decision: `docs/decisions/030-a-quarter-of-literals-are-argument-constants.md`

use std::collections::BTreeMap;

use provoke_wire::{Body, Comparison, Literal, LiteralKind, Operands, StatementKind};
use serde::{Deserialize, Serialize};

use crate::program::integer_literal::integer;
use crate::rng::Rng;

/// Of one argument, and words of one operation.
const MAX_NUMBERS: usize = 8;
const MAX_TEXTS: usize = 8;
/// Neighbours are taken for a number in so many percent each.
const NEIGHBOUR_PERCENT: usize = 25;

/// An argument of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Parameter {
    pub op: u32,
    pub index: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Met<T> {
    value: T,
    n_times: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentConstants {
    numbers: BTreeMap<Parameter, Vec<Met<i128>>>,
    /// By operation.
    texts: BTreeMap<u32, Vec<Met<Vec<u8>>>>,
}

impl ArgumentConstants {
    /// A comparison has equal operands where the argument has this value.
    pub(crate) fn add_number(&mut self, parameter: Parameter, value: i128) {
        meet(self.numbers.entry(parameter).or_default(), value, MAX_NUMBERS);
    }

    /// What a program compared, if it is texts.
    pub(crate) fn add_texts(&mut self, body: &Body, comparison: &Comparison) {
        let statement = body.statements.get(comparison.statement as usize);
        if let Some(call) = statement.filter(|statement| statement.kind == StatementKind::Call)
            && let Operands::Bytes { a, b } = &comparison.operands
        {
            let known = self.texts.entry(call.op).or_default();
            [a, b].into_iter().for_each(|text| meet(known, text.clone(), MAX_TEXTS));
        }
    }

    /// A literal for the argument. None if nothing that fits was met.
    pub(crate) fn draw(&self, parameter: Parameter, kind: LiteralKind, rng: &mut Rng) -> Option<Literal> {
        let text = |rng: &mut Rng| rng.pick(self.texts.get(&parameter.op)?).map(|met| met.value.clone());
        match kind {
            LiteralKind::Str => String::from_utf8(text(rng)?).ok().map(Literal::Str),
            LiteralKind::String => String::from_utf8(text(rng)?).ok().map(Literal::String),
            LiteralKind::Bytes => text(rng).map(Literal::Bytes),
            _ => {
                let value = rng.pick(self.numbers.get(&parameter)?)?.value;
                let value = match rng.below(100) {
                    n if n < NEIGHBOUR_PERCENT => value.checked_sub(1)?,
                    n if n < 2 * NEIGHBOUR_PERCENT => value.checked_add(1)?,
                    _ => value,
                };
                match kind {
                    LiteralKind::Char => u32::try_from(value).ok().and_then(char::from_u32).map(Literal::Char),
                    _ => integer(kind, value),
                }
            }
        }
    }
}

/// What is met rarely gives way: constants are met again and again, and what depends on other arguments is not.
fn meet<T: PartialEq>(known: &mut Vec<Met<T>>, value: T, n_most: usize) {
    if let Some(met) = known.iter_mut().find(|met| met.value == value) {
        met.n_times = met.n_times.saturating_add(1);
        return;
    }
    let met = Met { value, n_times: 1 };
    if known.len() < n_most {
        known.push(met);
    } else if let Some(rarest) = known.iter_mut().min_by_key(|met| met.n_times) {
        if rarest.n_times == 1 {
            *rarest = met;
        } else {
            rarest.n_times -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved_forms::{from_bytes, to_bytes};

    const YEAR: Parameter = Parameter { op: 1, index: 0 };

    fn drawn(argument_constants: &ArgumentConstants, parameter: Parameter, kind: LiteralKind) -> Vec<String> {
        let mut rng = Rng::new(1);
        let literals = (0..200).filter_map(|_| argument_constants.draw(parameter, kind, &mut rng));
        let mut drawn: Vec<String> = literals.map(|literal| format!("{literal:?}")).collect();
        drawn.sort();
        drawn.dedup();
        drawn
    }

    #[test]
    fn an_argument_is_what_it_is_measured_by_or_near_it() {
        let mut argument_constants = ArgumentConstants::default();
        argument_constants.add_number(YEAR, 255);
        assert_eq!(drawn(&argument_constants, YEAR, LiteralKind::I16), ["I16(254)", "I16(255)", "I16(256)"]);
        assert_eq!(drawn(&argument_constants, YEAR, LiteralKind::U8), ["U8(254)", "U8(255)"]);
        assert_eq!(drawn(&argument_constants, Parameter { index: 1, ..YEAR }, LiteralKind::I16), [""; 0]);
        let mut body = Body::default();
        body.push_literal(&Literal::U8(1));
        body.push_call(1, &[]);
        for statement in 0..3 {
            let operands = Operands::Bytes { a: vec![b'0' + statement], b: b"off".to_vec() };
            argument_constants.add_texts(&body, &Comparison { site: 0, statement: statement.into(), operands });
        }
        assert_eq!(drawn(&argument_constants, YEAR, LiteralKind::Str), [r#"Str("1")"#, r#"Str("off")"#]);
        assert_eq!(drawn(&argument_constants, Parameter { op: 2, index: 0 }, LiteralKind::Str), [""; 0]);
    }

    #[test]
    fn constants_outlast_what_is_met_once_and_all_is_saved() {
        let mut argument_constants = ArgumentConstants::default();
        for n in 0..1000 {
            argument_constants.add_number(YEAR, -9999);
            argument_constants.add_number(YEAR, 100_000 + n);
        }
        argument_constants.texts.insert(3, vec![Met { value: b"off".to_vec(), n_times: 2 }]);
        let values: Vec<i128> = argument_constants.numbers[&YEAR].iter().map(|met| met.value).collect();
        assert!(values.contains(&-9999) && values.len() == MAX_NUMBERS, "{values:?}");
        let bytes = to_bytes(&argument_constants);
        assert_eq!(from_bytes(&bytes, "constants"), Ok(argument_constants));
        assert!(from_bytes::<ArgumentConstants>(&bytes[..20], "constants").is_err());
    }
}
