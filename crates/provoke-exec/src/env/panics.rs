//! Panics: what the hook saw, put together with what the executor caught.

use std::any::Any;
use std::io::Write;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

use provoke_wire::{Panic, Phase, Refusal};

use crate::measure::allocator;
use crate::run::{adapt, machine};

const MAX_MESSAGE_BYTES: usize = 64 << 10;
const MAX_BACKTRACE_BYTES: usize = 64 << 10;
/// Of a backtrace that is written to standard error: the tool only keeps the end of what it reads there.
const MAX_LAST_WORDS_BYTES: usize = 24 << 10;

/// What `catch_unwind` gives.
pub(crate) type Payload = Box<dyn Any + Send>;

/// The last panic on the thread of the program, as the hook saw it.
#[derive(Default)]
pub(crate) struct Sighting {
    message: String,
    file: String,
    line: u32,
    column: u32,
    depth: u32,
    backtrace: String,
}

/// Replaces whatever hook there is: the code under test may have set its own.
pub(crate) fn install_hook() {
    std::panic::set_hook(Box::new(see));
}

/// Panics that do not unwind: the process is about to abort, and nobody will be asked what the hook saw.
fn is_final(message: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "unsafe precondition(s) violated",
        "panic in a function that cannot unwind",
        "panic in a destructor during cleanup",
        "attempted to zero-initialize type",
        "attempted to leave type",
        "attempted to instantiate uninhabited type",
        "null pointer dereference occurred",
        "misaligned pointer dereference",
    ];
    BEGINNINGS.iter().any(|beginning| message.starts_with(beginning))
}

/// Prints nothing but last words, and ignores threads that the code under test started.
fn see(info: &PanicHookInfo<'_>) {
    let machine = machine::current();
    if machine.is_null() {
        return;
    }
    let here = (&raw const machine).addr();
    allocator::unattributed(|| {
        let location = info.location();
        let message = message_of(info.payload());
        if is_final(&message) {
            let place = location.map_or(String::new(), |place| place.to_string());
            // The code under test may have closed it.
            let _ = writeln!(std::io::stderr(), "thread panicked at {place}:\n{message}");
        }
        // While code under test runs, nobody else uses the machine.
        unsafe {
            let backtrace = if (*machine).options.backtrace {
                cut(std::backtrace::Backtrace::force_capture().to_string(), MAX_BACKTRACE_BYTES)
            } else {
                String::new()
            };
            if is_final(&message) && !backtrace.is_empty() {
                let end = backtrace.floor_char_boundary(MAX_LAST_WORDS_BYTES);
                let _ = writeln!(std::io::stderr(), "stack backtrace:\n{}", &backtrace[..end]);
            }
            (*machine).sighting = Some(Sighting {
                message,
                file: location.map_or(String::new(), |l| l.file().to_owned()),
                line: location.map_or(0, |l| l.line()),
                column: location.map_or(0, |l| l.column()),
                depth: (*machine).stack_base.saturating_sub(here) as u32,
                backtrace,
            });
        }
    });
}

/// Describes a caught panic. `sighting` is taken only if it belongs to this payload: a panic may have been caught by the code under
/// test, and another one raised past the hook.
pub(crate) fn describe(sighting: Option<Sighting>, payload: Payload, statement: u32, phase: Phase) -> Panic {
    allocator::unattributed(|| {
        let message = message_of(&*payload);
        discard(payload);
        let sighting = sighting.filter(|seen| seen.message == message).unwrap_or_default();
        Panic {
            statement,
            phase,
            message,
            file: sighting.file,
            line: sighting.line,
            column: sighting.column,
            depth: sighting.depth,
            backtrace: sighting.backtrace,
        }
    })
}

/// Payload and exception of a panic with a plain message, in bytes: a program costs the same whether or not it unwinds.
pub(crate) const ALLOCATED_BY_STD: u64 = 72;

/// What [`describe`] says of a built-in that has nothing to unwrap, though nothing unwound.
pub(crate) fn nothing_there(statement: u32) -> Panic {
    allocator::unattributed(|| {
        let place = adapt::place_of_unwrapping();
        Panic {
            statement,
            phase: Phase::Call,
            message: adapt::NOTHING_THERE.to_owned(),
            file: place.file().to_owned(),
            line: place.line(),
            column: place.column(),
            depth: 0,
            backtrace: String::new(),
        }
    })
}

/// A payload is a value of the code under test: dropping it may panic again, which tells nobody anything.
pub(crate) fn discard(payload: Payload) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = if let Some(text) = payload.downcast_ref::<&'static str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else if let Some(refusal) = payload.downcast_ref::<Refusal>() {
        refusal.message()
    } else {
        "Box<dyn Any>"
    };
    text[..text.floor_char_boundary(MAX_MESSAGE_BYTES)].to_owned()
}

fn cut(mut text: String, limit: usize) -> String {
    text.truncate(text.floor_char_boundary(limit));
    text
}
