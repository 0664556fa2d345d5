//! Questions without an answer, so that nobody looks for one again.
//!
//! The same bounds come up in function after function, and for each of them with other tastes. Most questions are answered within
//! a few dozen steps, and what is refuted is refuted as fast. What uses up its budget has impls that can be stacked on each other
//! for ever, as parser combinators have: those take nearly all of the time. Such a question is gone into once; with another taste
//! it gets a fraction of that.
//!
//! Decision: `docs/decisions/003-a-question-without-an-answer-is-asked-once.md`

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use provoke_model::Ty;

use crate::types::solve::{Goal, Solver, State, Trust};

/// Impls that one question may try, and projections that it may read.
pub(super) const MAX_STEPS: u32 = 3000;
/// The same where the question has used up its budget before, with another taste.
pub(super) const FEW_STEPS: u32 = 150;

/// What is asked, whatever is preferred.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    types: BTreeMap<Rc<str>, Rc<Ty>>,
    consts: BTreeMap<String, String>,
    goals: Vec<Rc<Goal>>,
}

#[derive(Default)]
struct Failed {
    /// For which tastes.
    tastes: Vec<(usize, Trust)>,
    /// One of them used up its budget.
    is_hard: bool,
}

#[derive(Default)]
pub struct Failures(RefCell<HashMap<Question, Failed>>);

impl Question {
    pub(super) fn of(state: &State) -> Question {
        let State { types, consts, goals, by_hand: _ } = state;
        Question { types: types.clone(), consts: consts.clone(), goals: goals.clone() }
    }
}

impl Failures {
    /// How many steps a question gets; nothing if it is known to have no answer.
    pub(super) fn budget(&self, question: &Question, solver: &Solver<'_>) -> Option<u32> {
        match self.0.borrow().get(question) {
            Some(failed) if failed.tastes.contains(&solver.taste()) => None,
            Some(Failed { is_hard: true, .. }) => Some(FEW_STEPS),
            _ => Some(MAX_STEPS),
        }
    }

    pub(super) fn add(&self, question: Question, solver: &Solver<'_>) {
        let mut known = self.0.borrow_mut();
        let failed = known.entry(question).or_default();
        failed.tastes.push(solver.taste());
        failed.is_hard |= solver.is_spent();
    }
}
