//! Which files a confined process may touch, as the kernel's Landlock enforces it.
//!
//! The rules are made anew for every process, by itself: what lies below `/proc/self` is another place for each. That is
//! between fork and exec, where nothing may be allocated, so the system calls are made directly and not through the
//! `landlock` crate; what can be prepared is.
//!
//! Decision: `docs/decisions/089-landlock-rules-are-each-workers-own.md`

use std::ffi::{CStr, CString};
use std::fs::{self, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const MAKE_SOCK: u64 = 1 << 9;
const MAKE_FIFO: u64 = 1 << 10;
const MAKE_SYM: u64 = 1 << 12;
const REFER: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;

const READ: u64 = READ_FILE | READ_DIR;
const READ_AND_EXECUTE: u64 = READ | EXECUTE;
/// What a rule about a file, not a directory, may contain.
const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
/// In a directory of its own; no devices, and no programs.
const OWN: u64 = READ
    | WRITE_FILE
    | REMOVE_DIR
    | REMOVE_FILE
    | MAKE_DIR
    | MAKE_REG
    | MAKE_SOCK
    | MAKE_FIFO
    | MAKE_SYM
    | REFER
    | TRUNCATE;

/// Rights to files that each version handles; a right that is handled is denied but where a rule grants it.
const HANDLED: [u64; 5] = [0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff];
/// TCP, from version 4 on: binding and connecting.
const NETWORK: u64 = 3;
/// From version 6 on: abstract sockets and signals of processes outside.
const SCOPES: u64 = 3;

/// Shared libraries and the loader.
const LIBRARIES: &[&str] = &[
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
];

/// What any process may want to know of the system. Nothing about its users or other processes.
const SYSTEM_DATA: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/timezone",
    "/usr/share/i18n",
    "/usr/share/locale",
    "/usr/share/zoneinfo",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/transparent_hugepage",
    "/dev/random",
    "/dev/urandom",
];

const SINKS: &[&str] = &["/dev/full", "/dev/null", "/dev/zero"];

#[repr(C)]
struct RulesetAttributes {
    files: u64,
    network: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct PathRule {
    allowed: u64,
    descriptor: i32,
}

const ADD_PATH: libc::c_int = 1;

/// The version of Landlock that the kernel offers; `None` if it has none or it is switched off.
pub(super) fn version() -> Option<u32> {
    const ASK_FOR_VERSION: libc::c_uint = 1;
    let none = std::ptr::null::<RulesetAttributes>();
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0usize, ASK_FOR_VERSION) };
    u32::try_from(version).ok().filter(|version| *version > 0)
}

/// A place and what may be done there. Kept open: the kernel identifies places by descriptors.
#[derive(Debug)]
pub(super) struct DiagnosticPlace {
    descriptor: OwnedFd,
    allowed: u64,
}

/// Places that do not exist need no rule.
fn place(path: &Path, allowed: u64) -> Option<DiagnosticPlace> {
    let descriptor = OpenOptions::new().read(true).custom_flags(libc::O_PATH | libc::O_CLOEXEC).open(path).ok()?;
    let is_directory = descriptor.metadata().ok()?.is_dir();
    let allowed = if is_directory { allowed } else { allowed & OF_FILES };
    Some(DiagnosticPlace { descriptor: descriptor.into(), allowed })
}

/// What every process needs, wherever it comes from.
pub(super) fn common_places() -> Vec<DiagnosticPlace> {
    let search_path = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let search_path: Vec<PathBuf> = std::env::split_paths(&search_path).filter(|path| path.is_absolute()).collect();
    let libraries = LIBRARIES.iter().map(Path::new).chain(search_path.iter().map(PathBuf::as_path));
    let libraries = libraries.filter_map(|path| place(path, READ_AND_EXECUTE));
    let data = SYSTEM_DATA.iter().filter_map(|path| place(Path::new(path), READ));
    let sinks = SINKS.iter().filter_map(|path| place(Path::new(path), READ | WRITE_FILE | TRUNCATE));
    libraries.chain(data).chain(sinks).collect()
}

/// The places of one program: where its file is, with what was built beside it.
pub(super) fn program_places(executable: &Path) -> Vec<DiagnosticPlace> {
    let executable = fs::canonicalize(executable).unwrap_or_else(|_| executable.to_path_buf());
    executable.parent().and_then(|directory| place(directory, READ_AND_EXECUTE)).into_iter().collect()
}

/// All that a process needs to lock itself in.
#[derive(Debug)]
pub(super) struct FileRules {
    version: u32,
    /// Descriptors of places and what may be done there.
    places: Vec<(RawFd, u64)>,
    own_directory: CString,
}

impl FileRules {
    /// The places must outlive the value.
    pub(super) fn new<'a>(
        version: u32,
        places: impl Iterator<Item = &'a DiagnosticPlace>,
        own_directory: &Path,
    ) -> Option<FileRules> {
        let places = places.map(|place| (place.descriptor.as_raw_fd(), place.allowed)).collect();
        let own_directory = CString::new(own_directory.as_os_str().as_bytes()).ok()?;
        Some(FileRules { version, places, own_directory })
    }

    /// Locks the calling process in, for good. `None` leaves the reason in `errno`.
    ///
    /// # Safety
    /// Makes system calls only, so it may run between fork and exec.
    pub(super) unsafe fn enter(&self) -> Option<()> {
        let handled = HANDLED[(self.version as usize).min(HANDLED.len()) - 1];
        let (size, network, scopes) = match self.version {
            0..4 => (8usize, 0, 0),
            4 | 5 => (16, NETWORK, 0),
            _ => (24, NETWORK, SCOPES),
        };
        let attributes = RulesetAttributes { files: handled, network, scopes };
        unsafe {
            let ruleset = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0) as RawFd;
            if ruleset < 0 {
                return None;
            }
            for &(descriptor, allowed) in &self.places {
                add(ruleset, descriptor, allowed & handled)?;
            }
            open_and_add(ruleset, &self.own_directory, OWN & handled)?;
            // Where there is no such file system, nothing has to be allowed.
            let _ = open_and_add(ruleset, c"/proc/self", READ & handled);
            (libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0) == 0).then_some(())
        }
    }
}

unsafe fn open_and_add(ruleset: RawFd, path: &CStr, allowed: u64) -> Option<()> {
    unsafe {
        let descriptor = libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
        if descriptor < 0 {
            return None;
        }
        let added = add(ruleset, descriptor, allowed);
        libc::close(descriptor);
        added
    }
}

unsafe fn add(ruleset: RawFd, descriptor: RawFd, allowed: u64) -> Option<()> {
    let rule = PathRule { allowed, descriptor };
    (unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset, ADD_PATH, &raw const rule, 0) } == 0).then_some(())
}
