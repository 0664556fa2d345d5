//! Stand-ins for what std draws from outside: random numbers and clocks. Defined in the harness by [`worker!`](crate::run::worker),
//! where the linker prefers them to the C library's.
//!
//! Time is virtual: it starts from the batch's entropy and goes on by a microsecond with each look at it. Sleeping and waiting with
//! a time-out take real time, and move virtual time on to what was waited for. Deadlines are made with virtual clocks, so
//! the kernel must be given what is left of them; std and its likes wait through `syscall`, which therefore has a stand-in too.

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::env::sys;
use crate::env::sys::{EINTR, ETIMEDOUT, number, system_call};
use crate::measure::{cost, traces};

const SECOND: u64 = 1_000_000_000;
const TICK: u64 = 1_000;
/// Virtual calendars show a day in 2023: a deadline that reaches the kernel unseen then lies in the past, and nothing hangs.
const EARLIEST_DATE: u64 = 1_672_531_200 * SECOND;
const DAYS: u64 = 365;

const CLOCK_REALTIME: i32 = 0;
const CLOCK_MONOTONIC: i32 = 1;
const CLOCK_MONOTONIC_RAW: i32 = 4;
const CLOCK_REALTIME_COARSE: i32 = 5;
const CLOCK_MONOTONIC_COARSE: i32 = 6;
const CLOCK_BOOTTIME: i32 = 7;
const TIMER_ABSTIME: i32 = 1;

const FUTEX_WAIT: isize = 0;
const FUTEX_WAIT_BITSET: isize = 9;
const FUTEX_CLOCK_REALTIME: isize = 256;
const FUTEX_COMMAND: isize = !(128 | FUTEX_CLOCK_REALTIME);

/// Before the first batch, everything is real.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);
static RANDOM: AtomicU64 = AtomicU64::new(0);
/// Nanoseconds since the virtual machine was switched on.
static UPTIME: AtomicU64 = AtomicU64::new(0);
/// The virtual date of switching on, in nanoseconds.
static DATE: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

#[repr(C)]
pub struct Timeval {
    seconds: i64,
    microseconds: i64,
}

/// Everything drawn from now on follows from `entropy`.
pub(crate) fn reset(entropy: u64) {
    RANDOM.store(entropy, Relaxed);
    // From seconds to weeks: what depends on how long the machine has been up is to show as such.
    let scale = scramble(entropy ^ 3) % 20;
    UPTIME.store(((10 * SECOND) << scale) + scramble(entropy ^ 1) % SECOND, Relaxed);
    DATE.store(EARLIEST_DATE + scramble(entropy ^ 2) % (DAYS * 86_400 * SECOND), Relaxed);
    IS_ACTIVE.store(true, Relaxed);
}

