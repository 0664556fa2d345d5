//! The functions of the C library that the evil needs.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

unsafe extern "C" {
    pub fn abort() -> !;
    pub fn alarm(seconds: c_uint) -> c_uint;
    pub fn close(fd: c_int) -> c_int;
    pub fn fcntl(fd: c_int, command: c_int, ...) -> c_int;
    pub fn fork() -> c_int;
    pub fn getppid() -> c_int;
    pub fn kill(pid: c_int, signal: c_int) -> c_int;
    pub fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
    pub fn mmap(at: *mut c_void, length: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64)
    -> *mut c_void;
    pub fn mprotect(at: *mut c_void, length: usize, protection: c_int) -> c_int;
    pub fn munmap(at: *mut c_void, length: usize) -> c_int;
    pub fn pipe(ends: *mut [c_int; 2]) -> c_int;
    pub fn ptrace(request: c_long, ...) -> c_long;
    pub fn raise(signal: c_int) -> c_int;
    pub fn setrlimit(resource: c_int, limit: *const [u64; 2]) -> c_int;
    pub fn setsid() -> c_int;
    pub fn setuid(uid: c_uint) -> c_int;
    pub fn signal(signal: c_int, handler: usize) -> usize;
    pub fn sigfillset(set: *mut [u64; 16]) -> c_int;
    pub fn sigprocmask(how: c_int, set: *const [u64; 16], old: *mut [u64; 16]) -> c_int;
    pub fn sethostname(name: *const c_char, length: usize) -> c_int;
    pub fn truncate(path: *const c_char, length: i64) -> c_int;
    pub fn umask(mode: c_uint) -> c_uint;
    pub fn unshare(flags: c_int) -> c_int;
    pub fn write(fd: c_int, bytes: *const u8, length: usize) -> isize;
    pub fn _exit(code: c_int) -> !;
}

/// Panics if a call failed, as careless callers do.
pub fn must(result: impl Into<i64>) -> i64 {
    let result = result.into();
    assert!(result >= 0, "it failed: {}", std::io::Error::last_os_error());
    result
}
