//! A program built again from another one, with some statements left out or replaced.
//!
//! What depends on a statement that is gone goes too. Drops are not copied blindly: the new program is walked with its
//! own loans, and what stands in the way of a statement is dropped before it, so the result obeys the borrow rules.

use std::rc::Rc;

use provoke_wire::{Arg, Body, Literal, Statement, StatementKind};

use crate::api::Api;
use crate::api::abilities::needs_drop;
use crate::program::loans::Loans;

/// What becomes of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementFate {
    Keep,
    Remove,
    /// Its slot is replaced by an earlier one of the same type.
    UseInstead(u32),
    BecomeLiteral(Literal),
    /// Other statements make a value of the same type in its place.
    BecomeOf(Rc<Making>),
    /// Other statements change the value in this earlier slot in its place; nobody gets its own value any more.
    ChangeBy(u32, Rc<Changing>),
}

/// Statements that stand on their own, and which of their slots they are there for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Making {
    pub body: Body,
    pub slot: u32,
}

/// Statements that change a value which is there. The first of them only stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changing {
    pub body: Body,
}

/// A body that was built again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebuilt {
    pub body: Body,
    /// By statement of the old body: the slot that holds its value now.
    pub new_slots: Vec<Option<u32>>,
}

/// Builds a main body again. `None` if the statement `required` would be lost; others may make its value.
pub fn rebuild(api: &Api, body: &Body, required: usize, fate_of: impl Fn(usize) -> StatementFate) -> Option<Body> {
    rebuild_with_slots(api, body, required, fate_of).map(|rebuilt| rebuilt.body)
}

/// Like [`rebuild`], and says where everything went.
pub fn rebuild_with_slots(
    api: &Api,
    body: &Body,
    required: usize,
    fate_of: impl Fn(usize) -> StatementFate,
) -> Option<Rebuilt> {
    let mut rebuilder =
        Rebuilder { api, out: Body::default(), loans: Loans::new(), types: Vec::new(), blockers: Vec::new() };
    let mut new_slots = Vec::with_capacity(body.statements.len());
    for (index, statement) in body.statements.iter().enumerate() {
        let fate = match fate_of(index) {
            fate @ StatementFate::BecomeOf(_) => fate,
            _ if index == required => StatementFate::Keep,
            fate => fate,
        };
        let new_slot = match fate {
            StatementFate::Remove => None,
            StatementFate::UseInstead(slot) => new_slots[slot as usize],
            StatementFate::BecomeLiteral(literal) => {
                let slot = rebuilder.out.push_literal(&literal);
                rebuilder.loans.literal(slot);
                rebuilder.types.push(slot_type(api, statement));
                Some(slot)
            }
            StatementFate::BecomeOf(making) => rebuilder.graft(&making),
            StatementFate::ChangeBy(slot, changing) => {
                if let Some(slot) = new_slots[slot as usize] {
                    rebuilder.change(slot, &changing);
                }
                None
            }
            // The drop of a slot that others now use in its place would take it away from them.
            StatementFate::Keep if is_drop_of_replaced(body, statement, &fate_of) && index != required => None,
            StatementFate::Keep => {
                let copied = rebuilder.copy(body, index, &new_slots);
                if copied.is_none() && index == required {
                    return None;
                }
                copied
            }
        };
        new_slots.push(new_slot);
    }
    Some(Rebuilt { body: rebuilder.out, new_slots })
}

/// Appends an explicit drop of a slot, and before it the drops that it needs. `None` if the slot is not there any more.
pub fn with_final_drop(api: &Api, body: &Body, slot: u32) -> Option<Body> {
    let mut extended = body.clone();
    extended.push_drop(slot);
    let last = extended.statements.len() - 1;
    rebuild(api, &extended, last, |_| StatementFate::Keep)
}

/// The type of the value that a statement makes, where the program tells.
pub fn slot_type(api: &Api, statement: &Statement) -> Option<u32> {
    match statement.kind {
        StatementKind::Call => Some(api.ops.get(statement.op as usize)?.result),
        StatementKind::Literal => {
            let is_made = |info: &provoke_wire::TypeInfo| info.literal == Some(statement.op);
            Some(api.types.iter().position(is_made)? as u32)
        }
        StatementKind::Drop | StatementKind::Callback => None,
    }
}

