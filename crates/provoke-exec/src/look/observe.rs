//! Looking at values: fingerprints at the end of a program, `Debug` text after each statement when tracing.
//!
//! Looking is target code too. It obeys the loans: a value that is lent exclusively to one that is still alive is left alone.

use std::fmt::Write;
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};

use provoke_wire::{
    Abilities, Body, LiteralKind, MadeText, Mode, Observed, Phase, StatementKind, TracedStep, ValueIdentity, Variant,
};

use crate::env::panics;
use crate::look::hasher::FixedHasher;
use crate::look::monitor;
use crate::look::text::Shown;
use crate::measure::allocator;
use crate::run::callback::push_unattributed;
use crate::run::frame::{Frame, Slot, State};
use crate::run::machine::Machine;
use crate::run::probe::{DebugFn, ShapeSpec};

const MAX_OBSERVED_BYTES: usize = 64 << 10;
const MAX_STEP_BYTES: usize = 2000;
/// Texts of one program that are reported, and how long each may be.
const MAX_TEXTS: usize = 16;
const MAX_TEXT_BYTES: usize = 256;

/// Takes the fingerprints of what the statements from `from` on made or changed, in the order of slots. Without a notion of what is
/// the same, nothing is reported: most programs of a search run that way, and that a slot is there says nothing.
///
/// # Safety
/// `frame` is the main frame, whose statements have all run.
pub(crate) unsafe fn observe(machine: *mut Machine, frame: *mut Frame, from: u32) {
    unsafe {
        if (*machine).options.notion == ValueIdentity::None {
            return;
        }
        let body = &*(*frame).body;
        let first = from as usize;
        for (index, statement) in body.statements.iter().enumerate().skip(first) {
            (*(*frame).slots.add(body.slot_of(index) as usize)).is_touched = true;
            for arg in body.args_of(statement) {
                if is_exclusive(arg.mode()) {
                    (*(*frame).slots.add(arg.slot() as usize)).is_touched = true;
                }
            }
        }
        mark_lent(machine, frame, body, body.statements.len());
        let mut next = 0;
        while let Err(payload) = catch_unwind(AssertUnwindSafe(|| observe_until_panic(machine, frame, &mut next))) {
            let sighting = (*machine).sighting.take();
            if (*machine).text.is_truncated {
                // It was cut off and would not have it: that is our doing.
                panics::discard(payload);
                let text = &(*machine).text.text;
                let observed = Observed {
                    slot: next - 1,
                    variant: variant(machine, *(*frame).slots.add(next as usize - 1)),
                    fingerprint: Some(text_fingerprint(text, true)),
                };
                (*machine).text.is_truncated = false;
                push_unattributed(&mut (*machine).outcome.observed, observed);
                continue;
            }
            let panic = panics::describe(sighting, payload, next - 1, Phase::Observe);
            push_unattributed(&mut (*machine).outcome.panics, panic);
        }
    }
}

fn is_exclusive(mode: Mode) -> bool {
    matches!(mode, Mode::RefMut | Mode::ReborrowMut)
}

/// Goes on with slot `next`; when a value panics, `next` is behind it already.
unsafe fn observe_until_panic(machine: *mut Machine, frame: *mut Frame, next: &mut u32) {
    unsafe {
        while *next < (*frame).n_started {
            let place = *next;
            *next += 1;
            let slot = *(*frame).slots.add(place as usize);
            if !slot.is_touched || slot.is_lent || slot.state != State::Owned {
                continue;
            }
            let fingerprint = fingerprint(machine, slot, place);
            let observed = Observed { slot: place, variant: variant(machine, slot), fingerprint };
            push_unattributed(&mut (*machine).outcome.observed, observed);
        }
    }
}

unsafe fn variant(machine: *mut Machine, slot: Slot) -> Variant {
    unsafe {
        let probe = (*machine).harness.types.get(slot.ty).probe;
        match probe.map(|probe| probe.shape) {
            Some(ShapeSpec::Option(_, is_empty) | ShapeSpec::Result(_, _, is_empty)) => {
                if is_empty(slot.address) {
                    Variant::Empty
                } else {
                    Variant::Full
                }
            }
            _ => Variant::Plain,
        }
    }
}

