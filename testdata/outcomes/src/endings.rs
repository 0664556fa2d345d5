//! Calls after which the process is gone, or ought to be.

use std::hint::black_box;

/// An error.
pub fn aborts(n: u8) -> u8 {
    if n > 9 {
        std::process::abort();
    }
    n
}

/// Not reported: somebody asked for it.
pub fn ends_the_process(n: u8) -> u8 {
    if n > 9 {
        std::process::exit(3);
    }
    n
}

/// An error: safe code must not do this.
pub fn reads_nowhere(n: u8) -> u8 {
    let nowhere = black_box(8 * usize::from(n)) as *const u8;
    if n > 9 { unsafe { nowhere.read_volatile() } } else { n }
}

/// An error.
pub fn never_returns(n: u8) -> u8 {
    let mut count = n;
    while n > 9 {
        count = black_box(count.wrapping_add(1));
    }
    count
}

/// An error: it uses no processor time, but does not return either.
pub fn never_wakes_up(n: u8) -> u8 {
    while n > 9 {
        std::thread::park();
    }
    n
}

/// An error.
pub fn overflows_the_stack(n: u8) -> u64 {
    fn descend(depth: u64) -> u64 {
        let deeper = black_box([depth; 16]);
        if depth == 0 { 0 } else { descend(deeper[3]) + deeper[5] }
    }
    if n > 9 { descend(u64::from(n)) } else { 0 }
}

/// Not reported, however much is asked for.
pub fn allocates(n: usize) -> usize {
    vec![1_u8; n].len()
}
