//! The full check of a program: types, liveness, loans.
//!
//! Programs are built to obey these rules; the check is the independent witness, run on every built program in debug
//! builds and by tests. What passes here and is refused by rustc is a bug in these rules.

use std::fmt;

use provoke_wire::{Arg, Body, Literal, LiteralKind, Mode, Program, Shape, Statement, StatementKind};

use crate::api::abilities::{is_copy, needs_drop};
use crate::api::{Api, Op};
use crate::program::loans::Loans;

/// Which rule a program breaks, and with which slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    UnknownOperation(u32),
    UnknownType(u32),
    WrongNumberOfArguments {
        expected: usize,
    },
    /// A slot of this type cannot be passed that way to that parameter.
    WrongType {
        arg: usize,
    },
    /// Moved, dropped, not filled yet, or never filled.
    DeadSlot {
        slot: u32,
    },
    /// `borrower` should have been dropped before `slot` was used like this.
    StillBorrowed {
        slot: u32,
        borrower: u32,
    },
    /// Two values that borrow from each other bar this use for ever.
    BorrowedForEver {
        slot: u32,
    },
    ArgumentsConflict,
    /// Something borrowed goes where `'static` is asked for.
    NotStatic {
        arg: usize,
    },
    /// A value whose drop runs code would outlive what it borrows from.
    OwnerDiesFirst,
    DropMustMove,
    BadLiteral,
    UnknownBody(u32),
    WrongNumberOfCaptures {
        expected: u32,
    },
    MainHasInputs,
    /// What a callback returns must be moved or copied out, and must not borrow from the callback's own slots.
    ResultBorrows {
        slot: u32,
    },
    ObserveFromOutOfRange,
}

