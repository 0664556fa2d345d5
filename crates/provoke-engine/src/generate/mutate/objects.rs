//! Which object is passed: every way to pass another one in one place of a program.
//!
//! Conditions of a container are about its objects, not about literals: whether two arguments are one object or two that are equal,
//! and how much is in them.

use provoke_wire::{Arg, Body, Mode, Statement, StatementKind};

use super::edit::{Edit, EditedLiteral};
use super::{Ingredients, Mutant, Mutator, Walk};
use crate::rng::Rng;

/// How often a call is repeated that may make a container longer.
const REPETITIONS: [usize; 3] = [1, 4, 24];
/// How deep an object is made again from what was handed over to it.
const TWIN_DEPTH: u32 = 3;

/// The changes, those of the last calls first: they are about what is new.
pub fn object_edits(body: &Body) -> impl Iterator<Item = Edit> {
    let is_literal = |arg: &Arg| body.statements[arg.slot() as usize].kind == StatementKind::Literal;
    let calls = body.statements.iter().enumerate().rev().filter(|(_, s)| s.kind == StatementKind::Call);
    calls.flat_map(move |(at, statement)| {
        let args = body.args_of(statement);
        let objects = args.iter().enumerate().filter(move |(_, arg)| !is_literal(arg));
        let others = objects.flat_map(|(nth, _)| [EditedLiteral::Alias(nth), EditedLiteral::Twin(nth)]);
        let repeated =
            args.iter().any(|arg| arg.mode().is_exclusive()).then_some(REPETITIONS.map(EditedLiteral::Repeat));
        others.chain(repeated.into_iter().flatten()).map(move |change| Edit { at, change })
    })
}

impl Mutator {
    /// A legal program with one change, or `None` where nothing came of it.
    pub fn with_edit(&mut self, from: &Ingredients<'_>, body: &Body, edit: Edit, rng: &mut Rng) -> Option<Mutant<'_>> {
        self.edits.clear();
        self.edits.push(edit);
        self.apply(Walk { from, body, repairs: false }, rng);
        self.mutant_of(body)
    }

    /// An object like the one that a statement made, as it was before another statement: made in the same way, and then
    /// changed in the same way. Its slot.
    pub(super) fn twin(&mut self, walk: Walk<'_>, slot: u32, before: usize, rng: &mut Rng) -> Option<u32> {
        self.twin_up_to(walk, slot, before, TWIN_DEPTH, rng)
    }

    fn twin_up_to(&mut self, walk: Walk<'_>, slot: u32, before: usize, depth: u32, rng: &mut Rng) -> Option<u32> {
        let depth = depth.checked_sub(1)?;
        let body = walk.body;
        let maker = body.statements[slot as usize];
        if maker.kind != StatementKind::Call {
            return self.copy(walk, slot as usize, None, rng);
        }
        let twin = self.call_for_twin(walk, slot as usize, None, depth, rng)?;
        for at in slot as usize + 1..before {
            let statement = body.statements[at];
            let changes_it = body.args_of(&statement).iter().any(|arg| arg.slot() == slot && arg.mode().is_exclusive());
            if statement.kind == StatementKind::Call && changes_it {
                self.call_for_twin(walk, at, Some((slot, twin)), depth, rng)?;
            }
        }
        Some(twin)
    }

    /// The same call, with the twin in place of the one, and with twins of all that was handed over.
    fn call_for_twin(
        &mut self,
        walk: Walk<'_>,
        at: usize,
        twins: Option<(u32, u32)>,
        depth: u32,
        rng: &mut Rng,
    ) -> Option<u32> {
        let Statement { op, .. } = walk.body.statements[at];
        let mut wishes = Vec::new();
        for arg in walk.body.args_of(&walk.body.statements[at]) {
            let slot = match twins {
                Some((one, twin)) if arg.slot() == one => twin,
                _ if arg.mode() == Mode::Move => self.twin_up_to(walk, arg.slot(), at, depth, rng)?,
                _ => self.new_slots[arg.slot() as usize]?,
            };
            wishes.push(Some(Arg::new(slot, arg.mode())));
        }
        self.builder.call_with(walk.from.material, op, wishes.into_iter(), false, rng)
    }
}
