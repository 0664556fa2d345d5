//! Callbacks: nested bodies as values that code under test can call.
//!
//! A callback belongs to the slot of the statement that made it. Captured values live with it: they are dropped when that slot
//! is dropped or its frame ends, in the order in which they were captured, however often the handle was copied in between.

use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};

use provoke_wire::{Body, Phase, Refusal};

use crate::env::panics;
use crate::env::panics::Payload;
use crate::measure::allocator;
use crate::run::frame::{Frame, Slot, State};
use crate::run::harness::ArgType;
use crate::run::machine::Machine;
use crate::run::type_spec::TypeSpec;
use crate::run::{frame, machine};

/// Calls of callbacks in one program; more are refused, since a body may call itself for ever.
const CALL_BUDGET: u32 = 1000;

/// The value of a callback statement: a handle that operations wrap in a closure, `move |a| cb.call((a,))`.
#[derive(Clone, Copy)]
pub struct Cb {
    place: u32,
    /// Tells a callback from an earlier one in the same place.
    generation: u32,
}

impl std::fmt::Debug for Cb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Nothing that depends on what the worker ran before.
        f.write_str("Cb")
    }
}

/// A callback that was made and whose frame has not ended.
pub(crate) struct Callback {
    body: *const Body,
    /// The slot of the statement that made it, in its frame.
    slot: u32,
    generation: u32,
    first_capture: usize,
    is_alive: bool,
}

impl Cb {
    /// Runs the body. Unwinds if the body panics, or with a [`Refusal`] if it cannot be run.
    pub fn call<A: CallArgs, R>(self, args: A) -> R {
        let machine = machine::current();
        if machine.is_null() {
            panic_any(Refusal::ForeignThread);
        }
        let mut out = MaybeUninit::<R>::uninit();
        // The machine is valid on the thread of the program, and nobody borrows it while code under test runs.
        unsafe {
            if let Err(refusal) = check_call(machine, self) {
                panic_any(refusal);
            }
            let mark = (*machine).arena.mark();
            let body = (&(*machine).callbacks)[self.place as usize].body;
            let mut frame = Frame::new(machine, body, self.place);
            if (*body).n_params != A::COUNT {
                (*machine).give_up("a callback with a wrong number of parameters");
            }
            args.store(&mut |spec, value| {
                let address = (*machine).arena.reserve(spec.size, spec.align);
                address.copy_from_nonoverlapping(value, spec.size);
                let ty = (*machine).harness.types.place_at_run_time(spec);
                frame.push(Slot::new(address, ty, State::Owned));
            });
            let result = TypeSpec::of_borrowing::<R>();
            let ended = run(machine, &mut frame, &result, out.as_mut_ptr().cast());
            (*machine).arena.return_to(mark);
            match ended {
                Ok(()) => out.assume_init(),
                Err(payload) => resume_unwind(payload),
            }
        }
    }
}

/// Runs the body of a frame whose parameters are in place, cleans up, and leaves its result at `out`.
unsafe fn run(machine: *mut Machine, frame: *mut Frame, result: &TypeSpec, out: *mut u8) -> Result<(), Payload> {
    unsafe {
        let captures = capture_range(machine, (*frame).callback as usize);
        for place in captures {
            let captured = (&(*machine).captures)[place];
            let state = match captured.state {
                State::Lent => State::Lent,
                _ => State::Captured,
            };
            (*frame).push(Slot::new(captured.address, captured.ty, state));
        }
        let ended = catch_unwind(AssertUnwindSafe(|| {
            // Whoever called it is code under test, so that a panic has to unwind here.
            let _ = frame::run_statements::<false>(machine, frame);
            store_result(machine, frame, result, out);
        }));
        // The panic that ends the body is the one to report, whatever happens while its values are dropped.
        let mut ended = ended.map_err(|payload| ((*machine).sighting.take(), payload));
        let body_returned = ended.is_ok();
        frame::drop_rest::<false>(machine, frame, |_, payload| {
            let sighting = (*machine).sighting.take();
            if ended.is_ok() {
                ended = Err((sighting, payload));
            } else {
                let panic = panics::describe(sighting, payload, (*machine).statement, Phase::Cleanup);
                push_unattributed(&mut (*machine).outcome.panics, panic);
            }
        });
        ended.map_err(|(sighting, payload)| {
            if body_returned && let Some(drop) = result.drop {
                // Nobody will get the result. If dropping it panics too, the first panic still is the one that counts.
                if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(out))) {
                    panics::discard(second);
                }
            }
            (*machine).sighting = sighting;
            payload
        })
    }
}

/// Moves the result of a body to `out`, before the rest of its frame is dropped.
unsafe fn store_result(machine: *mut Machine, frame: *mut Frame, result: &TypeSpec, out: *mut u8) {
    unsafe {
        let Some(arg) = (*(*frame).body).result else {
            if result.size != 0 || result.drop.is_some() {
                (*machine).give_up("a callback without the result it owes");
            }
            return;
        };
        let types = &mut (*machine).harness.types;
        let ty = types.place_at_run_time(result);
        let found = types.get(ty);
        let wanted = ArgType {
            ty,
            shared_target: found.shared_target,
            exclusive_target: found.exclusive_target,
            is_copy: found.is_copy,
        };
        let mut word = std::ptr::null_mut();
        let value = frame::argument(machine, frame, arg, &wanted, &mut word);
        out.copy_from_nonoverlapping(value, result.size);
    }
}

