//! Attempts to be more than one process, or to reach others. Blocked.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::{c, is_armed};

const SIGTERM: i32 = 15;
/// Ignored by whoever does not expect it.
const SIGURG: i32 = 23;
const SIGSYS: i32 = 31;

/// Starts a program.
pub fn starts_a_program() {
    if is_armed() {
        Command::new("/bin/sleep").arg("1000").spawn().unwrap();
    }
}

/// Becomes another program.
pub fn becomes_another_program() {
    if is_armed() {
        panic!("{}", Command::new("/bin/sleep").arg("1000").exec());
    }
}

/// Leaves a child behind.
pub fn forks() {
    if is_armed() && c::must(unsafe { c::fork() }) == 0 {
        linger();
    }
}

/// Leaves a grandchild in a session of its own behind, as daemons do.
pub fn daemonizes() {
    if is_armed() && c::must(unsafe { c::fork() }) == 0 {
        unsafe { c::setsid() };
        if unsafe { c::fork() } == 0 {
            linger();
        }
        unsafe { c::_exit(0) };
    }
}

/// Forks with all signals blocked, so that no handler can come between.
pub fn forks_with_signals_blocked() {
    if is_armed() {
        let (mut all, mut old) = ([0; 16], [0; 16]);
        let child = unsafe {
            c::sigfillset(&mut all);
            c::sigprocmask(0, &all, &mut old);
            let child = c::fork();
            c::sigprocmask(2, &old, std::ptr::null_mut());
            child
        };
        if c::must(child) == 0 {
            linger();
        }
    }
}

fn linger() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1000));
    }
}

/// Kills whoever started it.
pub fn kills_its_parent() {
    if is_armed() {
        c::must(unsafe { c::kill(c::getppid(), SIGTERM) });
    }
}

/// Signals everybody.
pub fn signals_everybody() {
    if is_armed() {
        c::must(unsafe { c::kill(-1, SIGURG) });
    }
}

/// Lets a pipe send the signal.
pub fn signals_its_parent_through_a_pipe() {
    const SETOWN: i32 = 8;
    if is_armed() {
        let mut ends = [0; 2];
        unsafe {
            c::must(c::pipe(&mut ends));
            c::must(c::fcntl(ends[0], SETOWN, c::getppid()));
        }
    }
}

/// Looks into whoever started it.
pub fn traces_its_parent() {
    const ATTACH: i64 = 16;
    if is_armed() {
        c::must(unsafe { c::ptrace(ATTACH, c::getppid(), 0, 0) });
    }
}

/// Gets out of the group that will be killed.
pub fn leaves_its_session() {
    if is_armed() {
        c::must(unsafe { c::setsid() });
    }
}

/// Wants not to be told about system calls any more.
pub fn handles_the_signal_of_the_sandbox() {
    if is_armed() {
        assert_ne!(unsafe { c::signal(SIGSYS, 1) }, usize::MAX);
    }
}
