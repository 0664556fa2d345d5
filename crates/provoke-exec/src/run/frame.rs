//! A frame: the slots of one running body, and how its statements are executed.
//!
//! All functions here take raw pointers, because code under test may call back into the executor at any call or drop.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::Ordering::Relaxed;

use provoke_wire::{Arg, Body, Ending, LiteralKind, Mode, Phase, Refusal, Statement, StatementKind};

use crate::env::panics::Payload;
use crate::look::{guard, monitor, observe};
use crate::measure::cost::COMPARISONS_LEFT;
use crate::run::callback;
use crate::run::callback::Cb;
use crate::run::harness::{ArgType, NO_TYPE};
use crate::run::machine::Machine;
use crate::run::signature::MAX_ARGS;

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum State {
    /// Nothing yet, or nothing ever: the statement has no result or did not return.
    Empty,
    /// A value that dies with the frame.
    Owned,
    /// Its value went elsewhere.
    Moved,
    /// The place of a slot of an outer frame, lent to a callback.
    Lent,
    /// A place that belongs to the running callback, which may be called again.
    Captured,
}

#[derive(Clone, Copy)]
pub(crate) struct Slot {
    pub address: *mut u8,
    pub ty: u32,
    pub state: State,
    pub is_touched: bool,
    pub is_lent: bool,
}

impl Slot {
    pub const EMPTY: Slot =
        Slot { address: std::ptr::null_mut(), ty: NO_TYPE, state: State::Empty, is_touched: false, is_lent: false };

    pub fn new(address: *mut u8, ty: u32, state: State) -> Slot {
        Slot { address, ty, state, ..Slot::EMPTY }
    }
}

/// No callback is running: the frame of the main body.
pub(crate) const NO_CALLBACK: u32 = u32::MAX;

pub(crate) struct Frame {
    pub body: *const Body,
    /// As many as the body has; those from `n_started` on are not initialised.
    pub slots: *mut Slot,
    pub n_started: u32,
    /// The place of the callback whose body this is.
    pub callback: u32,
    /// Callbacks from here on were made by this frame.
    pub first_callback: usize,
}

impl Frame {
    /// # Safety
    /// `machine` is valid, and the frame is used no longer than the body and the current mark of the arena live.
    pub unsafe fn new(machine: *mut Machine, body: *const Body, callback: u32) -> Frame {
        unsafe {
            let n_slots = (*body).n_slots() as usize;
            let size = n_slots * size_of::<Slot>();
            Frame {
                body,
                slots: (*machine).arena.reserve(size, align_of::<Slot>()).cast(),
                n_started: 0,
                callback,
                first_callback: (*machine).callbacks.len(),
            }
        }
    }

    /// Fills the next slot.
    pub unsafe fn push(&mut self, slot: Slot) -> *mut Slot {
        unsafe {
            let place = self.slots.add(self.n_started as usize);
            place.write(slot);
            self.n_started += 1;
            place
        }
    }
}

/// Whether a body went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    /// It had nothing to unwrap. Such programs are so many that unwinding would cost a tenth of the time.
    NothingThere,
}

/// Runs all statements of the body, whose inputs are in place. Unwinds if the code under test does.
///
/// # Safety
/// `machine` and `frame` are valid and not borrowed.
#[must_use]
pub(crate) unsafe fn run_statements<const IS_MAIN: bool>(machine: *mut Machine, frame: *mut Frame) -> Flow {
    unsafe {
        // The program lies still while it runs.
        let body = &*(*frame).body;
        let page = (*machine).page;
        let is_monitored = IS_MAIN && (*machine).harness.has_monitors();
        let is_watched = is_monitored || IS_MAIN && ((*machine).options.trace || (*machine).options.comparisons);
        for (index, statement) in body.statements.iter().enumerate() {
            if IS_MAIN {
                page.start_statement(index as u32, Phase::Call);
                (*machine).statement = index as u32;
            }
            match statement.kind {
                StatementKind::Call => {
                    if call::<IS_MAIN>(machine, frame, body, statement) == Flow::NothingThere {
                        return Flow::NothingThere;
                    }
                }
                StatementKind::Literal => literal(machine, frame, body, statement),
                StatementKind::Drop => drop_slot(machine, frame, body, statement),
                StatementKind::Callback => make_callback(machine, frame, body, statement),
            }
            if is_watched {
                observe::watch(machine, frame, index);
            }
        }
        if is_monitored {
            monitor::at_end(machine, frame);
        }
        Flow::On
    }
}