unsafe fn check_call(machine: *mut Machine, cb: Cb) -> Result<(), Refusal> {
    unsafe {
        let callbacks = &(*machine).callbacks;
        let found = callbacks.get(cb.place as usize);
        if !found.is_some_and(|found| found.is_alive && found.generation == cb.generation) {
            return Err(Refusal::CallbackGone);
        }
        (*machine).n_callback_calls += 1;
        if (*machine).n_callback_calls > CALL_BUDGET {
            return Err(Refusal::CallbackBudget);
        }
        let captures = capture_range(machine, cb.place as usize);
        let is_whole = (&(*machine).captures)[captures].iter().all(|captured| captured.state != State::Moved);
        if is_whole { Ok(()) } else { Err(Refusal::CallbackConsumed) }
    }
}

/// Adds a callback made by the slot `slot` of the current frame; its captures were pushed just before.
pub(crate) unsafe fn register(machine: *mut Machine, body: &Body, slot: u32) -> Cb {
    unsafe {
        (*machine).generation = (*machine).generation.wrapping_add(1);
        let callback = Callback {
            body,
            slot,
            generation: (*machine).generation,
            first_capture: (*machine).captures.len() - body.n_captures as usize,
            is_alive: true,
        };
        push_unattributed(&mut (*machine).callbacks, callback);
        Cb { place: (*machine).callbacks.len() as u32 - 1, generation: (*machine).generation }
    }
}

unsafe fn capture_range(machine: *mut Machine, place: usize) -> std::ops::Range<usize> {
    unsafe {
        let callback = &(&(*machine).callbacks)[place];
        let n_captures = (*callback.body).n_captures as usize;
        callback.first_capture..callback.first_capture + n_captures
    }
}

/// The callback's own record of a captured slot of the running body.
unsafe fn record_of(machine: *mut Machine, frame: *mut Frame, slot: *mut Slot) -> *mut Slot {
    unsafe {
        let captures = capture_range(machine, (*frame).callback as usize);
        let index = slot.offset_from((*frame).slots) as usize - (*(*frame).body).n_params as usize;
        &mut (&mut (*machine).captures)[captures.start + index]
    }
}

/// Whether a captured value is still there: a call within this call may have moved it out.
#[cold]
pub(crate) unsafe fn has_capture(machine: *mut Machine, frame: *mut Frame, slot: *mut Slot) -> bool {
    unsafe { (*record_of(machine, frame, slot)).state == State::Owned }
}

/// Moves a captured value out; the callback cannot be called again.
#[cold]
pub(crate) unsafe fn take_capture(machine: *mut Machine, frame: *mut Frame, slot: *mut Slot) {
    unsafe {
        let record = record_of(machine, frame, slot);
        if (*record).state != State::Owned {
            panic_any(Refusal::CallbackConsumed);
        }
        (*record).state = State::Moved;
    }
}

/// Ends the callback that slot `slot` of the frame made, if it made one, and drops its captures. If one of them panics, the next
/// call goes on behind it.
pub(crate) unsafe fn end_made_by(machine: *mut Machine, frame: *mut Frame, slot: u32) {
    unsafe {
        let mut place = (*machine).callbacks.len();
        while place > (*frame).first_callback {
            place -= 1;
            let callback = &mut (&mut (*machine).callbacks)[place];
            if callback.slot != slot {
                continue;
            }
            callback.is_alive = false;
            for capture in capture_range(machine, place) {
                let captured = (&(*machine).captures)[capture];
                if captured.state == State::Owned {
                    (&mut (*machine).captures)[capture].state = State::Moved;
                    frame::drop_value(machine, captured.address, captured.ty);
                }
            }
            return;
        }
    }
}

/// Forgets an ended callback of the last slot that is left in the frame.
pub(crate) unsafe fn forget_made_by(machine: *mut Machine, frame: *mut Frame, slot: u32) {
    unsafe {
        let callbacks = &mut (*machine).callbacks;
        if callbacks.len() > (*frame).first_callback
            && let Some(last) = callbacks.pop_if(|last| last.slot == slot)
        {
            (*machine).captures.truncate(last.first_capture);
        }
    }
}

/// Growing the executor's own tables is not the program's cost.
pub(crate) fn push_unattributed<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        allocator::unattributed(|| list.reserve(1));
    }
    list.push(item);
}

/// The arguments of a callback: a tuple. Their types may have any lifetimes.
pub trait CallArgs {
    const COUNT: u32;

    /// Hands over each argument by address; `put` takes the value out of it.
    #[doc(hidden)]
    fn store(self, put: &mut dyn FnMut(&TypeSpec, *const u8));
}

macro_rules! call_args {
    ($($Arg:ident)*) => {
        impl<$($Arg),*> CallArgs for ($($Arg,)*) {
            const COUNT: u32 = 0 $(+ { let _ = size_of::<$Arg>(); 1 })*;

            #[allow(non_snake_case)]
            fn store(self, put: &mut dyn FnMut(&TypeSpec, *const u8)) {
                let ($($Arg,)*) = self;
                $(let $Arg = ManuallyDrop::new($Arg);)*
                $(put(&TypeSpec::of_borrowing::<$Arg>(), (&raw const $Arg).cast());)*
                let _ = put;
            }
        }
    };
}

call_args!();
call_args!(A);
call_args!(A B);
call_args!(A B C);
call_args!(A B C D);
call_args!(A B C D E);
call_args!(A B C D E F);
call_args!(A B C D E F G);
call_args!(A B C D E F G H);
