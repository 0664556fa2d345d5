//! Mutation: a legal program as another legal one, changed in a literal, an argument or a statement, or in a few of them.
//!
//! The program is walked once. What comes before the first change is taken over as it is; from there on every statement is
//! built again on the values that there are now, so that the rules hold by construction. What cannot be called any more
//! gets another argument or goes, and what depended on it with it.

use provoke_wire::{Arg, Body, Literal, LiteralKind, Mode, StatementKind};

use crate::api::Wants;
use crate::generate::builder::{Builder, MAX_ARGS, MAX_STATEMENTS, Material};
use crate::generate::cost_limits;
use crate::rng::Rng;

mod cross;
mod edit;
mod float;
mod literal;
mod number;
mod objects;
mod text;
mod vocabulary;

pub(crate) use cross::cross;
pub use edit::Edit;
use edit::{EditedLiteral, choose_edits};
use literal::{mutate_literal, mutate_modestly};
pub(crate) use number::Integer;
pub use objects::object_edits;
use vocabulary::Vocabulary;

/// Percent of programs in which a call whose argument is gone gets another one; in the others it goes, too.
const REPAIR_PERCENT: usize = 60;
/// Percent of changed arguments that are other values of the same program.
const ALIAS_PERCENT: usize = 50;
/// How often one that differs is looked for where it must be one of these.
const ALIAS_TRIES: usize = 6;
/// Percent of repetitions with the very same numbers and texts.
const EXACT_PERCENT: usize = 50;
/// How many calls are tried where one is to be inserted.
const INSERT_TRIES: usize = 4;
/// A call that exhausted memory or time is rarely made again more often than this.
const FEW_TIMES: usize = 4;

/// What mutations draw from.
pub struct Ingredients<'a> {
    pub material: &'a Material<'a>,
    /// Values that the target compared something with, in any kind that fits; may be empty.
    pub compared: &'a [Literal],
    /// Whether a call of the operation may be inserted.
    pub may_insert: &'a dyn Fn(u32) -> bool,
}

/// A changed program.
#[derive(Debug)]
pub struct Mutant<'a> {
    pub body: &'a Body,
    /// The first statement that differs: all before it are as they were.
    pub first_changed: u32,
}

/// Makes changed programs. Reused from program to program, so that nothing is allocated in the steady state.
#[derive(Default)]
pub struct Mutator {
    builder: Builder,
    edits: Vec<Edit>,
    /// By statement of the program that is changed: the slot that holds its value now.
    new_slots: Vec<Option<u32>>,
    /// Statements that wait, and for which ones.
    delayed: Vec<(usize, usize)>,
    /// By statement: whether the value of a literal goes in there.
    is_fed: Vec<bool>,
    data: Vec<u8>,
    scratch: Vec<u8>,
}

/// Which argument takes the place of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// Another value of the program, or a new one.
    Any,
    Present,
    Twin,
}

/// What is the same for all statements of one walk.
#[derive(Clone, Copy)]
struct Walk<'a> {
    from: &'a Ingredients<'a>,
    body: &'a Body,
    repairs: bool,
}

impl Mutator {
    /// A new batch of programs begins, which draws from other components.
    pub fn begin_batch(&mut self) {
        self.builder.begin_batch();
    }

    /// A legal program that differs from a legal main body, or `None` where nothing came of it.
    pub fn mutate(&mut self, from: &Ingredients<'_>, body: &Body, rng: &mut Rng) -> Option<Mutant<'_>> {
        debug_assert_eq!(body.n_inputs(), 0);
        if body.is_empty() {
            return None;
        }
        choose_edits(body, rng, &mut self.edits);
        self.apply(Walk { from, body, repairs: rng.percent(REPAIR_PERCENT) }, rng);
        self.mutant_of(body)
    }

    /// What was made last.
    pub fn body(&self) -> &Body {
        &self.builder.body
    }

    fn mutant_of(&self, body: &Body) -> Option<Mutant<'_>> {
        let changed = &self.builder.body;
        let first_changed = first_difference(body, changed)?;
        let has_call = changed.statements.iter().any(|statement| statement.kind == StatementKind::Call);
        has_call.then_some(Mutant { body: changed, first_changed })
    }