unsafe fn fingerprint(machine: *mut Machine, slot: Slot, place: u32) -> Option<u64> {
    unsafe {
        let probe = (*machine).harness.types.get(slot.ty).probe?;
        let is_hashed = match (*machine).options.notion {
            ValueIdentity::None => return None,
            ValueIdentity::Equality => probe.abilities.has(Abilities::EQ) && probe.hash.is_some(),
            ValueIdentity::Representation => probe.debug.is_none(),
        };
        (*machine).page.start_statement(place, Phase::Observe);
        if is_hashed {
            let mut hasher = FixedHasher::default();
            probe.hash?(slot.address, &mut hasher);
            return Some(hasher.finish());
        }
        format(machine, slot.address, probe.debug?, MAX_OBSERVED_BYTES);
        let text = &(*machine).text;
        let fingerprint = text_fingerprint(&text.text, text.is_truncated);
        (*machine).text.is_truncated = false;
        Some(fingerprint)
    }
}

fn text_fingerprint(text: &str, is_truncated: bool) -> u64 {
    let mut hasher = FixedHasher::default();
    hasher.write(text.as_bytes());
    hasher.write_u8(u8::from(is_truncated));
    hasher.finish()
}

/// Writes the `Debug` text of a value to the machine's buffer. The value may call back, but nested bodies do not use the buffer.
unsafe fn format(machine: *mut Machine, address: *const u8, debug: DebugFn, limit: usize) {
    unsafe {
        let text = &raw mut (*machine).text;
        (*text).start(limit);
        // An error is either our limit or the value's own; both leave what was written.
        let _ = write!(*text, "{:?}", Shown { address, debug });
    }
}

/// Each loan once: values that borrow from each other would otherwise copy each other's loans for ever.
fn add_loan(loans: &mut Vec<(u32, u32)>, loan: (u32, u32)) {
    if !loans.contains(&loan) {
        push_unattributed(loans, loan);
    }
}

/// Marks the slots that are lent exclusively to a value that is still alive, after so many statements. Loans are traced as far
/// as the names of types show them, and rather too far than not far enough.
///
/// # Safety
/// So many statements of the body have run in `frame`.
pub(crate) unsafe fn mark_lent(machine: *mut Machine, frame: *mut Frame, body: &Body, n_statements: usize) {
    unsafe {
        if !(*machine).may_have_loans {
            return;
        }
        for place in 0..(*frame).n_started {
            (*(*frame).slots.add(place as usize)).is_lent = false;
        }
        let types = &(*machine).harness.types;
        let slot = |place: u32| *(*frame).slots.add(place as usize);
        let may_borrow = |place: u32| {
            let ty = slot(place).ty;
            ty != crate::run::harness::NO_TYPE && types.get(ty).may_borrow
        };
        // Who borrows, and from which slot.
        let loans = &mut (*machine).loans;
        loans.clear();
        for (index, statement) in body.statements[..n_statements].iter().enumerate() {
            let is_lender = matches!(statement.kind, StatementKind::Call | StatementKind::Callback);
            if !is_lender {
                continue;
            }
            let args = body.args_of(statement);
            let result = body.slot_of(index);
            let changed = args.iter().filter(|arg| is_exclusive(arg.mode())).map(|arg| arg.slot());
            for borrower in changed.chain([result]).filter(|place| may_borrow(*place)) {
                for arg in args.iter().filter(|arg| arg.slot() != borrower) {
                    if is_exclusive(arg.mode()) {
                        add_loan(loans, (borrower, arg.slot()));
                    }
                    for known in 0..loans.len() {
                        let (holder, lender) = loans[known];
                        if holder == arg.slot() && lender != borrower {
                            add_loan(loans, (borrower, lender));
                        }
                    }
                }
            }
        }
        for &(borrower, lender) in loans.iter() {
            if slot(borrower).state == State::Owned {
                (*(*frame).slots.add(lender as usize)).is_lent = true;
            }
        }
    }
}

