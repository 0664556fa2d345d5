//! What the code under test compares, written down while a program is traced.
//!
//! The compiler calls these before each comparison of numbers in target and harness, and programs call them to compare memory.
//! There are very many calls, so each is counted and goes straight back as long as nobody asked for traces. They are written in
//! assembly because only there it is known who called.
//!
//! While tracing, target code is in the middle of something: nothing is allocated here, and what does not fit is left out.
//!
//! Decision: `docs/decisions/020-comparisons-are-seen-by-the-worker.md`

use std::arch::global_asm;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use provoke_wire::{Comparison, MAX_COMPARED_BYTES, Operands};

use crate::measure::cost;
use crate::run::machine;

/// Whether operands are looked at.
#[doc(hidden)]
pub static IS_TRACING: AtomicBool = AtomicBool::new(false);

/// Comparisons of one program, and of one place in it, that are written down.
const MAX_EVENTS: usize = 1500;
const MAX_PER_SITE: u8 = 6;
/// Cases of one `match`.
const MAX_CASES: usize = 48;
/// Places that are told apart, as a power of two.
const N_SITES: usize = 4096;
const MAX_BYTES: usize = 16 << 10;

#[derive(Clone, Copy)]
struct Event {
    site: u32,
    statement: u32,
    n_bytes: u8,
    kind: Kind,
    a: u64,
    b: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Numbers,
    Case,
    /// `a` and `b` are places in the bytes of the trace, and `n_bytes` the length of each.
    Bytes,
}

struct Trace {
    events: Vec<Event>,
    bytes: Vec<u8>,
    /// Open addressing by site: how often it was met.
    met: Vec<(u32, u8)>,
}

struct Shared(UnsafeCell<Trace>);
// Only the thread that runs programs gets at it.
unsafe impl Sync for Shared {}

static TRACE: Shared = Shared(UnsafeCell::new(Trace { events: Vec::new(), bytes: Vec::new(), met: Vec::new() }));

/// What is compared on this thread is written down until [`stop`].
pub(crate) fn start() {
    // Nobody traces yet.
    let trace = unsafe { &mut *TRACE.0.get() };
    trace.events.clear();
    trace.events.reserve_exact(MAX_EVENTS);
    trace.bytes.clear();
    trace.bytes.reserve_exact(MAX_BYTES);
    trace.met.clear();
    trace.met.resize(N_SITES, (0, 0));
    IS_TRACING.store(true, Relaxed);
}

/// Nothing is written down any more, and what was stays.
pub(crate) fn pause() {
    IS_TRACING.store(false, Relaxed);
}

/// Replaces `comparisons` by what was written down.
pub(crate) fn stop(comparisons: &mut Vec<Comparison>) {
    pause();
    // Nobody traces any more.
    let trace = unsafe { &*TRACE.0.get() };
    comparisons.clear();
    comparisons.extend(trace.events.iter().map(|&Event { site, statement, n_bytes, kind, a, b }| {
        let range = |start: u64| trace.bytes[start as usize..][..n_bytes as usize].to_vec();
        let operands = match kind {
            Kind::Numbers => Operands::Numbers { n_bytes, a, b },
            Kind::Case => Operands::Case { n_bytes, value: a, case: b },
            Kind::Bytes => Operands::Bytes { a: range(a), b: range(b) },
        };
        Comparison { site, statement, operands }
    }));
}

/// The distance from a fixed place in the executable, which may be loaded anywhere.
fn site_of(caller: usize) -> u32 {
    caller.wrapping_sub(start as fn() as usize) as u32
}

