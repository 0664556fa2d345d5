//! What nobody is to notice: it neither ends the process nor may it spoil what runs there later.

use std::io::Write;

use crate::{c, is_armed};

/// Closes whatever is open.
pub fn closes_all_descriptors() {
    if is_armed() {
        for fd in 0..1024 {
            unsafe { c::close(fd) };
        }
    }
}

/// Writes to whatever is open: somebody may believe it.
pub fn writes_to_all_descriptors() {
    if is_armed() {
        for fd in 3..1024 {
            let forged = [8, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
            unsafe { c::write(fd, forged.as_ptr(), forged.len()) };
        }
    }
}

/// Hides all panics from now on.
pub fn replaces_the_panic_hook() {
    if is_armed() {
        std::panic::set_hook(Box::new(|_| std::process::abort()));
    }
}

/// Survives a segmentation fault by doing nothing about it, again and again.
pub fn handles_segmentation_faults() {
    extern "C" fn nothing(_: i32) {}
    if is_armed() {
        for signal in [4, 6, 7, 8, 11] {
            unsafe { c::signal(signal, nothing as extern "C" fn(i32) as usize) };
        }
    }
}

/// Leaves a thread that uses a processor for ever.
pub fn leaves_a_busy_thread() {
    if is_armed() {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
}

/// Leaves a thread that ends the process a moment later.
pub fn leaves_a_time_bomb() {
    if is_armed() {
        std::thread::spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            std::process::abort();
        });
    }
}

/// A thread panics, and somebody takes care of it.
pub fn panics_on_a_thread() -> bool {
    is_armed() && std::thread::spawn(|| panic!("never mind")).join().is_err()
}

/// Says much.
pub fn floods_the_output() {
    if is_armed() {
        for _ in 0..2000 {
            let _ = std::io::stdout().write_all(&[b'x'; 1000]);
            let _ = std::io::stderr().write_all(&[b'y'; 1000]);
        }
    }
}

/// Goes elsewhere.
pub fn changes_its_directory() {
    if is_armed() {
        std::env::set_current_dir("/").unwrap();
    }
}

/// Changes what others read.
pub fn changes_its_environment() {
    if is_armed() {
        unsafe { std::env::set_var("HOME", "/nowhere") };
    }
}

/// What it creates is for everybody from now on.
pub fn changes_its_file_mode() {
    if is_armed() {
        unsafe { c::umask(0) };
    }
}

/// Takes away memory that nobody told it about.
pub fn unmaps_what_it_mapped() {
    if is_armed() {
        unsafe {
            let page = c::mmap(std::ptr::null_mut(), 4096, 3, 0x22, -1, 0);
            c::munmap(page, 4096);
        }
    }
}

/// Panics if it sees what only the user's shell should know.
pub fn looks_for_secrets() {
    assert!(std::env::var_os("HOSTILE_SECRET").is_none(), "saw the secret");
}

/// Panics if its surroundings are not as they are in the beginning.
pub fn looks_at_its_surroundings() {
    if is_armed() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(std::env::var_os("HOME").as_deref(), Some(here.as_os_str()), "somebody has changed it");
        assert_eq!(std::fs::read_dir(here).unwrap().count(), 0, "somebody was here");
    }
}