/// Reports what a statement did, as far as that was asked for, and asks what is specified about it.
///
/// # Safety
/// `frame` is the main frame, whose statement `index` has just run.
#[cold]
pub(crate) unsafe fn watch(machine: *mut Machine, frame: *mut Frame, index: usize) {
    unsafe {
        if (*machine).options.trace {
            trace(machine, frame, index);
        }
        if (*machine).options.comparisons {
            report_text(machine, frame, index);
        }
        if (*machine).harness.has_monitors() {
            monitor::after_step(machine, frame, index);
        }
    }
}

/// Reports the text that a call returned, if it is one.
unsafe fn report_text(machine: *mut Machine, frame: *mut Frame, index: usize) {
    unsafe {
        let body = &*(*frame).body;
        let place = body.slot_of(index);
        let slot = *(*frame).slots.add(place as usize);
        let n_texts = (*machine).outcome.texts.len();
        if body.statements[index].kind != StatementKind::Call || slot.state != State::Owned || n_texts == MAX_TEXTS {
            return;
        }
        let type_of = |kind: LiteralKind| (*machine).harness.literals[kind as usize];
        let bytes: &[u8] = if slot.ty == type_of(LiteralKind::String) {
            (*slot.address.cast::<String>()).as_bytes()
        } else if slot.ty == type_of(LiteralKind::Str) {
            (*slot.address.cast::<&'static str>()).as_bytes()
        } else {
            return;
        };
        if bytes.len() > MAX_TEXT_BYTES {
            return;
        }
        allocator::unattributed(|| {
            // Code under test may have made a text that is none.
            if let Ok(text) = std::str::from_utf8(bytes) {
                let made = MadeText { slot: place, text: text.to_string() };
                (*machine).outcome.texts.push(made);
            }
        });
    }
}

/// Reports the `Debug` text of what a statement made or changed.
///
/// # Safety
/// `frame` is the main frame, whose statement `index` has just run.
unsafe fn trace(machine: *mut Machine, frame: *mut Frame, index: usize) {
    unsafe {
        let body = &*(*frame).body;
        let result = body.slot_of(index);
        let statement = &body.statements[index];
        let ty = (*(*frame).slots.add(result as usize)).ty;
        let keeps_loan = ty != crate::run::harness::NO_TYPE && (*machine).harness.types.get(ty).may_borrow;
        trace_slot(machine, frame, index, result);
        if keeps_loan {
            return;
        }
        for arg in body.args_of(statement) {
            if is_exclusive(arg.mode()) {
                trace_slot(machine, frame, index, arg.slot());
            }
        }
    }
}

unsafe fn trace_slot(machine: *mut Machine, frame: *mut Frame, index: usize, place: u32) {
    unsafe {
        let slot = *(*frame).slots.add(place as usize);
        if slot.state != State::Owned {
            return;
        }
        let probe = (*machine).harness.types.get(slot.ty).probe;
        let Some(debug) = probe.and_then(|probe| probe.debug) else {
            return;
        };
        (*machine).page.start_statement(index as u32, Phase::Observe);
        let shown = catch_unwind(AssertUnwindSafe(|| format(machine, slot.address, debug, MAX_STEP_BYTES)));
        allocator::unattributed(|| {
            let mut text = (*machine).text.text.clone();
            if (*machine).text.is_truncated {
                text.push('…');
            }
            (*machine).text.is_truncated = false;
            if let Err(payload) = shown {
                (*machine).sighting = None;
                panics::discard(payload);
                text.push_str(" (its Debug panicked)");
            }
            let step = TracedStep { statement: index as u32, slot: place, text };
            (*machine).outcome.steps.push(step);
        });
        (*machine).page.start_statement(index as u32, Phase::Call);
    }
}