/// The trace and the statement that is running, if there is room for one more event of this site and the call comes from the
/// thread that runs programs.
fn admit(site: u32) -> Option<(&'static mut Trace, u32)> {
    let statement = machine::running_statement()?;
    // What a panic compares on its way, texts of places and the like, is not about the arguments.
    if std::thread::panicking() {
        return None;
    }
    // Other threads were sent away, and no call from here leads back to here.
    let trace = unsafe { &mut *TRACE.0.get() };
    if trace.events.len() == MAX_EVENTS {
        return None;
    }
    let mut at = site.wrapping_mul(0x9e37_79b1) as usize % N_SITES;
    for _ in 0..8 {
        let (met, n) = &mut trace.met[at];
        if *n == 0 || *met == site {
            (*met, *n) = (site, *n + 1);
            let is_new = *n <= MAX_PER_SITE;
            *n = (*n).min(MAX_PER_SITE);
            return is_new.then_some((trace, statement));
        }
        at = (at + 1) % N_SITES;
    }
    None
}

/// Numbers of 64 bits between these are addresses: of the executable, of the heap, of a stack. Where things lie in memory depends
/// on what ran before in the process, and no literal of a program can change it. Code that keeps an address and some bits in one
/// word compares it shifted, by up to three bits.
const ADDRESSES: std::ops::RangeInclusive<u64> = 0x5000_0000_0000 / 8..=0xffff_ffff_ffff;

#[cold]
extern "C" fn record_numbers(a: u64, b: u64, caller: usize, n_bytes: u64) {
    cost::count_comparison();
    if n_bytes == 8 && (ADDRESSES.contains(&a) || ADDRESSES.contains(&b)) {
        return;
    }
    let site = site_of(caller);
    if let Some((trace, statement)) = admit(site) {
        // Registers may hold anything beyond the number.
        let mask = u64::MAX >> (64 - 8 * n_bytes);
        trace.events.push(Event {
            site,
            statement,
            n_bytes: n_bytes as u8,
            kind: Kind::Numbers,
            a: a & mask,
            b: b & mask,
        });
    }
}

/// `cases` starts with their number and the bits of the value.
#[cold]
unsafe extern "C" fn record_switch(value: u64, cases: *const u64, caller: usize) {
    cost::count_comparison();
    let site = site_of(caller);
    let Some((trace, statement)) = admit(site) else { return };
    // The compiler made the table.
    let (n_cases, n_bits) = unsafe { (*cases as usize, *cases.add(1)) };
    let n_bytes = match n_bits {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        _ => 8,
    };
    for nth in 0..n_cases.min(MAX_CASES) {
        if trace.events.len() == MAX_EVENTS {
            return;
        }
        let case = unsafe { *cases.add(2 + nth) };
        trace.events.push(Event { site, statement, n_bytes, kind: Kind::Case, a: value, b: case });
    }
}

/// As `memcmp`, and writes both operands down.
#[doc(hidden)]
#[cold]
pub unsafe extern "C" fn traced_memcmp(a: *const u8, b: *const u8, n: usize, caller: usize) -> i32 {
    let site = site_of(caller);
    if n > 0
        && let Some((trace, statement)) = admit(site)
    {
        let n_kept = n.min(MAX_COMPARED_BYTES);
        let start = trace.bytes.len();
        if start + 2 * n_kept <= MAX_BYTES {
            // Both are readable up to `n`.
            unsafe {
                trace.bytes.extend_from_slice(std::slice::from_raw_parts(a, n_kept));
                trace.bytes.extend_from_slice(std::slice::from_raw_parts(b, n_kept));
            }
            let (a, b) = (start as u64, (start + n_kept) as u64);
            trace.events.push(Event { site, statement, n_bytes: n_kept as u8, kind: Kind::Bytes, a, b });
        }
    }
    unsafe { plain_memcmp(a, b, n) }
}