    fn apply(&mut self, walk: Walk<'_>, rng: &mut Rng) {
        let n_statements = walk.body.statements.len();
        let first = self.edits.first().map_or(n_statements, |edit| edit.at);
        self.builder.start_with(walk.from.material, walk.body, first);
        self.new_slots.clear();
        self.new_slots.extend((0..first as u32).map(Some));
        self.new_slots.resize(n_statements, None);
        self.delayed.clear();
        let mut next_edit = 0;
        for at in first..=n_statements {
            if self.builder.body.statements.len() >= MAX_STATEMENTS {
                break;
            }
            while let Some(place) = self.delayed.iter().position(|&(_, until)| until == at) {
                let (index, _) = self.delayed.remove(place);
                self.new_slots[index] = self.copy(walk, index, None, rng);
            }
            let mut is_left_out = at == n_statements;
            let mut is_literal_changed = false;
            let mut other_argument = None;
            let mut n_repeated = 0;
            while let Some(&Edit { change, .. }) = self.edits.get(next_edit).filter(|edit| edit.at == at) {
                next_edit += 1;
                match change {
                    EditedLiteral::Literal => is_literal_changed = true,
                    EditedLiteral::Argument(nth) => other_argument = Some((nth, Other::Any)),
                    EditedLiteral::Alias(nth) => other_argument = Some((nth, Other::Present)),
                    EditedLiteral::Twin(nth) => other_argument = Some((nth, Other::Twin)),
                    EditedLiteral::Insert => self.insert(walk, rng),
                    EditedLiteral::Remove => is_left_out = true,
                    EditedLiteral::Repeat(n_times) => n_repeated = n_times,
                    EditedLiteral::Delay(until) => {
                        is_left_out = true;
                        self.delayed.push((at, until));
                    }
                }
            }
            if is_left_out {
                continue;
            }
            let slot = if is_literal_changed {
                self.change_literal(walk, at, rng)
            } else {
                self.copy(walk, at, other_argument, rng)
            };
            self.new_slots[at] = slot;
            if let Some(slot) = slot {
                self.repeat(walk, slot, n_repeated, rng);
            }
        }
    }

    /// A statement on the values that there are now; `None` if it went.
    fn copy(
        &mut self,
        walk: Walk<'_>,
        index: usize,
        other_argument: Option<(usize, Other)>,
        rng: &mut Rng,
    ) -> Option<u32> {
        let Walk { from: Ingredients { material, .. }, body, repairs } = walk;
        let statement = body.statements[index];
        let new_slots = &self.new_slots;
        let renumbered = |arg: &Arg| renumber(new_slots, arg);
        let args = body.args_of(&statement);
        match statement.kind {
            StatementKind::Literal => {
                let kind = LiteralKind::from_code(statement.op)?;
                Some(self.builder.copy_literal(material, kind, body.data_of(&statement)))
            }
            StatementKind::Drop => {
                self.builder.copy_drop(renumbered(args.first()?)?.slot());
                None
            }
            StatementKind::Callback => {
                let captures: Option<Vec<Arg>> = args.iter().map(renumbered).collect();
                self.builder.copy_callback(body, index, &captures?)
            }
            StatementKind::Call => {
                if let Some((nth, other)) = other_argument
                    && let Some(slot) = self.call_with_other_argument(walk, index, nth, other, rng)
                {
                    return Some(slot);
                }
                let new_slots = &self.new_slots;
                let renumbered = |arg: &Arg| renumber(new_slots, arg);
                self.builder.call_with(material, statement.op, args.iter().map(renumbered), repairs, rng)
            }
        }
    }

    fn change_literal(&mut self, walk: Walk<'_>, index: usize, rng: &mut Rng) -> Option<u32> {
        let Walk { from: Ingredients { material, compared, .. }, body, .. } = walk;
        let statement = body.statements[index];
        let kind = LiteralKind::from_code(statement.op)?;
        let vocabulary = Vocabulary { body, literals: material.literals, compared };
        let mutate = match cost_limits::is_due(self.worst_user(walk, index), rng) {
            true => mutate_modestly,
            false => mutate_literal,
        };
        mutate(kind, body.data_of(&statement), &vocabulary, &mut self.scratch, rng, &mut self.data);
        Some(self.builder.copy_literal(material, kind, &self.data))
    }

    /// How much caution is needed for the calls that the value of a statement goes into, by itself or in what is made from it or
    /// may have been changed by it.
    fn worst_user(&mut self, walk: Walk<'_>, index: usize) -> u32 {
        let body = walk.body;
        let cost_limits = walk.from.material.cost_limits;
        self.is_fed.clear();
        self.is_fed.resize(body.statements.len(), false);
        self.is_fed[index] = true;
        let mut worst = 0;
        for (at, statement) in body.statements.iter().enumerate().skip(index + 1) {
            let args = body.args_of(statement);
            if args.iter().any(|arg| self.is_fed[arg.slot() as usize]) {
                self.is_fed[at] = true;
                for arg in args.iter().filter(|arg| arg.mode().is_exclusive()) {
                    self.is_fed[arg.slot() as usize] = true;
                }
                if statement.kind == StatementKind::Call {
                    worst = worst.max(cost_limits.level(statement.op));
                }
            }
        }
        worst
    }

    /// A call of something that takes one of the latest values.
    fn insert(&mut self, walk: Walk<'_>, rng: &mut Rng) {
        let Ingredients { material, may_insert, .. } = *walk.from;
        for _ in 0..INSERT_TRIES {
            let Some((_, ty)) = self.builder.lively(material, rng) else { return };
            let Some(&op) = rng.pick(material.graph.users(ty)) else { continue };
            // What takes an `Option` apart would end the program too often.
            let is_welcome = material.api.ops[op as usize].wants() == Wants::Any && may_insert(op);
            if is_welcome && self.builder.call(material, op, rng).is_some() {
                return;
            }
        }
    }

