//! Attempts to change the rules of the game. Blocked.

use crate::{c, is_armed};

/// Leaves itself no descriptors.
pub fn lowers_its_limits() {
    const NOFILE: i32 = 7;
    if is_armed() {
        c::must(unsafe { c::setrlimit(NOFILE, &[3, 3]) });
    }
}

/// Becomes somebody else.
pub fn changes_its_user() {
    if is_armed() {
        c::must(unsafe { c::setuid(12345) });
    }
}

/// Makes a world of its own.
pub fn leaves_its_namespace() {
    const NEWUSER: i32 = 0x1000_0000;
    if is_armed() {
        c::must(unsafe { c::unshare(NEWUSER) });
    }
}

/// Gives the machine another name.
pub fn renames_the_machine() {
    if is_armed() {
        c::must(unsafe { c::sethostname(c"hostile".as_ptr(), 7) });
    }
}

/// Makes memory that can be passed on.
pub fn makes_shared_memory() {
    if is_armed() {
        c::must(unsafe { c::memfd_create(c"hostile".as_ptr(), 0) });
    }
}

/// A time bomb for whoever runs a second later.
pub fn sets_an_alarm() {
    if is_armed() {
        unsafe { c::alarm(1) };
    }
}