/// As `memcmp` of the C library, which cannot be called by that name any more.
#[doc(hidden)]
pub unsafe extern "C" fn plain_memcmp(a: *const u8, b: *const u8, n: usize) -> i32 {
    // All reads are within the two ranges. A loop over single bytes would be compiled into a call of this function.
    unsafe {
        let word = |p: *const u8, at: usize| p.add(at).cast::<u64>().read_unaligned();
        let ordering = |x: u64, y: u64| if x.swap_bytes() < y.swap_bytes() { -1 } else { 1 };
        let mut at = 0;
        while at + 8 <= n {
            let (x, y) = (word(a, at), word(b, at));
            if x != y {
                return ordering(x, y);
            }
            at += 8;
        }
        let n_left = n - at;
        if n_left == 0 {
            return 0;
        }
        if n >= 8 {
            // Reaches back into what is known to be equal.
            let (x, y) = (word(a, n - 8), word(b, n - 8));
            return if x == y { 0 } else { ordering(x, y) };
        }
        let (x, y) = (few(a, n_left), few(b, n_left));
        if x == y { 0 } else { ordering(x, y) }
    }
}

/// Fewer than eight bytes as the beginning of a word.
unsafe fn few(p: *const u8, n: usize) -> u64 {
    unsafe {
        let (mut value, mut at) = (0u64, 0);
        if n & 4 != 0 {
            value = u64::from(p.cast::<u32>().read_unaligned());
            at = 4;
        }
        if n & 2 != 0 {
            value |= u64::from(p.add(at).cast::<u16>().read_unaligned()) << (8 * at);
            at += 2;
        }
        if n & 1 != 0 {
            value |= u64::from(*p.add(at)) << (8 * at);
        }
        value
    }
}

/// One function that the compiler calls: counts and goes straight back, unless operands are looked at. Whoever walks the stack must
/// know where it ends, since a worker may be asked for its stack here.
macro_rules! comparisons {
    ($($name:literal $n_bytes:literal,)*) => {$(
        #[cfg(target_arch = "x86_64")]
        global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            ".cfi_startproc",
            "cmp byte ptr [rip + {is_tracing}], 0",
            "jne 2f",
            "dec qword ptr [rip + {left}]",
            "jle 3f",
            "ret",
            "2:",
            "mov rdx, qword ptr [rsp]",
            concat!("mov ecx, ", $n_bytes),
            "jmp {record}",
            "3:",
            "jmp {much}",
            ".cfi_endproc",
            is_tracing = sym IS_TRACING,
            left = sym cost::COMPARISONS_LEFT,
            much = sym cost::compared_much,
            record = sym record_numbers,
        );
        #[cfg(target_arch = "aarch64")]
        global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ", %function"),
            concat!($name, ":"),
            ".cfi_startproc",
            "adrp x9, {is_tracing}",
            "ldrb w9, [x9, :lo12:{is_tracing}]",
            "cbnz w9, 2f",
            "adrp x9, {left}",
            "ldr x10, [x9, :lo12:{left}]",
            "subs x10, x10, #1",
            "str x10, [x9, :lo12:{left}]",
            "b.le 3f",
            "ret",
            "2:",
            "mov x2, x30",
            concat!("mov x3, ", $n_bytes),
            "b {record}",
            "3:",
            "b {much}",
            ".cfi_endproc",
            is_tracing = sym IS_TRACING,
            left = sym cost::COMPARISONS_LEFT,
            much = sym cost::compared_much,
            record = sym record_numbers,
        );
    )*};
}

comparisons! {
    "__sanitizer_cov_trace_cmp1" 1,
    "__sanitizer_cov_trace_cmp2" 2,
    "__sanitizer_cov_trace_cmp4" 4,
    "__sanitizer_cov_trace_cmp8" 8,
    "__sanitizer_cov_trace_const_cmp1" 1,
    "__sanitizer_cov_trace_const_cmp2" 2,
    "__sanitizer_cov_trace_const_cmp4" 4,
    "__sanitizer_cov_trace_const_cmp8" 8,
}