#[inline(always)]
unsafe fn call<const IS_MAIN: bool>(
    machine: *mut Machine,
    frame: *mut Frame,
    body: &Body,
    statement: &Statement,
) -> Flow {
    unsafe {
        let ops = &(*machine).harness.ops;
        let Some(&op) = ops.get(statement.op as usize) else { (*machine).give_up("an operation that does not exist") };
        let args = body.args_of(statement);
        if args.len() != op.n_args as usize {
            (*machine).give_up("a wrong number of arguments");
        }
        if op.n_guards != 0 {
            guard::check(machine, frame, body, statement, op);
        }
        let wanted = (*machine).harness.arg_types.as_ptr().add(op.first_arg as usize);
        // References are made here: the callee gets the address of a word that holds the slot's address.
        let mut words = [MaybeUninit::<*mut u8>::uninit(); MAX_ARGS];
        let mut pointers = [MaybeUninit::<*mut u8>::uninit(); MAX_ARGS];
        for (place, &arg) in args.iter().enumerate() {
            let wanted = &*wanted.add(place);
            let word = words.as_mut_ptr().add(place).cast();
            pointers[place].write(argument(machine, frame, arg, wanted, word));
        }
        let out = (*machine).arena.reserve(op.result_size, op.result_align);
        let slot = (*frame).push(Slot::new(out, op.result, State::Empty));
        (*machine).n_calls += 1;
        (*machine).may_have_loans |= op.may_pass_loans;
        if let Some(is_empty) = op.is_empty
            && IS_MAIN
            && (*machine).may_end_quietly()
        {
            let argument = pointers[0].assume_init();
            // This look counts as the built-in's own, which otherwise is still to come.
            let comparisons_left = COMPARISONS_LEFT.load(Relaxed);
            if is_empty(argument) {
                // Whoever unwraps it uses it up.
                drop_value(machine, argument, (*wanted).ty);
                return Flow::NothingThere;
            }
            COMPARISONS_LEFT.store(comparisons_left, Relaxed);
        }
        (op.thunk)(op.function, pointers.as_ptr().cast(), out);
        (*slot).state = State::Owned;
        Flow::On
    }
}

/// Where the callee finds one argument. What is moved counts as gone from here on, whether or not the call returns.
#[inline(always)]
pub(crate) unsafe fn argument(
    machine: *mut Machine,
    frame: *mut Frame,
    arg: Arg,
    wanted: &ArgType,
    word: *mut *mut u8,
) -> *mut u8 {
    unsafe {
        if arg.mode() == Mode::Move {
            let slot = (*frame).slots.add(arg.slot() as usize);
            let (address, ty) = ((*slot).address, (*slot).ty);
            if ty != wanted.ty {
                (*machine).give_up("an argument of the wrong type");
            }
            take(machine, frame, arg.slot());
            return address;
        }
        let address = place_of(machine, frame, arg, wanted);
        match arg.mode() {
            Mode::Ref | Mode::RefMut => {
                word.write(address);
                word.cast()
            }
            _ => address,
        }
    }
}

/// Where the value of an argument lies, which stays there.
#[inline(always)]
pub(crate) unsafe fn place_of(machine: *mut Machine, frame: *mut Frame, arg: Arg, wanted: &ArgType) -> *mut u8 {
    unsafe {
        let slot = (*frame).slots.add(arg.slot() as usize);
        let (address, ty) = ((*slot).address, (*slot).ty);
        check_present(machine, frame, arg.slot());
        let fits = match arg.mode() {
            Mode::Copy => ty == wanted.ty && wanted.is_copy,
            Mode::Ref => ty == wanted.shared_target,
            Mode::RefMut => ty == wanted.exclusive_target,
            Mode::Reborrow => is_reborrow(machine, ty, wanted),
            Mode::Move | Mode::ReborrowMut => ty == wanted.ty,
        };
        if !fits {
            (*machine).give_up("an argument of the wrong type");
        }
        address
    }
}

/// `&mut T` in the slot, `&T` wanted. Of unsized targets the table knows nothing but that both are wide pointers.
unsafe fn is_reborrow(machine: *mut Machine, ty: u32, wanted: &ArgType) -> bool {
    let types = unsafe { &(*machine).harness.types };
    let (held, asked) = (types.get(ty), types.get(wanted.ty));
    if held.exclusive_target != NO_TYPE {
        return held.exclusive_target == wanted.shared_target;
    }
    let is_wide = |t: &crate::run::harness::Type| t.spec.size == 2 * size_of::<usize>() && t.spec.drop.is_none();
    wanted.shared_target == NO_TYPE && is_wide(held) && is_wide(asked)
}

/// Marks the value of a slot as moved.
#[inline(always)]
pub(crate) unsafe fn take(machine: *mut Machine, frame: *mut Frame, slot: u32) {
    unsafe {
        let slot = (*frame).slots.add(slot as usize);
        match (*slot).state {
            State::Owned => {}
            State::Captured => callback::take_capture(machine, frame, slot),
            _ => (*machine).give_up("a move out of an empty slot"),
        }
        (*slot).state = State::Moved;
    }
}

#[inline(always)]
unsafe fn check_present(machine: *mut Machine, frame: *mut Frame, slot: u32) {
    unsafe {
        let slot = (*frame).slots.add(slot as usize);
        match (*slot).state {
            State::Owned | State::Lent => {}
            State::Captured => {
                if !callback::has_capture(machine, frame, slot) {
                    panic_any(Refusal::CallbackConsumed);
                }
            }
            _ => (*machine).give_up("a use of an empty slot"),
        }
    }
}

