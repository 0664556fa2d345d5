//! Guards: what contracts demand of callers, asked before a call is made.
//!
//! A guard is a predicate over references to the arguments. Where it says no, the call is not made and the program ends: it would
//! be the program's own fault. Asking is code under test, too, and is kept apart from the call by its phase.
//!
//! Decision: `docs/decisions/064-preconditions-are-asked-before-the-call.md`

use std::panic::resume_unwind;

use provoke_wire::{Answer, Body, Mode, Phase, Refusal, Statement, Unmet, ValueIdentity};

use crate::run::frame::{Frame, place_of};
use crate::run::harness::Op;
use crate::run::machine::Machine;
use crate::run::signature::{MAX_ARGS, Thunk};

#[derive(Clone, Copy)]
pub(crate) struct Guard {
    pub function: *const (),
    pub thunk: Thunk,
}

/// Unwinds unless all guards of the operation hold for these arguments.
///
/// # Safety
/// `machine` and `frame` are valid and not borrowed, and the statement is a call of the operation with as many arguments as it has.
#[cold]
pub(crate) unsafe fn check(machine: *mut Machine, frame: *mut Frame, body: &Body, statement: &Statement, op: Op) {
    unsafe {
        // What a reference to each argument points to; where the argument is made for the call, that is a word of its own.
        let mut words = [std::ptr::null_mut::<u8>(); MAX_ARGS];
        let mut values = [std::ptr::null_mut::<u8>(); MAX_ARGS];
        let mut pointers = [std::ptr::null_mut::<u8>(); MAX_ARGS];
        for (index, &arg) in body.args_of(statement).iter().enumerate() {
            let wanted = (&(*machine).harness.arg_types)[op.first_arg as usize + index];
            words[index] = place_of(machine, frame, arg, &wanted);
            values[index] = match arg.mode() {
                Mode::Ref | Mode::RefMut => (&raw mut words[index]).cast(),
                _ => words[index],
            };
            pointers[index] = (&raw mut values[index]).cast();
        }
        let is_asked_twice = (*machine).options.notion != ValueIdentity::None;
        let at = (*machine).statement;
        (*machine).page.start_statement(at, Phase::Check);
        for place in 0..op.n_guards {
            let guard = (&(*machine).harness.guards)[(op.first_guard + place) as usize];
            (*machine).outcome.unmet = Some(Unmet { statement: at, guard: place, answer: Answer::Nothing });
            let ask = || {
                let mut holds = false;
                (guard.thunk)(guard.function, pointers.as_ptr(), (&raw mut holds).cast());
                holds
            };
            let holds = ask();
            let answer = if is_asked_twice && ask() != holds { Answer::Unsteady } else { Answer::No };
            if !holds || answer == Answer::Unsteady {
                (*machine).outcome.unmet = Some(Unmet { statement: at, guard: place, answer });
                resume_unwind(Box::new(Refusal::Precondition));
            }
        }
        (*machine).outcome.unmet = None;
        (*machine).page.start_statement(at, Phase::Call);
    }
}

/// An argument that a predicate is to get, which has only a reference to it.
pub struct Lent<T: 'static>(pub &'static T);

/// What can be copied is passed as it is.
pub trait BindCopy<T> {
    fn bound(&self) -> T;
}

impl<T: Copy + 'static> BindCopy<T> for Lent<T> {
    fn bound(&self) -> T {
        *self.0
    }
}

/// Anything else is passed as a reference. One step further away than [`BindCopy`], so that the compiler prefers that.
pub trait BindReference<T: 'static> {
    fn bound(&self) -> &'static T;
}

impl<T: 'static> BindReference<T> for &Lent<T> {
    fn bound(&self) -> &'static T {
        self.0
    }
}

macro_rules! guards {
    ($($name:ident($($Arg:ident),*);)*) => {
        $(
            /// The predicate itself; what it gets is inferred from the function that it is about.
            pub fn $name<R, $($Arg: 'static),*>(
                _: fn($($Arg),*) -> R,
                guard: fn($(&'static $Arg),*) -> bool,
            ) -> fn($(&'static $Arg),*) -> bool {
                guard
            }
        )*
    };
}

guards! {
    guard_of_0();
    guard_of_1(A);
    guard_of_2(A, B);
    guard_of_3(A, B, C);
    guard_of_4(A, B, C, D);
    guard_of_5(A, B, C, D, E);
    guard_of_6(A, B, C, D, E, F);
    guard_of_7(A, B, C, D, E, F, G);
    guard_of_8(A, B, C, D, E, F, G, H);
    guard_of_9(A, B, C, D, E, F, G, H, I);
    guard_of_10(A, B, C, D, E, F, G, H, I, J);
    guard_of_11(A, B, C, D, E, F, G, H, I, J, K);
    guard_of_12(A, B, C, D, E, F, G, H, I, J, K, L);
}