fn is_drop_of_replaced(body: &Body, statement: &Statement, fate_of: impl Fn(usize) -> StatementFate) -> bool {
    statement.kind == StatementKind::Drop
        && body
            .args_of(statement)
            .iter()
            .any(|arg| matches!(fate_of(arg.slot() as usize), StatementFate::UseInstead(_)))
}

struct Rebuilder<'a> {
    api: &'a Api,
    out: Body,
    loans: Loans,
    types: Vec<Option<u32>>,
    blockers: Vec<u32>,
}

impl Rebuilder<'_> {
    /// Appends statements that stand on their own; `None` if they do not make their value here.
    fn graft(&mut self, making: &Making) -> Option<u32> {
        let mut new_slots = Vec::with_capacity(making.body.statements.len());
        for index in 0..making.body.statements.len() {
            let copied = self.copy(&making.body, index, &new_slots);
            new_slots.push(copied);
        }
        new_slots[making.slot as usize].filter(|&slot| self.loans.is_live(slot))
    }

    /// Appends statements that change the value in a slot, as far as they can be.
    fn change(&mut self, slot: u32, changing: &Changing) {
        let mut new_slots = vec![Some(slot)];
        for index in 1..changing.body.statements.len() {
            let copied = self.copy(&changing.body, index, &new_slots);
            new_slots.push(copied);
        }
    }

    /// Copies a statement with its arguments renumbered; `None` if that is not possible any more.
    fn copy(&mut self, body: &Body, index: usize, new_slots: &[Option<u32>]) -> Option<u32> {
        let statement = &body.statements[index];
        let args = self.renumbered(body.args_of(statement), new_slots)?;
        let op = match statement.kind {
            StatementKind::Call => Some(self.api.ops.get(statement.op as usize)?),
            _ => None,
        };
        if let Some(op) = op {
            let is_static = |&at: &u8| !self.loans.borrows(args[usize::from(at)].slot());
            if !op.static_args.iter().all(is_static) {
                return None;
            }
            let (api, types) = (self.api, &self.types);
            let runs_code = |slot: u32| types[slot as usize].is_none_or(|ty| needs_drop(api, ty));
            if self.loans.inverts(op, &args, runs_code) {
                return None;
            }
        }
        self.clear_the_way(&args);
        let slot = self.out.push_copy(body, index, &args);
        self.types.push(slot_type(self.api, statement));
        match (statement.kind, op) {
            (StatementKind::Call, Some(op)) => self.loans.call(op, &args, slot),
            (StatementKind::Drop, _) => self.loans.end(args[0].slot()),
            (StatementKind::Callback, _) => self.loans.callback(&args, slot),
            _ => self.loans.literal(slot),
        }
        Some(slot)
    }

    fn renumbered(&self, args: &[Arg], new_slots: &[Option<u32>]) -> Option<Vec<Arg>> {
        let mut renumbered = Vec::with_capacity(args.len());
        for arg in args {
            let slot = new_slots[arg.slot() as usize]?;
            if !self.loans.can_use(slot, arg.mode()) {
                return None;
            }
            renumbered.push(Arg::new(slot, arg.mode()));
        }
        self.loans.args_are_compatible(&renumbered).then_some(renumbered)
    }

    fn clear_the_way(&mut self, args: &[Arg]) {
        let mut blockers = std::mem::take(&mut self.blockers);
        blockers.clear();
        for arg in args {
            self.loans.conflicts(arg.slot(), arg.mode(), &mut blockers);
        }
        for &blocker in &blockers {
            self.out.push_drop(blocker);
            self.types.push(None);
            self.loans.end(blocker);
        }
        self.blockers = blockers;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::check::check;
    use crate::test_support::sample;

    fn rebuilt(text: &str, required: usize, fate_of: impl Fn(usize) -> StatementFate) -> Option<String> {
        let api = sample::api();
        let body = rebuild(&api, &sample::body(&api, text), required, fate_of)?;
        assert_eq!(check(&api, &body), Ok(()));
        Some(sample::print(&api, &body))
    }

    fn without(gone: usize) -> impl Fn(usize) -> StatementFate {
        move |index| {
            if index == gone { StatementFate::Remove } else { StatementFate::Keep }
        }
    }

    #[test]
    fn what_depends_on_a_removed_statement_goes_too() {
        let text = "x = make; r = lend &x; look r; y = make; take y";
        let left = rebuilt(text, 4, without(0));
        assert_eq!(left.as_deref(), Some("s0 = make\ns1 = take s0\n"));
        assert_eq!(rebuilt(text, 4, without(3)), None, "the required one would be lost");
    }

    #[test]
    fn another_call_changes_a_value_in_the_place_of_one() {
        let api = sample::api();
        let changing = Rc::new(Changing { body: sample::body(&api, "x = 0u8; y = make; touch_and_look &mut x &y") });
        let fate_of =
            |index| if index == 1 { StatementFate::ChangeBy(0, changing.clone()) } else { StatementFate::Keep };
        let left = rebuilt("x = make; touch &mut x; take x", 2, fate_of);
        assert_eq!(left.as_deref(), Some("s0 = make\ns1 = make\ns2 = touch_and_look &mut s0 &s1\ns3 = take s0\n"));
    }

    #[test]
    fn a_drop_that_is_still_needed_comes_back_right_before_its_reason() {
        let text = "x = make; r = lend &x; drop r; n = 7u8; number =n; touch &mut x";
        let left = rebuilt(text, 5, without(2)).unwrap();
        assert!(left.ends_with("drop s1\ns5 = touch &mut s0\n"), "{left}");
        let left = rebuilt(text, 5, without(1)).unwrap();
        assert!(!left.contains("drop"), "{left}");
    }

    #[test]
    fn a_slot_can_stand_in_for_a_later_one() {
        let text = "x = make; y = make; look &y; drop y; look &x";
        let fate = |index| {
            if index == 1 { StatementFate::UseInstead(0) } else { StatementFate::Keep }
        };
        let left = rebuilt(text, 4, fate);
        assert_eq!(left.as_deref(), Some("s0 = make\ns1 = look &s0\ns2 = look &s0\n"));
        // Moved once, it cannot be moved again.
        let left = rebuilt("x = make; y = make; take x; take y", 2, fate);
        assert_eq!(left.as_deref(), Some("s0 = make\ns1 = take s0\n"));
    }

    #[test]
    fn a_call_can_become_a_literal() {
        let text = "x = make; n = look &x; number n";
        let fate = |index| match index {
            0 => StatementFate::Remove,
            1 => StatementFate::BecomeLiteral(Literal::U8(0)),
            _ => StatementFate::Keep,
        };
        let left = rebuilt(text, 2, fate);
        assert_eq!(left.as_deref(), Some("s0 = U8(0)\ns1 = number s0\n"));
    }

    #[test]
    fn other_statements_can_make_the_value_of_one() {
        let api = sample::api();
        let making = Making { body: sample::body(&api, "x = make; n = look &x; drop x; y = make"), slot: 3 };
        let fate =
            |index| if index == 1 { StatementFate::BecomeOf(Rc::new(making.clone())) } else { StatementFate::Keep };
        let left = rebuilt("x = make; y = make; take2 x y", 2, fate);
        let expected = "s0 = make\ns1 = make\ns2 = look &s1\ndrop s1\ns4 = make\ns5 = take2 s0 s4\n";
        assert_eq!(left.as_deref(), Some(expected));
        // What they make is gone in the end.
        let gone = Making { slot: 0, ..making };
        let fate =
            |index| if index == 1 { StatementFate::BecomeOf(Rc::new(gone.clone())) } else { StatementFate::Keep };
        assert_eq!(rebuilt("x = make; y = make; take2 x y", 2, fate), None);
    }

    #[test]
    fn a_final_drop_drops_borrowers_first() {
        let api = sample::api();
        let body = sample::body(&api, "x = make; r = lend &x");
        let body = with_final_drop(&api, &body, 0).unwrap();
        assert!(sample::print(&api, &body).ends_with("drop s1\ndrop s0\n"));
        let moved = sample::body(&api, "x = make; take x");
        assert_eq!(with_final_drop(&api, &moved, 0), None);
    }
}