    fn repeat(&mut self, walk: Walk<'_>, slot: u32, n_times: usize, rng: &mut Rng) {
        if n_times == 0 {
            return;
        }
        let material = walk.from.material;
        let op = self.builder.body.statements[slot as usize].op;
        let is_cautious = material.cost_limits.is_due(op, rng);
        let is_exact = rng.percent(EXACT_PERCENT);
        for _ in 0..if is_cautious { n_times.min(FEW_TIMES) } else { n_times } {
            let is_done = self.call_again(material, slot, is_exact, rng).is_none();
            if is_done || self.builder.body.statements.len() >= MAX_STATEMENTS {
                break;
            }
        }
    }

    /// What was lent is lent again, what was handed over is made anew, and so is what was copied unless it is to be the same.
    fn call_again(&mut self, material: &Material<'_>, slot: u32, is_exact: bool, rng: &mut Rng) -> Option<u32> {
        let statement = self.builder.body.statements[slot as usize];
        let is_kept = |arg: &Arg| match arg.mode() {
            Mode::Move => false,
            Mode::Copy => is_exact,
            Mode::Ref | Mode::RefMut | Mode::Reborrow | Mode::ReborrowMut => true,
        };
        let args: [Option<Arg>; MAX_ARGS] = {
            let args = self.builder.body.args_of(&statement);
            std::array::from_fn(|index| args.get(index).copied().filter(is_kept))
        };
        let args = args.get(..statement.n_args as usize)?;
        self.builder.call_with(&material.for_repetition(), statement.op, args.iter().copied(), true, rng)
    }

    /// A call with one argument swapped.
    fn call_with_other_argument(
        &mut self,
        walk: Walk<'_>,
        index: usize,
        nth: usize,
        other: Other,
        rng: &mut Rng,
    ) -> Option<u32> {
        let material = walk.from.material;
        let statement = walk.body.statements[index];
        let args = walk.body.args_of(&statement);
        let new_slots = &self.new_slots;
        let renumbered = |arg: &Arg| renumber(new_slots, arg);
        let before: [Arg; MAX_ARGS] =
            std::array::from_fn(|at| args.get(at).and_then(renumbered).unwrap_or(Arg::new(0, Mode::Copy)));
        // What stands before it must be there: the new argument has to get along with it.
        let taken = before.get(..nth).filter(|_| args[..nth].iter().all(|arg| renumbered(arg).is_some()))?;
        // A number that is there may be far too large for a call that exhausts memory.
        let is_number = material.graph.literal(material.api.ops[statement.op as usize].args[nth]).is_some();
        let is_risky = is_number && material.cost_limits.level(statement.op) > 0;
        let n_tries = match other {
            Other::Any => usize::from(!is_risky && rng.percent(ALIAS_PERCENT)),
            Other::Present if !is_risky => ALIAS_TRIES,
            Other::Present | Other::Twin => 0,
        };
        let old_slot = self.new_slots[args[nth].slot() as usize];
        let present = (0..n_tries).find_map(|_| {
            let arg = self.builder.present_argument(material, statement.op, nth, taken, rng)?;
            (other == Other::Any || Some(arg.slot()) != old_slot).then_some(arg)
        });
        let other = match (present, other) {
            (Some(arg), _) => arg,
            (None, Other::Any) => self.builder.another_argument(material, statement.op, nth, taken, rng)?,
            (None, Other::Present) => return None,
            (None, Other::Twin) => Arg::new(self.twin(walk, args[nth].slot(), index, rng)?, args[nth].mode()),
        };
        let new_slots = &self.new_slots;
        let renumbered = |arg: &Arg| renumber(new_slots, arg);
        let wishes = args.iter().enumerate().map(|(at, arg)| if at == nth { Some(other) } else { renumbered(arg) });
        self.builder.call_with(material, statement.op, wishes, false, rng)
    }
}

/// The argument as it is called now; `None` if it went.
fn renumber(new_slots: &[Option<u32>], arg: &Arg) -> Option<Arg> {
    Some(Arg::new(new_slots[arg.slot() as usize]?, arg.mode()))
}

/// The first statement in which two bodies differ; `None` if they are the same.
fn first_difference(old: &Body, new: &Body) -> Option<u32> {
    let is_same = |at: usize| {
        let (a, b) = (&old.statements[at], &new.statements[at]);
        a.kind == b.kind && a.op == b.op && old.args_of(a) == new.args_of(b) && old.data_of(a) == new.data_of(b)
    };
    let n_common = old.statements.len().min(new.statements.len());
    let first = (0..n_common).find(|&at| !is_same(at));
    let is_longer = old.statements.len() != new.statements.len();
    first.or(is_longer.then_some(n_common)).map(|at| at as u32)
}

#[cfg(test)]
mod tests;
