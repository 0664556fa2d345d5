//! The few functions of the C library that std does not offer, and system calls past the worker's own stand-ins.

use std::arch::asm;

pub(crate) const F_SETFD: i32 = 2;
pub(crate) const FD_CLOEXEC: i32 = 1;
pub(crate) const PROT_READ: i32 = 1;
pub(crate) const PROT_WRITE: i32 = 2;
pub(crate) const MAP_SHARED: i32 = 1;
pub(crate) const ETIMEDOUT: isize = 110;
pub(crate) const EINTR: isize = 4;

#[cfg(target_arch = "x86_64")]
pub(crate) mod number {
    pub const FUTEX: isize = 202;
    pub const CLOCK_GETTIME: isize = 228;
    pub const CLOCK_NANOSLEEP: isize = 230;
    pub const GETRANDOM: isize = 318;
}

#[cfg(target_arch = "aarch64")]
pub(crate) mod number {
    pub const FUTEX: isize = 98;
    pub const CLOCK_GETTIME: isize = 113;
    pub const CLOCK_NANOSLEEP: isize = 115;
    pub const GETRANDOM: isize = 278;
}

unsafe extern "C" {
    pub(crate) fn _exit(code: i32) -> !;
    pub(crate) fn fcntl(fd: i32, command: i32, ...) -> i32;
    pub(crate) fn mmap(address: *mut u8, length: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut u8;
    fn write(fd: i32, bytes: *const u8, length: usize) -> isize;
    fn __errno_location() -> *mut i32;
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
