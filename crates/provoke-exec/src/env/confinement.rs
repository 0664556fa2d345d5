//! How the worker locks itself in: the kernel's system call filter, and the handler of what it traps.
//!
//! Which calls are trapped, and what becomes of each, the filter says ([`Trapped`]); the tool wrote it. Here a refused call gets
//! an error, and the shared page is told what the running statement was kept from doing. So nobody has to guess from
//! the text of a panic whether the sandbox caused it.
//!
//! The handler may interrupt the code under test anywhere: it allocates nothing, takes no lock and leaves `errno` alone.
//!
//! Decision: `docs/decisions/083-the-sandbox-says-what-it-refused.md`

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use provoke_wire::{Confinement, Forbidden, Manner, Page, Trapped};

use crate::env::sys;
use crate::env::sys::{EACCES, EINVAL, EPERM, EROFS, EXDEV, Interrupted, number, system_call};
use crate::measure::allocator;

/// The kernel's code for a signal that its filter caused.
const SYS_SECCOMP: i32 = 1;
/// One word of 64 signals.
const MASK_BYTES: isize = 8;
const SIG_BLOCK: isize = 0;
const SIG_UNBLOCK: isize = 1;
const SIG_SETMASK: isize = 2;

/// Zero as long as nothing is confined: the kernel ignores an argument that a call does not have.
static PASS: AtomicU64 = AtomicU64::new(0);
static PAGE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

/// Where it is put down what was blocked. The mapping must stay for ever.
pub(crate) fn set_page(address: *mut u8) {
    PAGE.store(address, Relaxed);
}

/// The page, from anywhere in the process.
pub(crate) fn page() -> Option<Page> {
    let address = PAGE.load(Relaxed);
    // Never unmapped.
    (!address.is_null()).then(|| unsafe { Page::new(address) })
}

/// From now on, the filter applies to every thread.
pub(crate) fn confine(confinement: &Confinement<'_>) -> Result<(), &'static str> {
    if !sys::install_handler(sys::SIGSYS, on_trap) {
        return Err("the handler of trapped calls cannot be installed");
    }
    PASS.store(confinement.pass, Relaxed);
    sys::install_filter(confinement.filter)
}

/// Makes a system call of five arguments or fewer as the worker itself.
///
/// # Safety
/// As the system call.
pub(crate) unsafe fn privileged_call(number: isize, mut args: [isize; 6]) -> isize {
    args[5] = PASS.load(Relaxed) as isize;
    unsafe { system_call(number, args) }
}

unsafe extern "C" fn on_trap(_signal: i32, info: *const sys::SignalInfo, context: *mut c_void) {
    // The kernel passes both, and they live as long as the handler runs.
    unsafe {
        if (*info).code != SYS_SECCOMP {
            return;
        }
        let trapped = Trapped::from_bits((*info).errno as u32);
        let mut interrupted = Interrupted::new(context);
        let result = answer(trapped, (*info).system_call as isize, &mut interrupted);
        interrupted.set_result(result);
    }
}

/// The result that the trapped call shall have.
unsafe fn answer(trapped: Trapped, number: isize, interrupted: &mut Interrupted) -> isize {
    let args = interrupted.args();
    match trapped.manner {
        Manner::Refuse => {
            put_down(trapped.what);
            -EPERM
        }
        Manner::Ask => {
            let result = unsafe { privileged_call(number, args) };
            let is_move = trapped.what == Forbidden::MoveFiles;
            if matches!(-result, EPERM | EACCES | EROFS) || is_move && -result == EXDEV {
                put_down(trapped.what);
            } else if let (Some(page), true) = (page(), result >= 0 && trapped.what != Forbidden::ReadFiles) {
                page.leave_files();
            }
            result
        }
        Manner::Note => {
            if let Some(page) = page() {
                page.leave_traces();
            }
            unsafe { privileged_call(number, args) }
        }
        Manner::SignalMask => unsafe { change_mask(args, interrupted.signal_mask()) },
        Manner::SignalThread => unsafe {
            let process = system_call(number::GETPID, [0; 6]);
            system_call(number::TGKILL, [process, args[0], args[1], 0, 0, 0])
        },
    }
}

/// What the executor itself is refused, as when it reads its own symbols, says nothing about the program.
fn put_down(what: Forbidden) {
    if let Some(page) = page()
        && !allocator::is_unattributed()
    {
        page.block(what);
    }
}

/// As `rt_sigprocmask(2)`, on the mask that is restored when the handler returns.
unsafe fn change_mask([how, set, old, size, ..]: [isize; 6], mask: *mut u64) -> isize {
    const TRAPS: u64 = 1 << (sys::SIGSYS - 1);
    if size != MASK_BYTES {
        return -EINVAL;
    }
    // The pointers are those that the code under test wanted the kernel to use.
    unsafe {
        let (set, before) = ((set as *const u64).read_unaligned(), *mask);
        let after = match how {
            SIG_BLOCK => before | set,
            SIG_UNBLOCK => before & !set,
            SIG_SETMASK => set,
            _ => return -EINVAL,
        };
        if old != 0 {
            (old as *mut u64).write_unaligned(before);
        }
        // With this one blocked, the next trapped call would end the process.
        *mask = after & !TRAPS;
    }
    0
}
