//! Calls that disturb their surroundings, none of which is a reason to report anything.

use std::io::{Read, Write};
use std::sync::Once;

/// Writes a lot to both streams and reads all there is: nothing.
pub fn chatters(n: u8) -> bool {
    let line = [b'x'; 200];
    for _ in 0..n % 8 {
        let _ = std::io::stdout().write_all(&line);
        let _ = std::io::stderr().write_all(&line);
    }
    let mut input = Vec::new();
    let n_read = std::io::stdin().read_to_end(&mut input).unwrap_or_default();
    debug_assert_eq!(n_read, 0, "nobody talks to the worker here");
    n_read > 0
}

/// The panic is the thread's own affair.
pub fn panics_on_a_thread(n: u8) -> bool {
    let thread = std::thread::spawn(move || assert!(n % 2 == 0, "odd"));
    thread.join().is_ok()
}

/// Later panics must be noticed all the same.
pub fn replaces_the_panic_hook() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Once per process; the tool has to end it.
pub fn leaves_a_child_behind() -> bool {
    static ONCE: Once = Once::new();
    let mut is_started = true;
    ONCE.call_once(|| is_started = std::process::Command::new("sleep").arg("1000").spawn().is_ok());
    is_started
}

/// Once per process; what it costs must not be put down to other calls.
pub fn leaves_a_busy_thread_behind() -> bool {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        drop(std::thread::spawn(|| {
            loop {
                std::hint::spin_loop()
            }
        }))
    });
    ONCE.is_completed()
}

/// The user's directory and variables are not the worker's.
pub fn litters() -> bool {
    // SAFETY: nobody reads variables at the same time.
    unsafe { std::env::set_var("PATH", "/nowhere") };
    std::fs::write("litter", "x").is_ok()
}