#[inline(always)]
unsafe fn literal(machine: *mut Machine, frame: *mut Frame, body: &Body, statement: &Statement) {
    unsafe {
        let Some(kind) = LiteralKind::from_code(statement.op) else { (*machine).give_up("an unknown kind of literal") };
        let ty = (*machine).harness.literals[kind as usize];
        let spec = (*machine).harness.types.get(ty).spec;
        let out = (*machine).arena.reserve(spec.size, spec.align);
        if !(*machine).literals.write(kind, body.data_of(statement), out) {
            (*machine).give_up("a malformed literal");
        }
        (*frame).push(Slot::new(out, ty, State::Owned));
    }
}

unsafe fn drop_slot(machine: *mut Machine, frame: *mut Frame, body: &Body, statement: &Statement) {
    unsafe {
        (*frame).push(Slot::EMPTY);
        let place = body.args_of(statement)[0].slot();
        if (*machine).harness.has_monitors() && (*frame).callback == NO_CALLBACK {
            monitor::before_drop(machine, frame, place, (*machine).statement);
        }
        take(machine, frame, place);
        callback::end_made_by(machine, frame, place);
        let slot = *(*frame).slots.add(place as usize);
        drop_value(machine, slot.address, slot.ty);
    }
}

/// Runs the drop glue of a value that is marked as moved already.
pub(crate) unsafe fn drop_value(machine: *mut Machine, address: *mut u8, ty: u32) {
    unsafe {
        if let Some(drop) = (*machine).harness.types.get(ty).spec.drop {
            drop(address);
        }
    }
}

unsafe fn make_callback(machine: *mut Machine, frame: *mut Frame, body: &Body, statement: &Statement) {
    unsafe {
        let args = body.args_of(statement);
        let nested = &body.bodies[statement.op as usize];
        if nested.n_captures as usize != args.len() {
            (*machine).give_up("a wrong number of captures");
        }
        for &arg in args {
            let slot = (*frame).slots.add(arg.slot() as usize);
            let (address, ty) = ((*slot).address, (*slot).ty);
            let captured = match arg.mode() {
                Mode::Move => {
                    take(machine, frame, arg.slot());
                    Slot::new(address, ty, State::Owned)
                }
                Mode::Copy => {
                    check_present(machine, frame, arg.slot());
                    let copied = (*machine).harness.types.get(ty);
                    if !copied.is_copy {
                        (*machine).give_up("a copy of what is not Copy");
                    }
                    let spec = copied.spec;
                    let copy = (*machine).arena.reserve(spec.size, spec.align);
                    copy.copy_from_nonoverlapping(address, spec.size);
                    Slot::new(copy, ty, State::Owned)
                }
                Mode::Ref | Mode::RefMut | Mode::Reborrow | Mode::ReborrowMut => {
                    check_present(machine, frame, arg.slot());
                    (*machine).may_have_loans = true;
                    Slot::new(address, ty, State::Lent)
                }
            };
            callback::push_unattributed(&mut (*machine).captures, captured);
        }
        let out = (*machine).arena.reserve(size_of::<Cb>(), align_of::<Cb>());
        let cb = callback::register(machine, nested, (*frame).n_started);
        out.cast::<Cb>().write(cb);
        (*frame).push(Slot::new(out, (*machine).harness.callback, State::Owned));
    }
}

/// Drops what is left in a frame, last slot first. Each panic is handed to `on_panic` with the slot whose value caused it, and
/// dropping goes on.
pub(crate) unsafe fn drop_rest<const IS_MAIN: bool>(
    machine: *mut Machine,
    frame: *mut Frame,
    mut on_panic: impl FnMut(u32, Payload),
) {
    // What panicked counts as dropped, so trying again goes on behind it.
    while let Err(payload) = catch_unwind(AssertUnwindSafe(|| unsafe {
        drop_until_panic::<IS_MAIN>(machine, frame);
    })) {
        on_panic(unsafe { (*frame).n_started } - 1, payload);
    }
}

unsafe fn drop_until_panic<const IS_MAIN: bool>(machine: *mut Machine, frame: *mut Frame) {
    unsafe {
        // A process that dies while it cleans up after a panic dies of the call that panicked.
        let is_marked = IS_MAIN && (*machine).outcome.ending != Ending::Panicked;
        while (*frame).n_started > 0 {
            let place = (*frame).n_started - 1;
            let slot = (*frame).slots.add(place as usize);
            if (*machine).callbacks.len() > (*frame).first_callback {
                if is_marked {
                    (*machine).page.start_statement(place, Phase::Cleanup);
                }
                callback::end_made_by(machine, frame, place);
                callback::forget_made_by(machine, frame, place);
            }
            if (*slot).state == State::Owned {
                (*slot).state = State::Moved;
                if let Some(drop) = (*machine).harness.types.get((*slot).ty).spec.drop {
                    if is_marked {
                        (*machine).page.start_statement(place, Phase::Cleanup);
                    }
                    drop((*slot).address);
                }
            }
            (*frame).n_started = place;
        }
    }
}
