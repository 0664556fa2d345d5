//! What the compiler calls before each comparison of numbers in target and harness.
//!
//! There are very many of them, so each costs a load and a branch as long as nobody asked for traces.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether operands are looked at.
pub(crate) static IS_TRACING: AtomicBool = AtomicBool::new(false);

#[cold]
#[inline(never)]
fn trace(a: u64, b: u64, n_bytes: u8) {
    std::hint::black_box((a, b, n_bytes));
}

macro_rules! comparisons {
    ($($name:ident $number:ty,)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(a: $number, b: $number) {
            if IS_TRACING.load(Relaxed) {
                trace(a.into(), b.into(), size_of::<$number>() as u8);
            }
        }
    )*};
}

comparisons! {
    __sanitizer_cov_trace_cmp1 u8,
    __sanitizer_cov_trace_cmp2 u16,
    __sanitizer_cov_trace_cmp4 u32,
    __sanitizer_cov_trace_cmp8 u64,
    __sanitizer_cov_trace_const_cmp1 u8,
    __sanitizer_cov_trace_const_cmp2 u16,
    __sanitizer_cov_trace_const_cmp4 u32,
    __sanitizer_cov_trace_const_cmp8 u64,
}

/// `cases` starts with their number and the bits of the value.
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_switch(_value: u64, _cases: *const u64) {}
