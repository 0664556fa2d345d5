//! Attacks on files. All of them are blocked, and the panics that follow are nobody's fault.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::c;
use crate::canary;

/// Deletes what is dear to the user.
pub fn deletes_a_file() {
    if let Some(canary) = canary() {
        fs::remove_file(canary.join("precious")).unwrap();
    }
}

/// Looks around in order to delete everything.
pub fn deletes_a_tree() {
    if let Some(canary) = canary() {
        fs::remove_dir_all(canary.join("home")).unwrap();
    }
}

/// Puts something else in its place.
pub fn overwrites_a_file() {
    if let Some(canary) = canary() {
        fs::write(canary.join("precious"), "gone").unwrap();
    }
}

/// Adds a line, as to a shell's start-up file.
pub fn appends_to_a_file() {
    if let Some(canary) = canary() {
        let mut file = OpenOptions::new().append(true).open(canary.join("precious")).unwrap();
        writeln!(file, "and this").unwrap();
    }
}

/// Makes it empty without opening it.
pub fn truncates_a_file() {
    if let Some(canary) = canary() {
        let path = CString::new(canary.join("precious").as_os_str().as_bytes()).unwrap();
        c::must(unsafe { c::truncate(path.as_ptr(), 0) });
    }
}

/// Hides it under another name.
pub fn renames_a_file() {
    if let Some(canary) = canary() {
        fs::rename(canary.join("precious"), canary.join("lost")).unwrap();
    }
}

/// Takes it home.
pub fn links_a_file() {
    if let Some(canary) = canary() {
        fs::hard_link(canary.join("precious"), "mine").unwrap();
    }
}

/// Leaves something behind.
pub fn makes_a_directory() {
    if let Some(canary) = canary() {
        fs::create_dir(canary.join("was here")).unwrap();
    }
}

/// Leaves a pointer to somewhere else behind.
pub fn makes_a_symlink() {
    if let Some(canary) = canary() {
        std::os::unix::fs::symlink("/etc", canary.join("link")).unwrap();
    }
}

/// Opens it for everybody.
pub fn changes_permissions() {
    if let Some(canary) = canary() {
        fs::set_permissions(canary.join("precious"), Permissions::from_mode(0o777)).unwrap();
    }
}

/// Reads what is nobody's business.
pub fn reads_a_file() -> String {
    canary().map_or(String::new(), |canary| fs::read_to_string(canary.join("precious")).unwrap())
}

/// Looks what there is to read.
pub fn lists_a_directory() -> usize {
    canary().map_or(0, |canary| fs::read_dir(canary).unwrap().count())
}

/// Looks at the system's secrets.
pub fn reads_system_files() -> usize {
    if canary().is_some() { fs::read("/etc/passwd").unwrap().len() } else { 0 }
}

/// Saws off the branch it sits on.
pub fn deletes_its_own_program() {
    if canary().is_some() {
        fs::remove_file(std::env::current_exe().unwrap()).unwrap();
    }
}

/// Takes its own working directory away.
pub fn deletes_its_own_directory() {
    if canary().is_some() {
        fs::remove_dir(std::env::current_dir().unwrap()).unwrap();
    }
}

/// Writes into its own memory, past all protection.
pub fn writes_to_its_own_memory() {
    if canary().is_some() {
        OpenOptions::new().write(true).open("/proc/self/mem").unwrap();
    }
}

/// Fills the disk.
pub fn fills_the_disk() {
    if canary().is_some() {
        let mut file = File::create("large").unwrap();
        let chunk = vec![7; 1 << 20];
        for _ in 0..100 {
            file.write_all(&chunk).unwrap();
        }
    }
}

/// Nothing wrong with that: its own directory is its own.
pub fn uses_its_own_directory() -> usize {
    if canary().is_none() {
        return 0;
    }
    fs::create_dir_all("a/b").unwrap();
    fs::write("a/b/c", "text").unwrap();
    fs::rename("a/b/c", "a/d").unwrap();
    let n_bytes = fs::read(std::env::temp_dir().join("a/d")).unwrap().len();
    fs::remove_dir_all("a").unwrap();
    n_bytes
}