/// The first statement that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckError {
    /// Statement indices from the main body inwards; what is wrong with a body as a whole names the statement that holds it.
    pub at: Vec<usize>,
    pub rule: Rule,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.rule)?;
        for (depth, index) in self.at.iter().enumerate() {
            let place = if depth == 0 { "at statement" } else { "of the callback, at" };
            write!(f, " {place} {index}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CheckError {}

/// Checks a main body.
pub fn check(api: &Api, body: &Body) -> Result<(), CheckError> {
    if body.n_inputs() != 0 {
        return Err(CheckError { at: Vec::new(), rule: Rule::MainHasInputs });
    }
    Checker { api, body, loans: Loans::new(), types: Vec::new() }.run(&[])
}

/// Checks a whole program.
pub fn check_program(api: &Api, program: &Program) -> Result<(), CheckError> {
    check(api, &program.main)?;
    if program.observe_from as usize > program.main.statements.len() {
        return Err(CheckError { at: Vec::new(), rule: Rule::ObserveFromOutOfRange });
    }
    Ok(())
}

/// Whether a parameter of type `wanted` accepts a slot of type `given` used with `mode`.
pub fn accepts(api: &Api, wanted: u32, given: u32, mode: Mode) -> bool {
    let shape = |ty: u32| api.types.get(ty as usize).map(|info| &info.shape);
    match mode {
        Mode::Move => wanted == given,
        Mode::Copy => wanted == given && is_copy(api, given),
        Mode::Ref => shape(wanted) == Some(&Shape::Ref(given)),
        Mode::RefMut => shape(wanted) == Some(&Shape::RefMut(given)),
        Mode::Reborrow => match (shape(wanted), shape(given)) {
            (Some(Shape::Ref(inner)), Some(Shape::RefMut(lent))) => inner == lent,
            _ => false,
        },
        Mode::ReborrowMut => wanted == given && matches!(shape(given), Some(Shape::RefMut(_))),
    }
}

struct Checker<'a> {
    api: &'a Api,
    body: &'a Body,
    loans: Loans,
    /// The type of each slot; `None` where the program does not say (parameters of callbacks, callbacks themselves).
    types: Vec<Option<u32>>,
}

impl Checker<'_> {
    fn run(mut self, outer: &[usize]) -> Result<(), CheckError> {
        for slot in 0..self.body.n_inputs() {
            self.loans.literal(slot);
            if self.types.len() <= slot as usize {
                self.types.push(None);
            }
        }
        for (index, statement) in self.body.statements.iter().enumerate() {
            let here = |rule| {
                let mut at = outer.to_vec();
                at.push(index);
                CheckError { at, rule }
            };
            let slot = self.body.slot_of(index);
            let ty = match statement.kind {
                StatementKind::Call => self.call(statement, slot).map_err(here)?,
                StatementKind::Literal => self.literal(statement, slot).map_err(here)?,
                StatementKind::Drop => self.drop(statement).map_err(here)?,
                StatementKind::Callback => {
                    let nested = self.callback(statement, slot).map_err(here)?;
                    nested.run(&here(Rule::ArgumentsConflict).at)?;
                    None
                }
            };
            self.types.push(ty);
        }
        self.result().map_err(|rule| CheckError { at: outer.to_vec(), rule })
    }

    fn call(&mut self, statement: &Statement, slot: u32) -> Result<Option<u32>, Rule> {
        let api = self.api;
        let op = api.ops.get(statement.op as usize).ok_or(Rule::UnknownOperation(statement.op))?;
        let args = self.body.args_of(statement);
        if args.len() != op.args.len() {
            return Err(Rule::WrongNumberOfArguments { expected: op.args.len() });
        }
        self.uses(args)?;
        for (index, (&arg, &wanted)) in args.iter().zip(&op.args).enumerate() {
            if api.types.get(wanted as usize).is_none() {
                return Err(Rule::UnknownType(wanted));
            }
            let is_accepted =
                self.types[arg.slot() as usize].is_none_or(|given| accepts(api, wanted, given, arg.mode()));
            if !is_accepted {
                return Err(Rule::WrongType { arg: index });
            }
            if op.static_args.contains(&(index as u8)) && !self.is_static(arg) {
                return Err(Rule::NotStatic { arg: index });
            }
        }
        if self.inverts(op, args) {
            return Err(Rule::OwnerDiesFirst);
        }
        self.loans.call(op, args, slot);
        Ok(Some(op.result))
    }

    fn literal(&mut self, statement: &Statement, slot: u32) -> Result<Option<u32>, Rule> {
        let kind = LiteralKind::from_code(statement.op).ok_or(Rule::BadLiteral)?;
        Literal::from_data(kind, self.body.data_of(statement)).ok_or(Rule::BadLiteral)?;
        self.loans.literal(slot);
        // Where no type of the API is made by this kind, the slot still counts as something of a type of its own.
        let ty = self.api.types.iter().position(|info| info.literal == Some(statement.op));
        Ok(Some(ty.map_or(u32::MAX, |ty| ty as u32)))
    }

    fn drop(&mut self, statement: &Statement) -> Result<Option<u32>, Rule> {
        let &[arg] = self.body.args_of(statement) else {
            return Err(Rule::WrongNumberOfArguments { expected: 1 });
        };
        if arg.mode() != Mode::Move {
            return Err(Rule::DropMustMove);
        }
        self.uses(&[arg])?;
        self.loans.end(arg.slot());
        Ok(None)
    }

    fn callback(&mut self, statement: &Statement, slot: u32) -> Result<Self, Rule> {
        let nested = self.body.bodies.get(statement.op as usize).ok_or(Rule::UnknownBody(statement.op))?;
        let captures = self.body.args_of(statement);
        if captures.len() != nested.n_captures as usize {
            return Err(Rule::WrongNumberOfCaptures { expected: nested.n_captures });
        }
        self.uses(captures)?;
        let mut types = vec![None; nested.n_params as usize];
        types.extend(captures.iter().map(|arg| self.captured_type(*arg)));
        self.loans.callback(captures, slot);
        Ok(Checker { api: self.api, body: nested, loans: Loans::new(), types })
    }

    /// The type of a captured value as the callback sees it, where the API has it.
    fn captured_type(&self, arg: Arg) -> Option<u32> {
        let given = self.types[arg.slot() as usize]?;
        let shape = match arg.mode() {
            Mode::Move | Mode::Copy | Mode::ReborrowMut => return Some(given),
            Mode::Ref => Shape::Ref(given),
            Mode::RefMut => Shape::RefMut(given),
            Mode::Reborrow => match self.api.types.get(given as usize)?.shape {
                Shape::RefMut(inner) => Shape::Ref(inner),
                _ => return None,
            },
        };
        let ty = self.api.types.iter().position(|info| info.shape == shape)?;
        Some(ty as u32)
    }

    fn uses(&self, args: &[Arg]) -> Result<(), Rule> {
        for arg in args {
            let (slot, mode) = (arg.slot(), arg.mode());
            if !self.loans.is_live(slot) {
                return Err(Rule::DeadSlot { slot });
            }
            if !self.loans.can_use(slot, mode) {
                return Err(Rule::BorrowedForEver { slot });
            }
        }
        if !self.loans.args_are_compatible(args) {
            return Err(Rule::ArgumentsConflict);
        }
        let mut borrowers = Vec::new();
        for arg in args {
            self.loans.conflicts(arg.slot(), arg.mode(), &mut borrowers);
            if let Some(&borrower) = borrowers.first() {
                return Err(Rule::StillBorrowed { slot: arg.slot(), borrower });
            }
        }
        Ok(())
    }

    fn is_static(&self, arg: Arg) -> bool {
        matches!(arg.mode(), Mode::Move | Mode::Copy) && !self.loans.borrows(arg.slot())
    }

    fn inverts(&mut self, op: &Op, args: &[Arg]) -> bool {
        let (api, types) = (self.api, &self.types);
        self.loans.inverts(op, args, |slot| types[slot as usize].is_none_or(|ty| needs_drop(api, ty)))
    }

    fn result(&self) -> Result<(), Rule> {
        let Some(arg) = self.body.result else {
            return Ok(());
        };
        let slot = arg.slot();
        self.uses(&[arg])?;
        if self.is_static(arg) { Ok(()) } else { Err(Rule::ResultBorrows { slot }) }
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
