//! The few functions of the C library that std does not offer, and system calls past the worker's own stand-ins.

use std::arch::asm;
use std::ffi::{CStr, c_char, c_void};

pub(crate) const F_SETFD: i32 = 2;
pub(crate) const FD_CLOEXEC: i32 = 1;
pub(crate) const PROT_READ: i32 = 1;
pub(crate) const PROT_WRITE: i32 = 2;
pub(crate) const MAP_SHARED: i32 = 1;
pub(crate) const ETIMEDOUT: isize = 110;
pub(crate) const EINTR: isize = 4;
pub(crate) const EPERM: isize = 1;
pub(crate) const EACCES: isize = 13;
pub(crate) const EXDEV: isize = 18;
pub(crate) const EINVAL: isize = 22;
pub(crate) const EROFS: isize = 30;
pub(crate) const EPIPE: isize = 32;
/// Of a trapped system call.
pub(crate) const SIGSYS: i32 = 31;
pub(crate) const SIGBUS: i32 = 7;
pub(crate) const SIGSEGV: i32 = 11;
const SA_SIGINFO: i32 = 4;
const SA_ONSTACK: i32 = 0x0800_0000;
const SA_RESTART: i32 = 0x1000_0000;
const SA_NODEFER: i32 = 0x4000_0000;
const SECCOMP_SET_MODE_FILTER: isize = 1;
/// All threads, and without slowing down what has nothing to do with the filter.
const FILTER_FLAGS: isize = 1 | 4;
const ALL_THREADS: isize = 1;

#[cfg(target_arch = "x86_64")]
pub(crate) mod number {
    pub const FUTEX: isize = 202;
    pub const CLOCK_GETTIME: isize = 228;
    pub const CLOCK_NANOSLEEP: isize = 230;
    pub const GETRANDOM: isize = 318;
    pub const READ: isize = 0;
    pub const WRITE: isize = 1;
    pub const GETPID: isize = 39;
    pub const GETTID: isize = 186;
    pub const TGKILL: isize = 234;
    pub const SECCOMP: isize = 317;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod number {
    pub const FUTEX: isize = 98;
    pub const CLOCK_GETTIME: isize = 113;
    pub const CLOCK_NANOSLEEP: isize = 115;
    pub const GETRANDOM: isize = 278;
    pub const READ: isize = 63;
    pub const WRITE: isize = 64;
    pub const GETPID: isize = 172;
    pub const GETTID: isize = 178;
    pub const TGKILL: isize = 131;
    pub const SECCOMP: isize = 277;
}

unsafe extern "C" {
    pub(crate) fn _exit(code: i32) -> !;
    pub(crate) fn fcntl(fd: i32, command: i32, ...) -> i32;
    pub(crate) fn mmap(address: *mut u8, length: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut u8;
    fn write(fd: i32, bytes: *const u8, length: usize) -> isize;
    fn __errno_location() -> *mut i32;
    fn sigaction(signal: i32, action: *const SignalAction, old: *mut SignalAction) -> i32;
    fn raise(signal: i32) -> i32;
    fn sigaltstack(stack: *const SignalStack, old: *mut SignalStack) -> i32;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn close(fd: i32) -> i32;
}

/// What the kernel says of a signal that its system call filter caused.
#[repr(C)]
pub(crate) struct SignalInfo {
    signal: i32,
    /// The bits that the filter chose.
    pub errno: i32,
    pub code: i32,
    padding: i32,
    /// Of a fault: what was touched. Of a signal that a process sent: its number, in the first four bytes.
    pub address: *mut c_void,
    pub system_call: i32,
    architecture: u32,
}

impl SignalInfo {
    /// The process that sent the signal, if one did.
    pub fn sender(&self) -> u32 {
        self.address.addr() as u32
    }
}

pub(crate) type Handler = unsafe extern "C" fn(i32, *const SignalInfo, *mut c_void);

/// `struct sigaction` of the C libraries on both supported processors.
#[repr(C)]
struct SignalAction {
    /// A [`Handler`], or 0 for what the system does by itself, or 1 for nothing.
    handler: usize,
    mask: [u64; 16],
    flags: i32,
    restorer: *mut c_void,
}

impl SignalAction {
    fn new(handler: usize, flags: i32) -> SignalAction {
        SignalAction { handler, mask: [0; 16], flags, restorer: std::ptr::null_mut() }
    }
}

/// Whether it worked. The handler may be interrupted by its own signal.
pub(crate) fn install_handler(signal: i32, handler: Handler) -> bool {
    let action = SignalAction::new(handler as *const () as usize, SA_SIGINFO | SA_RESTART | SA_NODEFER);
    unsafe { sigaction(signal, &action, std::ptr::null_mut()) == 0 }
}

/// The handler that there was before, if it worked. Threads with an alternate stack run it there.
pub(crate) fn install_handler_on_stack(signal: i32, handler: Handler) -> Option<usize> {
    let action = SignalAction::new(handler as *const () as usize, SA_SIGINFO | SA_RESTART | SA_ONSTACK);
    let mut before = SignalAction::new(0, 0);
    (unsafe { sigaction(signal, &action, &mut before) } == 0).then_some(before.handler)
}

/// Leaves a signal to the system.
pub(crate) fn uninstall_handler(signal: i32) {
    let action = SignalAction::new(0, 0);
    unsafe { sigaction(signal, &action, std::ptr::null_mut()) };
}

/// Of a signal that is being handled: it comes when the handler is done.
pub(crate) fn send_to_itself(signal: i32) {
    unsafe { raise(signal) };
}

/// `stack_t` of the C libraries.
#[repr(C)]
struct SignalStack {
    start: *mut u8,
    flags: i32,
    n_bytes: usize,
}

/// Signals of the calling thread are handled on this memory from now on.
pub(crate) fn use_alternate_stack(start: *mut u8, n_bytes: usize) {
    let stack = SignalStack { start, flags: 0, n_bytes };
    // Without it there is less room.
    unsafe { sigaltstack(&stack, std::ptr::null_mut()) };
}

/// Installs a system call filter; needs no privileges if none can be gained any more.
pub(crate) fn install_filter(instructions: &[u8]) -> Result<(), &'static str> {
    #[repr(C)]
    struct FilterProgram {
        n_instructions: u16,
        instructions: *const u8,
    }
    let Ok(n_instructions) = u16::try_from(instructions.len() / 8) else {
        return Err("the system call filter is too long");
    };
    let program = FilterProgram { n_instructions, instructions: instructions.as_ptr() };
    // Older kernels do not know the second flag.
    for flags in [FILTER_FLAGS, ALL_THREADS] {
        let args = [SECCOMP_SET_MODE_FILTER, flags, &raw const program as isize, 0, 0, 0];
        if unsafe { system_call(number::SECCOMP, args) } == 0 {
            return Ok(());
        }
    }
    Err("the system call filter cannot be installed")
}

/// The next definition of a function after this program's own.
pub(crate) fn next_symbol(name: &CStr) -> *mut c_void {
    let after_this_one = usize::MAX as *mut c_void;
    unsafe { dlsym(after_this_one, name.as_ptr()) }
}

pub(crate) fn close_descriptor(fd: i32) {
    unsafe { close(fd) };
}

/// Of the calling thread, as the system numbers them.
pub(crate) fn thread_id() -> isize {
    unsafe { system_call(number::GETTID, [0; 6]) }
}

/// A tenth of a millisecond of real time.
pub(crate) fn pause_briefly() {
    let (clock, request) = (1, [0i64, 100_000]);
    unsafe { system_call(number::CLOCK_NANOSLEEP, [clock, 0, &raw const request as isize, 0, 0, 0]) };
}

/// What a signal interrupted: the registers of a system call, and what is restored when the handler returns.
pub(crate) struct Interrupted {
    context: *mut u8,
}

#[cfg(target_arch = "x86_64")]
impl Interrupted {
    /// In `ucontext_t`, after the flags, the link and the stack.
    const REGISTERS: usize = 40;
    const MASK: usize = 296;
    /// rdi, rsi, rdx, r10, r8, r9
    const ARGS: [usize; 6] = [8, 9, 12, 2, 0, 1];
    /// rax
    const RESULT: usize = 13;
}

#[cfg(target_arch = "aarch64")]
impl Interrupted {
    /// In `ucontext_t`, after the fault address of the machine context, which is aligned to 16 bytes.
    const REGISTERS: usize = 184;
    const MASK: usize = 40;
    const ARGS: [usize; 6] = [0, 1, 2, 3, 4, 5];
    const RESULT: usize = 0;
}

impl Interrupted {
    /// # Safety
    /// `context` is the third argument of a signal handler that is still running.
    pub(crate) unsafe fn new(context: *mut c_void) -> Interrupted {
        Interrupted { context: context.cast() }
    }

