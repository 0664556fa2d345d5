//! Where the worker is: its stack, put down on the shared page when the tool asks, or when it overflows.
//!
//! The tool asks a worker that is over its limit, just before it ends it. The handlers may interrupt the code under test anywhere:
//! they allocate nothing. What addresses mean the tool finds out.
//!
//! Decision: `docs/decisions/065-faults-of-a-clause-are-the-clauses.md`

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use provoke_wire::{Page, STACK_SIGNAL};

use crate::env::sys::{SIGBUS, SIGSEGV, SignalInfo};
use crate::env::{confinement, sys};
use crate::run::machine;

/// Enough to unwind on. What std sets up for a thread is enough for its own handler only.
const ALTERNATE_BYTES: usize = 64 << 10;
/// How far from the end of its stack a thread may fault for that to be an overflow: large frames step over the guard.
const NEAR_END: usize = 1 << 20;

/// Of the thread that runs programs; there is one at a time.
static ALTERNATE: Alternate = Alternate(UnsafeCell::new([0; ALTERNATE_BYTES]));

#[repr(align(16))]
struct Alternate(UnsafeCell<[u8; ALTERNATE_BYTES]>);

// Nobody but the kernel uses it.
unsafe impl Sync for Alternate {}

/// What was done about faults before: std finds out whether the stack overflowed, says so and aborts.
static HANDLERS_BEFORE: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// How much stack the thread has that runs programs.
static STACK_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Whether it worked. What is on the stack is only put down if a batch asks for that.
pub(crate) fn install_handlers(stack_bytes: usize) -> bool {
    STACK_BYTES.store(stack_bytes, Relaxed);
    let before = [SIGSEGV, SIGBUS].map(|signal| sys::install_handler_on_stack(signal, on_fault));
    for (place, handler) in HANDLERS_BEFORE.iter().zip(before) {
        place.store(handler.unwrap_or(0), Relaxed);
    }
    before.iter().all(Option::is_some) && sys::install_handler_on_stack(STACK_SIGNAL, on_request).is_some()
}

/// The calling thread runs programs from now on.
pub(crate) fn enter_thread(page: Page) {
    page.set_thread(sys::thread_id() as u32);
    sys::use_alternate_stack(ALTERNATE.0.get().cast(), ALTERNATE_BYTES);
}

unsafe extern "C" fn on_request(signal: i32, info: *const SignalInfo, _context: *mut c_void) {
    // The kernel says who sent it.
    if unsafe { (*info).sender() } == std::process::id() {
        // The code under test: it gets what it would get without us, once this returns.
        sys::uninstall_handler(signal);
        sys::send_to_itself(signal);
        return;
    }
    put_down();
    // The tool ends the process now. What would happen until then has another stack.
    loop {
        sys::pause_briefly();
    }
}

unsafe extern "C" fn on_fault(signal: i32, info: *const SignalInfo, context: *mut c_void) {
    let machine = machine::current();
    // The kernel passes what it knows of the fault. While code under test runs, nobody else uses the machine.
    let is_asked = unsafe {
        !machine.is_null() && (*machine).options.stack && is_overflow((*machine).stack_base, (*info).address)
    };
    if is_asked {
        put_down();
    }
    let before = HANDLERS_BEFORE[usize::from(signal != SIGSEGV)].load(Relaxed);
    if before > 1 {
        // It was installed as a handler of this kind.
        let before: sys::Handler = unsafe { std::mem::transmute(before) };
        unsafe { before(signal, info, context) };
    } else {
        // The instruction faults again, and ends the process.
        sys::uninstall_handler(signal);
    }
}

/// Whether a fault at this address is due to the stack of the running program being used up.
fn is_overflow(stack_base: usize, address: *mut c_void) -> bool {
    let depth = stack_base.wrapping_sub(address.addr());
    let stack_bytes = STACK_BYTES.load(Relaxed);
    (stack_bytes.saturating_sub(NEAR_END)..stack_bytes + NEAR_END).contains(&depth)
}

/// Walks the stack of the calling thread, if that is the one that runs programs.
fn put_down() {
    let Some(mut page) = confinement::page().filter(|page| !machine::current().is_null() && !page.has_stack()) else {
        return;
    };
    // The callback gets what it expects.
    unsafe { _Unwind_Backtrace(add_frame, (&raw mut page).cast()) };
    page.finish_stack();
}

unsafe extern "C" fn add_frame(context: *mut c_void, page: *mut c_void) -> i32 {
    const GO_ON: i32 = 0;
    let mut is_exact = 0;
    // The unwinder passes on what it was given.
    let (address, page) = unsafe { (_Unwind_GetIPInfo(context, &mut is_exact), &*page.cast::<Page>()) };
    // A call returns behind itself, which may be in another line already; a signal returns to where it came.
    let is_interrupted = is_exact != 0;
    if is_interrupted {
        // What lies further in is the handler.
        page.forget_frames();
    }
    let address = if is_interrupted { address } else { address.wrapping_sub(1) };
    let offset = address.wrapping_sub((&raw const __ehdr_start).addr());
    // What lies elsewhere is no code of ours or of the code under test.
    page.add_frame(u32::try_from(offset).unwrap_or(0));
    GO_ON
}

unsafe extern "C" {
    /// Where the executable begins, by the linker.
    static __ehdr_start: u8;
    fn _Unwind_Backtrace(trace: unsafe extern "C" fn(*mut c_void, *mut c_void) -> i32, argument: *mut c_void) -> i32;
    fn _Unwind_GetIPInfo(context: *mut c_void, is_exact: *mut i32) -> usize;
}
