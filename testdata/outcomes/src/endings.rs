//! Calls after which the process is gone.

use std::hint::black_box;

/// An error.
pub fn aborts(n: u8) -> bool {
    if n > 9 {
        std::process::abort();
    }
    n > 3
}

/// Not reported: somebody asked for it.
pub fn ends_the_process(n: u8) -> bool {
    if n > 9 {
        std::process::exit(3);
    }
    n > 3
}

/// An error: safe code must not do this.
pub fn reads_nowhere(n: u8) -> bool {
    let nowhere = black_box(8 * usize::from(n)) as *const u8;
    let value = if n > 9 { unsafe { nowhere.read_volatile() } } else { 0 };
    value > 3
}

/// An error.
pub fn overflows_the_stack(n: u8) -> bool {
    fn descend(depth: u64) -> u64 {
        let deeper = black_box([depth; 16]);
        if depth == 0 { 0 } else { descend(deeper[3]) + deeper[5] }
    }
    n > 9 && descend(u64::from(n)) > 3
}

/// Not reported, however much is asked for.
pub fn allocates(n: usize) -> bool {
    vec![1_u8; n].contains(&0)
}