    fn register(&self, index: usize) -> *mut isize {
        // Inside the context, and aligned as it is.
        unsafe { self.context.add(Self::REGISTERS + 8 * index).cast() }
    }

    pub(crate) fn args(&self) -> [isize; 6] {
        Self::ARGS.map(|index| unsafe { *self.register(index) })
    }

    pub(crate) fn set_result(&mut self, result: isize) {
        unsafe { *self.register(Self::RESULT) = result };
    }

    pub(crate) fn signal_mask(&mut self) -> *mut u64 {
        unsafe { self.context.add(Self::MASK).cast() }
    }
}

/// Ends the process without running anything of the code under test.
pub(crate) fn exit_at_once(code: i32) -> ! {
    unsafe { _exit(code) }
}

/// Writes to standard error, which the tool captures, without touching std's locks.
pub(crate) fn say(text: &str) {
    unsafe {
        write(2, text.as_ptr(), text.len());
    }
}

/// What a C function makes of the result of a system call.
pub(crate) fn with_errno(result: isize) -> isize {
    if (-4095..0).contains(&result) {
        unsafe { *__errno_location() = -result as i32 };
        return -1;
    }
    result
}

/// # Safety
/// As the system call.
pub(crate) unsafe fn system_call(number: isize, args: [isize; 6]) -> isize {
    let result: isize;
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") args[0], in("rsi") args[1], in("rdx") args[2],
            in("r10") args[3], in("r8") args[4], in("r9") args[5],
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!(
            "svc 0",
            inlateout("x0") args[0] => result,
            in("x1") args[1], in("x2") args[2], in("x3") args[3],
            in("x4") args[4], in("x5") args[5], in("x8") number,
            options(nostack),
        );
    }
    result
}
