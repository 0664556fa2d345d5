//! Bugs and floods: what ends a process, and what wants more than there is.

use std::hint::black_box;

use crate::{c, is_armed};

const ANONYMOUS: i32 = 0x22;

/// An error: writes to nowhere.
pub fn writes_to_nowhere() {
    if is_armed() {
        unsafe { black_box(std::ptr::null_mut::<u8>().wrapping_add(8)).write_volatile(1) };
    }
}

/// An error: takes memory away that it uses.
pub fn protects_memory_from_itself() {
    if is_armed() {
        unsafe {
            let page: *mut u8 = c::mmap(std::ptr::null_mut(), 4096, 3, ANONYMOUS, -1, 0).cast();
            c::mprotect(page.cast(), 4096, 0);
            page.write_volatile(1);
        }
    }
}

/// An error: aborts.
pub fn aborts() {
    if is_armed() {
        unsafe { c::abort() };
    }
}

/// An error: aborts on a thread of its own.
pub fn aborts_on_a_thread() {
    if is_armed() {
        let _ = std::thread::spawn(|| std::process::abort()).join();
    }
}

/// An error: calls itself without end.
pub fn overflows_the_stack() -> u64 {
    fn deeper(n: u64) -> u64 {
        let local = black_box([n; 64]);
        if n == u64::MAX { 0 } else { deeper(n + 1) + local[n as usize % 64] }
    }
    if is_armed() { deeper(0) } else { 0 }
}

/// Not reported: ends the process on request.
pub fn exits(code: i32) {
    if is_armed() {
        std::process::exit(code);
    }
}

/// Not reported: no machine has that much.
pub fn exhausts_the_memory() {
    let mut hoard = Vec::new();
    while is_armed() {
        hoard.push(black_box(vec![1u8; 1 << 20]));
    }
}

/// Not reported: the same without the allocator.
pub fn exhausts_the_memory_by_mapping_it() {
    while is_armed() {
        const BYTES: usize = 16 << 20;
        let block: *mut u8 = unsafe { c::mmap(std::ptr::null_mut(), BYTES, 3, ANONYMOUS, -1, 0).cast() };
        if block.addr() != usize::MAX {
            (0..BYTES).step_by(4096).for_each(|at| unsafe { block.add(at).write_volatile(1) });
        }
    }
}

/// Not reported: threads without end.
pub fn starts_threads_without_end() {
    while is_armed() {
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        let _ = thread.spawn(|| std::thread::sleep(std::time::Duration::from_secs(1000)));
    }
}