#[cfg(target_arch = "x86_64")]
global_asm!(
    ".globl __sanitizer_cov_trace_switch",
    ".type __sanitizer_cov_trace_switch, @function",
    "__sanitizer_cov_trace_switch:",
    ".cfi_startproc",
    "cmp byte ptr [rip + {is_tracing}], 0",
    "jne 2f",
    "dec qword ptr [rip + {left}]",
    "jle 3f",
    "ret",
    "2:",
    "mov rdx, qword ptr [rsp]",
    "jmp {record}",
    "3:",
    "jmp {much}",
    ".cfi_endproc",
    is_tracing = sym IS_TRACING,
    left = sym cost::COMPARISONS_LEFT,
    much = sym cost::compared_much,
    record = sym record_switch,
);

#[cfg(target_arch = "aarch64")]
global_asm!(
    ".globl __sanitizer_cov_trace_switch",
    ".type __sanitizer_cov_trace_switch, %function",
    "__sanitizer_cov_trace_switch:",
    ".cfi_startproc",
    "adrp x9, {is_tracing}",
    "ldrb w9, [x9, :lo12:{is_tracing}]",
    "cbnz w9, 2f",
    "adrp x9, {left}",
    "ldr x10, [x9, :lo12:{left}]",
    "subs x10, x10, #1",
    "str x10, [x9, :lo12:{left}]",
    "b.le 3f",
    "ret",
    "2:",
    "mov x2, x30",
    "b {record}",
    "3:",
    "b {much}",
    ".cfi_endproc",
    is_tracing = sym IS_TRACING,
    left = sym cost::COMPARISONS_LEFT,
    much = sym cost::compared_much,
    record = sym record_switch,
);

/// Defines `memcmp` and `bcmp`, which the linker prefers to those of the C library.
#[doc(hidden)]
#[macro_export]
macro_rules! memory_comparisons {
    ($($name:literal)*) => {$(
        #[cfg(target_arch = "x86_64")]
        ::std::arch::global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ", @function"),
            concat!($name, ":"),
            ".cfi_startproc",
            "cmp byte ptr [rip + {is_tracing}], 0",
            "jne 2f",
            "jmp {plain}",
            "2:",
            "mov rcx, qword ptr [rsp]",
            "jmp {traced}",
            ".cfi_endproc",
            is_tracing = sym $crate::compares::IS_TRACING,
            plain = sym $crate::compares::plain_memcmp,
            traced = sym $crate::compares::traced_memcmp,
        );
        #[cfg(target_arch = "aarch64")]
        ::std::arch::global_asm!(
            concat!(".globl ", $name),
            concat!(".type ", $name, ", %function"),
            concat!($name, ":"),
            ".cfi_startproc",
            "adrp x9, {is_tracing}",
            "ldrb w9, [x9, :lo12:{is_tracing}]",
            "cbnz w9, 2f",
            "b {plain}",
            "2:",
            "mov x3, x30",
            "b {traced}",
            ".cfi_endproc",
            is_tracing = sym $crate::compares::IS_TRACING,
            plain = sym $crate::compares::plain_memcmp,
            traced = sym $crate::compares::traced_memcmp,
        );
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_compared_as_the_c_library_does() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        };
        for _ in 0..20_000 {
            let n = next() % 40;
            let a: Vec<u8> = (0..n).map(|_| (next() % 3) as u8 * 127).collect();
            let mut b = a.clone();
            if n > 0 && next() % 4 != 0 {
                let at = next() % n;
                b[at] = (next() % 256) as u8;
            }
            let got = unsafe { plain_memcmp(a.as_ptr(), b.as_ptr(), n) };
            assert_eq!(got.cmp(&0), a.cmp(&b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn addresses_are_told_from_numbers() {
        let on_heap = Box::new(1u8);
        let on_stack = 1u8;
        let addresses = [&raw const *on_heap as u64, &raw const on_stack as u64, start as fn() as usize as u64];
        assert!(addresses.iter().all(|address| ADDRESSES.contains(address)), "{addresses:x?}");
        assert!(addresses.iter().all(|address| ADDRESSES.contains(&(address / 8))), "{addresses:x?}");
        assert!(![0, 1 << 40, u64::MAX, i64::MIN as u64].iter().any(|number| ADDRESSES.contains(number)));
    }
}
