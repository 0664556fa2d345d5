//! Monitors: what users specify about the values of a type, asked after every step.
//!
//! An invariant is asked of every object; what an object has lived through is told to its histories at each of its points: when it
//! was made, and when a step on it is over. An object that is lent exclusively is left alone, and what was done to it
//! meanwhile is told when it is free again. Asking is code under test, too, and is kept apart from the call by its phase.
//!
//! Decision: `docs/decisions/068-specifications-are-asked-after-every-step.md`

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use provoke_wire::{Body, CheckAnswer, Checked, Mode, Phase, Point, Refusal, StatementKind, ValueIdentity};

use crate::env::panics;
use crate::look::observe;
use crate::look::watch::WatchKind;
use crate::run::callback::push_unattributed;
use crate::run::frame::{Frame, Slot, State};
use crate::run::harness::NO_TYPE;
use crate::run::machine;
use crate::run::machine::Machine;
use crate::run::signature::Thunk;

/// In the order in which they are asked: what no application would do accuses nobody.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MonitorKind {
    Model,
    Invariant,
    Temporal,
}

#[derive(Clone, Copy)]
pub(crate) struct Monitor {
    pub kind: MonitorKind,
    /// The operation that asks the same.
    pub op: u32,
    /// The operation that asks at the end of a life; only of temporal ones.
    pub end_op: u32,
    pub name: &'static str,
    pub function: *const (),
    pub thunk: Thunk,
    /// Of all but invariants, which remember nothing.
    pub watch: Option<WatchKind>,
}

/// What one monitor remembers of one object.
pub(crate) struct History {
    slot: u32,
    address: *mut u8,
    /// Its place in the harness.
    monitor: u32,
    watch: *mut u8,
    /// The step that was not told yet.
    pending: Option<&'static str>,
}

/// What the last step of an object is called where no function was called.
const NO_STEP: &str = "";
/// And where its life ends.
const DROP_STEP: &str = "drop";

/// Asks about all objects after a statement of the main body.
///
/// # Safety
/// `frame` is the main frame, whose statement `index` has just run, and nothing of the machine is borrowed.
pub(crate) unsafe fn after_step(machine: *mut Machine, frame: *mut Frame, index: usize) {
    unsafe {
        let body = &*(*frame).body;
        let statement = &body.statements[index];
        if !matches!(statement.kind, StatementKind::Call | StatementKind::Drop) {
            return;
        }
        observe::mark_lent(machine, frame, body, index + 1);
        for place in 0..(*frame).n_started {
            let slot = *(*frame).slots.add(place as usize);
            let (first, end) = monitors_of(machine, slot);
            if first == end {
                continue;
            }
            let step = step_of(machine, body, index, place);
            let object = Object { place, address: slot.address, n_statements: index as u32 + 1 };
            for monitor in first..end {
                if slot.is_lent {
                    delay(machine, object, monitor, step);
                } else {
                    attend(machine, object, monitor, step);
                }
            }
        }
        (*machine).page.start_statement(index as u32, Phase::Call);
    }
}

/// Asks models about a call that panicked: no application may ever have made it.
///
/// # Safety
/// As of [`after_step`], but for the statement, which did not return.
pub(crate) unsafe fn after_panic(machine: *mut Machine, frame: *mut Frame) {
    unsafe {
        let body = &*(*frame).body;
        let index = (*machine).statement as usize;
        let is_call = body.statements.get(index).is_some_and(|statement| statement.kind == StatementKind::Call);
        if !is_call || (*machine).outcome.checked.is_some() || (*machine).outcome.unmet.is_some() {
            return;
        }
        observe::mark_lent(machine, frame, body, index);
        // What is in pieces after a panic may make a model panic, which says nothing.
        let trouble = (*machine).trouble;
        let asked = catch_unwind(AssertUnwindSafe(|| {
            for place in 0..(*frame).n_started {
                let slot = *(*frame).slots.add(place as usize);
                let (first, end) = monitors_of(machine, slot);
                let step = step_of(machine, body, index, place);
                let object = Object { place, address: slot.address, n_statements: index as u32 + 1 };
                for monitor in first..end {
                    let is_model = (&(*machine).harness.monitors)[monitor as usize].kind == MonitorKind::Model;
                    if is_model && !slot.is_lent {
                        attend(machine, object, monitor, step);
                    }
                }
            }
        }));
        (*machine).trouble = trouble;
        if let Err(payload) = asked {
            panics::discard(payload);
            (*machine).sighting = None;
        }
    }
}

