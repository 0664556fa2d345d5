//! Calls that do not return, whatever they do meanwhile, and one that only takes its time.

use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

/// An error.
pub fn never_returns(n: u8) -> bool {
    let mut count = n;
    loop {
        if n < 10 {
            return count > 3;
        }
        count = black_box(count.wrapping_add(1));
    }
}

/// An error: it uses no processor time, but does not return either.
pub fn never_wakes_up(n: u8) -> bool {
    while n > 9 {
        std::thread::park();
    }
    n > 3
}

/// An error: it wakes up now and then, but gets nowhere.
pub fn tries_for_ever(n: u8) -> bool {
    while n > 9 {
        sleep(Duration::from_millis(50));
    }
    n > 3
}

/// Not reported: it gives up in the end.
pub fn tries_ten_times(n: u8) -> bool {
    for _ in 0..if n > 9 { 10 } else { 0 } {
        sleep(Duration::from_millis(50));
    }
    n > 3
}

/// Not reported: it waits by design, as its name says.
pub fn wait_for_ever(n: u8) -> bool {
    never_wakes_up(n)
}

/// Not reported: only an immodest number makes it slow.
pub fn counts_up_to(n: u64) -> bool {
    let mut count = 0;
    while black_box(count) < n {
        count += 1;
    }
    count == 7
}
