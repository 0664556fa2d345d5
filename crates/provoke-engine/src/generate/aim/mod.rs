//! Aiming: literals of a program are changed so that a comparison comes out as it never did.
//!
//! A program that reached something new is run again while comparisons are traced, and once more for each of its numbers,
//! with that number changed. What moves an operand is then known, and by how much: so the number is found that makes the
//! operands equal, or one the smaller. In texts, the operands themselves are looked for: a character, a word, a number as it
//! is written, a length.

use provoke_wire::{Body, Comparison, LiteralKind, Operands, StatementKind};

use crate::generate::argument_constants::ArgumentConstants;
use crate::generate::literals::Literals;

mod comparisons;
mod numbers;
mod texts;

pub use comparisons::{Conditions, Relation};

/// Numbers of one program that are changed to see what they move.
const MAX_PROBED: usize = 10;
/// Programs that come of one trace.
const MAX_AIMED: usize = 64;
/// Of those, for one comparison and one relation.
const MAX_PER_GOAL: usize = 12;

/// What was changed about a program that is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nudge {
    pub statement: u32,
    /// By how much the number is another.
    pub by: i128,
}

/// A program to trace: as it is, or with one number changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Nudged {
    pub body: Body,
    pub nudge: Option<Nudge>,
}

/// The program itself, and one variant for each of its numbers.
pub fn probes(body: &Body) -> Vec<Nudged> {
    let mut probes = vec![Nudged { body: body.clone(), nudge: None }];
    for (index, statement) in body.statements.iter().enumerate() {
        if statement.kind != StatementKind::Literal || probes.len() > MAX_PROBED {
            continue;
        }
        let value = LiteralKind::from_code(statement.op).and_then(|kind| numbers::read(kind, body.data_of(statement)));
        let Some(value) = value else { continue };
        let nudged = [1, -1].into_iter().find_map(|by| Some((by, value.moved_by(by)?)));
        if let Some((by, nudged)) = nudged {
            let body = with_literals(body, &[(index, nudged.data())]);
            probes.push(Nudged { body, nudge: Some(Nudge { statement: index as u32, by }) });
        }
    }
    probes
}

/// What a probe was, and what was compared while it ran.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'a> {
    pub nudge: Option<Nudge>,
    pub comparisons: &'a [Comparison],
}

/// Programs in which comparisons may come out as they never did. The first of `traced` is the program as it is.
pub fn aim(
    body: &Body,
    traced: &[Traced<'_>],
    literals: &Literals,
    conditions: &mut Conditions,
    argument_constants: &mut ArgumentConstants,
) -> Vec<Body> {
    for run in traced {
        run.comparisons.iter().for_each(|comparison| conditions.see(comparison));
    }
    let Some((plain, nudged)) = traced.split_first() else { return Vec::new() };
    let events = numbered(plain.comparisons);
    let others: Vec<(Nudge, Vec<Failure<'_>>)> = nudged
        .iter()
        .filter_map(|run| {
            let mut events = numbered(run.comparisons);
            events.sort_by_key(Failure::key);
            Some((run.nudge?, events))
        })
        .collect();
    numbers::find_touchstones(body, &events, &others, literals, argument_constants);
    plain.comparisons.iter().for_each(|comparison| argument_constants.add_texts(body, comparison));
    let mut goals: Vec<(u32, &Failure<'_>, Relation)> = Vec::new();
    for event in &events {
        let n_tries = conditions.n_tries(event.comparison);
        goals.extend(conditions.wanted(event.comparison).map(|relation| (n_tries, event, relation)));
    }
    // What was rarely tried first: most comparisons cannot come out otherwise, whatever is tried.
    goals.sort_by_key(|(n_tries, ..)| *n_tries);
    let mut aimed: Vec<Body> = Vec::new();
    for (_, event, relation) in goals {
        if aimed.len() >= MAX_AIMED {
            break;
        }
        let mut changes: Vec<Vec<(usize, Vec<u8>)>> = Vec::new();
        numbers::changes(body, event, relation, &others, &mut changes);
        texts::changes(body, event.comparison, relation, literals, &mut changes);
        let changes = distinct(body, changes);
        conditions.try_for(event.comparison, changes.len());
        aimed.extend(changes.iter().map(|change| with_literals(body, change)));
    }
    aimed
}

/// The first few that change anything, each once.
fn distinct(body: &Body, changes: Vec<Vec<(usize, Vec<u8>)>>) -> Vec<Vec<(usize, Vec<u8>)>> {
    let mut distinct: Vec<Vec<(usize, Vec<u8>)>> = Vec::new();
    for change in changes {
        let is_change = change.iter().any(|(index, data)| body.data_of(&body.statements[*index]) != data);
        if distinct.len() < MAX_PER_GOAL && is_change && !distinct.contains(&change) {
            distinct.push(change);
        }
    }
    distinct
}

/// A comparison of one run, and how often its place had been met before.
#[derive(Clone, Copy, Debug)]
struct Failure<'a> {
    comparison: &'a Comparison,
    nth: u32,
}

impl Failure<'_> {
    /// The same for the same comparison in another run.
    fn key(&self) -> (u64, u32) {
        (comparisons::key_of(self.comparison), self.nth)
    }
}

fn numbered(comparisons: &[Comparison]) -> Vec<Failure<'_>> {
    let mut met = std::collections::BTreeMap::new();
    comparisons
        .iter()
        .map(|comparison| {
            let n = met.entry(comparisons::key_of(comparison)).or_insert(0);
            *n += 1;
            Failure { comparison, nth: *n }
        })
        .collect()
}

/// The operands of a comparison of numbers, in so many bytes.
fn number_operands(comparison: &Comparison) -> Option<(u8, u64, u64)> {
    match comparison.operands {
        Operands::Numbers { n_bytes, a, b } => Some((n_bytes, a, b)),
        Operands::Case { n_bytes, value, case } => Some((n_bytes, value, case)),
        Operands::Bytes { .. } => None,
    }
}

/// The body with the data of some literals replaced; their kinds stay.
pub(crate) fn with_literals(body: &Body, changes: &[(usize, Vec<u8>)]) -> Body {
    let mut changed = Body::default();
    for (index, statement) in body.statements.iter().enumerate() {
        let new = changes.iter().find(|(at, _)| *at == index).map(|(_, data)| data);
        match (new, LiteralKind::from_code(statement.op)) {
            (Some(data), Some(kind)) if statement.kind == StatementKind::Literal => {
                changed.push_literal_data(kind, data);
            }
            _ => {
                changed.push_copy(body, index, body.args_of(statement));
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests;