/// Judges what was to come before the life of an object ends, which is about to.
///
/// # Safety
/// As of [`after_step`]; the object is not lent.
pub(crate) unsafe fn before_drop(machine: *mut Machine, frame: *mut Frame, place: u32, n_statements: u32) {
    unsafe {
        let slot = *(*frame).slots.add(place as usize);
        end_life(machine, Object { place, address: slot.address, n_statements }, true);
    }
}

/// The same for all that is left at the end of a program.
///
/// # Safety
/// As of [`after_step`], after the last statement.
pub(crate) unsafe fn at_end(machine: *mut Machine, frame: *mut Frame) {
    unsafe {
        let body = &*(*frame).body;
        let n_statements = body.statements.len();
        if !(*machine).options.checks {
            return;
        }
        observe::mark_lent(machine, frame, body, n_statements);
        for place in (0..(*frame).n_started).rev() {
            let slot = *(*frame).slots.add(place as usize);
            if slot.state == State::Owned && !slot.is_lent {
                let object = Object { place, address: slot.address, n_statements: n_statements as u32 };
                end_life(machine, object, false);
            }
        }
    }
}

/// Forgets all histories. What they keep is of the code under test.
///
/// # Safety
/// Nothing of the machine is borrowed.
pub(crate) unsafe fn forget(machine: *mut Machine) {
    unsafe {
        while let Some(history) = (*machine).histories.pop() {
            let watch = (&(*machine).harness.monitors)[history.monitor as usize].watch;
            let Some(watch) = watch else { continue };
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| watch.free(history.watch))) {
                (*machine).sighting = None;
                panics::discard(payload);
            }
        }
    }
}

/// One that is looked at.
#[derive(Clone, Copy)]
struct Object {
    place: u32,
    address: *mut u8,
    n_statements: u32,
}

unsafe fn monitors_of(machine: *mut Machine, slot: Slot) -> (u32, u32) {
    if slot.state != State::Owned || slot.ty == NO_TYPE {
        return (0, 0);
    }
    unsafe { (*machine).harness.monitors_of(slot.ty) }
}

/// What a statement did to an object; nothing if it had nothing to do with it.
unsafe fn step_of(machine: *mut Machine, body: &Body, index: usize, place: u32) -> Option<&'static str> {
    unsafe {
        let statement = &body.statements[index];
        if statement.kind != StatementKind::Call {
            return None;
        }
        let is_lent = |mode: Mode| matches!(mode, Mode::Ref | Mode::RefMut);
        let is_argument = body.args_of(statement).iter().any(|arg| arg.slot() == place && is_lent(arg.mode()));
        let is_concerned = is_argument || body.slot_of(index) == place;
        is_concerned.then(|| (*machine).harness.step_name(statement.op).unwrap_or(NO_STEP))
    }
}

/// The object cannot be looked at now.
unsafe fn delay(machine: *mut Machine, object: Object, monitor: u32, step: Option<&'static str>) {
    unsafe {
        let has_watch = (&(*machine).harness.monitors)[monitor as usize].watch.is_some();
        if let (Some(step), true) = (step, has_watch) {
            let history = history_of(machine, object, monitor);
            (&mut (*machine).histories)[history].pending = Some(step);
        }
    }
}

unsafe fn attend(machine: *mut Machine, object: Object, monitor: u32, step: Option<&'static str>) {
    unsafe {
        let kind = (&(*machine).harness.monitors)[monitor as usize].kind;
        if kind == MonitorKind::Invariant {
            if (*machine).options.checks {
                ask_invariant(machine, object, monitor);
            }
            return;
        }
        let is_known = find(machine, object, monitor).is_some();
        if step.is_none() && !is_known {
            return;
        }
        let history = history_of(machine, object, monitor);
        let pending = (&mut (*machine).histories)[history].pending.take();
        let Some(step) = step.or(pending) else { return };
        match kind {
            MonitorKind::Temporal => watch_point(machine, object, history),
            _ => {
                // What is not named is no step of an application.
                if step != NO_STEP && !ask_model(machine, object, history, step) {
                    end(machine, object, monitor, CheckAnswer::Discarded, Refusal::Model);
                }
            }
        }
    }
}