/// Neighbouring numbers give unrelated ones.
fn scramble(n: u64) -> u64 {
    let n = (n ^ n >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let n = (n ^ n >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    n ^ n >> 32
}

/// # Safety
/// `EAI_NONAME` of `getaddrinfo(3)`.
pub const NO_SUCH_NAME: i32 = -2;

/// As `getrandom(2)`.
pub unsafe fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
    if !IS_ACTIVE.load(Relaxed) {
        let args = [buffer as isize, length as isize, flags as isize, 0, 0, 0];
        return sys::with_errno(unsafe { system_call(number::GETRANDOM, args) });
    }
    // The caller owns `length` bytes at `buffer`.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer, length) };
    for chunk in bytes.chunks_mut(8) {
        let n = RANDOM.fetch_add(0x9e37_79b9_7f4a_7c15, Relaxed);
        chunk.copy_from_slice(&scramble(n).to_le_bytes()[..chunk.len()]);
    }
    length as isize
}

/// The virtual reading of a clock; `None` for clocks that stay real, such as processor time.
fn reading(clock: i32, tick: u64) -> Option<u64> {
    if !IS_ACTIVE.load(Relaxed) {
        return None;
    }
    let base = match clock {
        CLOCK_MONOTONIC | CLOCK_MONOTONIC_RAW | CLOCK_MONOTONIC_COARSE | CLOCK_BOOTTIME => 0,
        CLOCK_REALTIME | CLOCK_REALTIME_COARSE => DATE.load(Relaxed),
        _ => return None,
    };
    Some(base + UPTIME.fetch_add(tick, Relaxed))
}

/// # Safety
/// As `clock_gettime(2)`.
pub unsafe fn clock_gettime(clock: i32, out: *mut Timespec) -> i32 {
    match reading(clock, TICK) {
        Some(now) => {
            unsafe { out.write(Timespec::from_nanoseconds(now)) };
            0
        }
        None => {
            let args = [clock as isize, out as isize, 0, 0, 0, 0];
            sys::with_errno(unsafe { system_call(number::CLOCK_GETTIME, args) }) as i32
        }
    }
}

/// # Safety
/// As `gettimeofday(2)`.
pub unsafe fn gettimeofday(out: *mut Timeval) -> i32 {
    let mut now = Timespec::from_nanoseconds(0);
    unsafe {
        clock_gettime(CLOCK_REALTIME, &mut now);
        if !out.is_null() {
            out.write(Timeval { seconds: now.seconds, microseconds: now.nanoseconds / 1000 });
        }
    }
    0
}

/// # Safety
/// As `time(2)`.
pub unsafe fn time(out: *mut i64) -> i64 {
    let mut now = Timespec::from_nanoseconds(0);
    unsafe {
        clock_gettime(CLOCK_REALTIME, &mut now);
        if !out.is_null() {
            out.write(now.seconds);
        }
    }
    now.seconds
}

/// # Safety
/// As `clock_nanosleep(2)`, whose result (an error number, or 0) it gives.
pub unsafe fn clock_nanosleep(clock: i32, flags: i32, request: *const Timespec, remainder: *mut Timespec) -> i32 {
    let virtual_now = reading(clock, 0);
    let (Some(now), Some(wanted)) = (virtual_now, unsafe { Timespec::read(request) }) else {
        let args = [clock as isize, flags as isize, request as isize, remainder as isize, 0, 0];
        return -unsafe { system_call(number::CLOCK_NANOSLEEP, args) } as i32;
    };
    let is_absolute = flags & TIMER_ABSTIME != 0;
    let wait = if is_absolute { wanted.saturating_sub(now) } else { wanted };
    let wakes_at = UPTIME.load(Relaxed).saturating_add(wait);
    let real = Timespec::from_nanoseconds(wait);
    let remainder = if is_absolute { std::ptr::null_mut() } else { remainder };
    let args = [CLOCK_MONOTONIC as isize, 0, &raw const real as isize, remainder as isize, 0, 0];
    let error = -unsafe { system_call(number::CLOCK_NANOSLEEP, args) };
    if error != EINTR {
        UPTIME.fetch_max(wakes_at, Relaxed);
        cost::sleep(wait);
    }
    error as i32
}

/// # Safety
/// As `nanosleep(2)`.
pub unsafe fn nanosleep(request: *const Timespec, remainder: *mut Timespec) -> i32 {
    let error = unsafe { clock_nanosleep(CLOCK_MONOTONIC, 0, request, remainder) };
    sys::with_errno(-error as isize) as i32
}

/// # Safety
/// As the system call.
pub unsafe fn syscall(number: isize, args: [isize; 6]) -> isize {
    if IS_ACTIVE.load(Relaxed) {
        let command = args[1] & FUTEX_COMMAND;
        let is_timed = matches!(command, FUTEX_WAIT | FUTEX_WAIT_BITSET) && args[3] != 0;
        if number == number::FUTEX && is_timed {
            return sys::with_errno(unsafe { futex_wait(args) });
        }
        if number == number::GETRANDOM {
            return unsafe { getrandom(args[0] as *mut u8, args[1] as usize, 0) };
        }
        if number == number::CLOCK_GETTIME {
            return unsafe { clock_gettime(args[0] as i32, args[1] as *mut Timespec) } as isize;
        }
    }
    sys::with_errno(unsafe { system_call(number, args) })
}

type ThreadStart = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

/// Counts the threads that are started.
///
/// # Safety
/// As `pthread_create(3)`.
pub unsafe fn pthread_create(
    thread: *mut c_void,
    attributes: *const c_void,
    start: ThreadStart,
    argument: *mut c_void,
) -> i32 {
    const EAGAIN: i32 = 11;
    static REAL: OnceLock<usize> = OnceLock::new();
    traces::thread_starts();
    let real = traces::real(c"pthread_create", &REAL);
    if real.is_null() {
        return EAGAIN;
    }
    type Real = unsafe extern "C" fn(*mut c_void, *const c_void, ThreadStart, *mut c_void) -> i32;
    // The symbol is this function in every C library; so are those below.
    unsafe { std::mem::transmute::<*mut c_void, Real>(real)(thread, attributes, start, argument) }
}

/// Notes that the environment is not any more what it was.
///
/// # Safety
/// As `setenv(3)`.
pub unsafe fn setenv(name: *const c_char, value: *const c_char, overwrites: i32) -> i32 {
    static REAL: OnceLock<usize> = OnceLock::new();
    traces::environment_changes();
    let real = traces::real(c"setenv", &REAL);
    if real.is_null() {
        return -1;
    }
    type Real = unsafe extern "C" fn(*const c_char, *const c_char, i32) -> i32;
    unsafe { std::mem::transmute::<*mut c_void, Real>(real)(name, value, overwrites) }
}

/// As [`setenv`].
///
/// # Safety
/// As `unsetenv(3)`.
pub unsafe fn unsetenv(name: *const c_char) -> i32 {
    static REAL: OnceLock<usize> = OnceLock::new();
    traces::environment_changes();
    let real = traces::real(c"unsetenv", &REAL);
    if real.is_null() {
        return -1;
    }
    type Real = unsafe extern "C" fn(*const c_char) -> i32;
    unsafe { std::mem::transmute::<*mut c_void, Real>(real)(name) }
}

/// Waits on a futex as long as virtual time says, in real time.
unsafe fn futex_wait(mut args: [isize; 6]) -> isize {
    let is_relative = args[1] & FUTEX_COMMAND == FUTEX_WAIT;
    let is_date = args[1] & FUTEX_CLOCK_REALTIME != 0;
    let virtual_clock = if is_date { CLOCK_REALTIME } else { CLOCK_MONOTONIC };
    let virtual_now = reading(virtual_clock, 0);
    let wanted = unsafe { Timespec::read(args[3] as *const Timespec) };
    let (Some(now), Some(wanted)) = (virtual_now, wanted) else {
        return unsafe { system_call(number::FUTEX, args) };
    };
    let wait = if is_relative { wanted } else { wanted.saturating_sub(now) };
    let wakes_at = UPTIME.load(Relaxed).saturating_add(wait);
    let mut real = Timespec::from_nanoseconds(wait);
    if !is_relative {
        let mut real_now = Timespec::from_nanoseconds(0);
        let clock_args = [virtual_clock as isize, &raw mut real_now as isize, 0, 0, 0, 0];
        unsafe { system_call(number::CLOCK_GETTIME, clock_args) };
        real = Timespec::from_nanoseconds(real_now.nanoseconds().saturating_add(wait));
    }
    args[3] = &raw const real as isize;
    let result = unsafe { system_call(number::FUTEX, args) };
    if result == -ETIMEDOUT {
        UPTIME.fetch_max(wakes_at, Relaxed);
        cost::sleep(wait);
    }
    result
}

impl Timespec {
    fn from_nanoseconds(n: u64) -> Timespec {
        Timespec { seconds: (n / SECOND) as i64, nanoseconds: (n % SECOND) as i64 }
    }

    fn nanoseconds(self) -> u64 {
        (self.seconds as u64).saturating_mul(SECOND).saturating_add(self.nanoseconds as u64)
    }

    /// `None` for what the kernel would refuse; it may say so itself.
    ///
    /// # Safety
    /// `address` is null or points to a `Timespec`.
    unsafe fn read(address: *const Timespec) -> Option<u64> {
        if address.is_null() {
            return None;
        }
        let spec = unsafe { address.read() };
        (spec.seconds >= 0 && (0..SECOND as i64).contains(&spec.nanoseconds)).then(|| spec.nanoseconds())
    }
}