unsafe fn end_life(machine: *mut Machine, object: Object, is_statement: bool) {
    unsafe {
        // Asking adds no histories.
        let n_histories = (*machine).histories.len();
        let of_it = move |history: &usize| (&(*machine).histories)[*history].slot == object.place;
        for history in (0..n_histories).filter(of_it) {
            let monitor = (&(*machine).histories)[history].monitor;
            let is_model = (&(*machine).harness.monitors)[monitor as usize].kind == MonitorKind::Model;
            if is_model && !ask_model(machine, object, history, DROP_STEP) {
                if is_statement {
                    end(machine, object, monitor, CheckAnswer::Discarded, Refusal::Model);
                }
                // Nobody would let go of it yet: what is still to come is not missed.
                return;
            }
        }
        for history in (0..n_histories).filter(of_it) {
            let History { monitor, watch, .. } = (&(*machine).histories)[history];
            let asked = (&(*machine).harness.monitors)[monitor as usize];
            let Some(kind) = asked.watch.filter(|_| asked.kind == MonitorKind::Temporal) else { continue };
            let is_kept = ask(machine, object, monitor, || {
                kind.finish(watch);
                kind.is_kept(watch)
            });
            if (*machine).options.checks && is_kept == Some(false) {
                end_broken(machine, object, asked.end_op, kind.violation(watch));
            }
        }
    }
}

unsafe fn ask_invariant(machine: *mut Machine, object: Object, monitor: u32) {
    unsafe {
        let asked = (&(*machine).harness.monitors)[monitor as usize];
        let mut reference = object.address;
        let pointers = [(&raw mut reference).cast::<u8>()];
        let is_asked_twice = (*machine).options.notion != ValueIdentity::None;
        let answers = ask(machine, object, monitor, || {
            let once = || {
                let mut holds = false;
                (asked.thunk)(asked.function, pointers.as_ptr(), (&raw mut holds).cast());
                holds
            };
            let holds = once();
            (holds, !is_asked_twice || once() == holds)
        });
        match answers {
            Some((_, false)) => spoil(machine, object, monitor, CheckAnswer::Unsteady),
            Some((false, true)) => end_broken(machine, object, asked.op, None),
            Some((true, true)) | None => {}
        }
    }
}

unsafe fn watch_point(machine: *mut Machine, object: Object, history: usize) {
    unsafe {
        let History { monitor, watch, .. } = (&(*machine).histories)[history];
        let asked = (&(*machine).harness.monitors)[monitor as usize];
        let (mut reference, mut watch_reference) = (object.address, watch);
        let pointers = [(&raw mut reference).cast::<u8>(), (&raw mut watch_reference).cast::<u8>()];
        let is_kept = ask(machine, object, monitor, || {
            let mut nothing = ();
            (asked.thunk)(asked.function, pointers.as_ptr(), (&raw mut nothing).cast());
            asked.watch.is_none_or(|kind| kind.is_kept(watch))
        });
        let Some(is_kept) = is_kept else { return };
        if (*machine).options.trace {
            let point = Point { statement: object.n_statements - 1, slot: object.place, op: asked.op };
            push_unattributed(&mut (*machine).outcome.points, point);
        }
        if (*machine).options.checks && !is_kept {
            end_broken(machine, object, asked.op, asked.watch.and_then(|kind| kind.violation(watch)));
        }
    }
}

unsafe fn ask_model(machine: *mut Machine, object: Object, history: usize, step: &'static str) -> bool {
    unsafe {
        let History { monitor, watch, .. } = (&(*machine).histories)[history];
        let asked = (&(*machine).harness.monitors)[monitor as usize];
        let (mut reference, mut name, mut watch_reference) = (object.address, step, watch);
        let pointers =
            [(&raw mut reference).cast::<u8>(), (&raw mut name).cast::<u8>(), (&raw mut watch_reference).cast::<u8>()];
        let is_inside = ask(machine, object, monitor, || {
            let mut is_inside = false;
            (asked.thunk)(asked.function, pointers.as_ptr(), (&raw mut is_inside).cast());
            is_inside
        });
        is_inside.unwrap_or(true)
    }
}

/// Asks, and gives the answer; nothing if there is none. What happens meanwhile is the doing of the specification.
unsafe fn ask<A>(machine: *mut Machine, object: Object, monitor: u32, question: impl FnOnce() -> A) -> Option<A> {
    unsafe {
        if (*machine).spoilt.contains(&monitor) {
            return None;
        }
        (*machine).page.start_statement((*machine).statement, Phase::Check);
        let answer = catch_unwind(AssertUnwindSafe(question));
        answer
            .map_err(|payload| {
                panics::discard(payload);
                (*machine).sighting = None;
                spoil(machine, object, monitor, CheckAnswer::Nothing);
            })
            .ok()
    }
}

/// What gives no answer, or two, is not asked again in this program, which goes on.
unsafe fn spoil(machine: *mut Machine, object: Object, monitor: u32, answer: CheckAnswer) {
    unsafe {
        push_unattributed(&mut (*machine).spoilt, monitor);
        let op = (&(*machine).harness.monitors)[monitor as usize].op;
        let Object { place, n_statements, .. } = object;
        (*machine).trouble.get_or_insert(Checked { op, slot: place, n_statements, answer });
    }
}

/// Ends the program with this answer.
unsafe fn end(machine: *mut Machine, object: Object, monitor: u32, answer: CheckAnswer, refusal: Refusal) -> ! {
    unsafe {
        let op = (&(*machine).harness.monitors)[monitor as usize].op;
        let Object { place, n_statements, .. } = object;
        (*machine).outcome.checked = Some(Checked { op, slot: place, n_statements, answer });
        resume_unwind(Box::new(refusal));
    }
}

/// Ends the program as the operation would that asks the same.
unsafe fn end_broken(machine: *mut Machine, object: Object, op: u32, violation: Option<String>) -> ! {
    unsafe {
        let Object { place, n_statements, .. } = object;
        let answer = CheckAnswer::Broken;
        (*machine).outcome.checked = Some(Checked { op, slot: place, n_statements, answer });
        resume_unwind(Box::new(broken_text(violation)));
    }
}

/// The text begins as that of any law.
fn broken_text(violation: Option<String>) -> String {
    violation.map_or_else(|| "provoke: law broken".to_owned(), |violation| format!("provoke: law broken: {violation}"))
}

unsafe fn find(machine: *mut Machine, object: Object, monitor: u32) -> Option<usize> {
    let histories = unsafe { &(*machine).histories };
    histories.iter().position(|history| history.slot == object.place && history.monitor == monitor)
}

/// The history of an object, which begins here if there is none.
unsafe fn history_of(machine: *mut Machine, object: Object, monitor: u32) -> usize {
    unsafe {
        if let Some(known) = find(machine, object, monitor) {
            return known;
        }
        let watch = (&(*machine).harness.monitors)[monitor as usize].watch;
        let watch = watch.map_or(std::ptr::null_mut(), |kind| kind.make());
        let history = History { slot: object.place, address: object.address, monitor, watch, pending: None };
        push_unattributed(&mut (*machine).histories, history);
        (*machine).histories.len() - 1
    }
}

/// How the history of an object went, as far as this monitor of it is concerned; nothing if it has none.
unsafe fn verdict(name: &str, address: *const u8, is_end: bool) -> Option<String> {
    unsafe {
        let machine = machine::current();
        if machine.is_null() {
            return None;
        }
        let is_it = |history: &History| {
            let asked = &(&(*machine).harness.monitors)[history.monitor as usize];
            let is_temporal = asked.kind == MonitorKind::Temporal;
            is_temporal && asked.name == name && std::ptr::eq(history.address, address)
        };
        let histories = &(*machine).histories;
        let place = histories.iter().position(is_it)?;
        let History { monitor, watch, .. } = (&(*machine).histories)[place];
        let kind = (&(*machine).harness.monitors)[monitor as usize].watch?;
        if is_end {
            kind.finish(watch);
        }
        kind.violation(watch)
    }
}

/// Panics if the life of an object so far has broken a property that the function of this name states.
#[track_caller]
pub fn uphold_history<T: 'static>(name: &str, object: &'static T) {
    refuse(unsafe { verdict(name, (&raw const *object).cast(), false) });
}

/// The same at the end of a life.
#[track_caller]
pub fn uphold_life<T: 'static>(name: &str, object: &'static T) {
    refuse(unsafe { verdict(name, (&raw const *object).cast(), true) });
}

#[track_caller]
fn refuse(violation: Option<String>) {
    if violation.is_some() {
        panic!("{}", broken_text(violation))
    }
}
