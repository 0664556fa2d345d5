//! The sandbox around processes that run code under test.
//!
//! Three walls: Landlock for files, a system call filter for everything else, and resource limits. What the system does not
//! offer is left out, and [`Sandbox::missing`] says so. A process is locked in between fork and exec ([`Cage`]); a worker
//! then locks itself in further, which is how it learns what was refused (see `provoke_wire::Confinement`).

pub(crate) mod directories;
mod filter;
mod landlock;
mod rules;

use std::path::Path;
use std::sync::Arc;

use provoke_wire::{Confinement, Request};
use rustix::rand::GetRandomFlags;

use filter::{Filter, Layer, Rule};
use landlock::{DiagnosticPlace, FileRules};

/// The largest file that code under test may write.
const MAX_FILE_BYTES: u64 = 32 << 20;
/// As many open files as an ordinary program gets, and fewer than what would be felt elsewhere.
const MAX_DESCRIPTORS: u64 = 512;

/// C libraries disagree about its type.
type Resource = libc::c_int;

/// What locks processes in, prepared once. Cheap to copy.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    walls: Option<Arc<Walls>>,
}

#[derive(Debug)]
struct Walls {
    landlock_version: Option<u32>,
    common_places: Vec<DiagnosticPlace>,
    rules: Vec<(u32, Rule)>,
    /// `None` where the kernel has no system call filter.
    outer: Option<Filter>,
}

impl Sandbox {
    /// Resource limits and nothing else.
    pub fn off() -> Sandbox {
        Sandbox::default()
    }

    /// As tight as this system can make it. That is tried out: a container may have the calls and forbid their use.
    pub fn available() -> Sandbox {
        let (landlock_version, has_filters) = (landlock::version(), has_filters());
        let candidates = [(landlock_version, has_filters), (landlock_version, false), (None, has_filters)];
        let mut sandboxes = candidates.into_iter().map(|(version, is_filtered)| Sandbox::of(version, is_filtered));
        sandboxes.find(Sandbox::works).unwrap_or_else(|| Sandbox::of(None, false))
    }

    fn of(landlock_version: Option<u32>, is_filtered: bool) -> Sandbox {
        let rules = rules::rules();
        let outer = is_filtered.then(|| filter::compile(&rules, rules::LAST_NUMBER, Layer::Outer));
        let common_places = if landlock_version.is_some() { landlock::common_places() } else { Vec::new() };
        Sandbox { walls: Some(Arc::new(Walls { landlock_version, common_places, rules, outer })) }
    }

    /// Whether a process can lock itself in.
    fn works(&self) -> bool {
        let mut cage = self.around(Path::new("/proc/self/exe")).cage(Path::new("/"), None);
        // The child makes system calls only.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::_exit(i32::from(cage.enter().is_none()));
            }
            let mut status = 0;
            child > 0 && libc::waitpid(child, &mut status, 0) == child && status == 0
        }
    }

    /// What it holds off.
    pub fn name(&self) -> &'static str {
        match self.walls.as_deref().map(|walls| (walls.landlock_version.is_some(), walls.outer.is_some())) {
            None | Some((false, false)) => "limits only",
            Some((true, false)) => "files",
            Some((false, true)) => "system calls",
            Some((true, true)) => "complete",
        }
    }

    /// What the system lacks for a complete one; nothing if it was not wanted.
    pub fn missing(&self) -> Vec<&'static str> {
        let Some(walls) = &self.walls else { return Vec::new() };
        let landlock = walls.landlock_version.is_none().then_some("Landlock");
        let filter = walls.outer.is_none().then_some("seccomp");
        landlock.into_iter().chain(filter).collect()
    }

    /// For processes that run `executable`.
    pub(crate) fn around(&self, executable: &Path) -> Fence {
        let places = match &self.walls {
            Some(walls) if walls.landlock_version.is_some() => landlock::program_places(executable),
            _ => Vec::new(),
        };
        Fence { sandbox: self.clone(), places: Arc::new(places) }
    }
}

/// A sandbox for one program.
#[derive(Clone, Debug)]
pub(crate) struct Fence {
    sandbox: Sandbox,
    places: Arc<Vec<DiagnosticPlace>>,
}

impl Fence {
    /// For one process, which may write below `directory`; `address_space` bounds what it maps.
    pub(crate) fn cage(&self, directory: &Path, address_space: Option<u64>) -> Cage {
        let mut limits = vec![
            (libc::RLIMIT_CORE as Resource, 0),
            (libc::RLIMIT_FSIZE as Resource, MAX_FILE_BYTES),
            (libc::RLIMIT_NOFILE as Resource, MAX_DESCRIPTORS),
        ];
        limits.extend(address_space.map(|bytes| (libc::RLIMIT_AS as Resource, bytes)));
        let walls = self.sandbox.walls.as_deref();
        let file_rules = walls.and_then(|walls| {
            let places = walls.common_places.iter().chain(&*self.places);
            FileRules::new(walls.landlock_version?, places, directory)
        });
        Cage { limits, file_rules, filter: walls.and_then(|walls| walls.outer.clone()), _fence: self.clone() }
    }

    /// The message that makes a worker lock itself in; `None` where it cannot.
    pub(crate) fn confinement(&self, process: libc::pid_t, channels: [u32; 2]) -> Option<Vec<u8>> {
        let walls = self.sandbox.walls.as_deref()?;
        walls.outer.as_ref()?;
        let pass = random_number();
        let mut filter = filter::compile(&walls.rules, rules::LAST_NUMBER, Layer::Inner { pass, channels });
        filter.set_process(process);
        let bytes: Vec<u8> = filter.instructions.iter().flat_map(|instruction| instruction.to_bytes()).collect();
        Some(Request::encode_confine(&Confinement { pass, filter: &bytes }))
    }
}

/// What a new process does to itself before it runs its program.
#[derive(Debug)]
pub(crate) struct Cage {
    limits: Vec<(Resource, u64)>,
    file_rules: Option<FileRules>,
    filter: Option<Filter>,
    /// Keeps the places open that the rules name.
    _fence: Fence,
}

impl Cage {
    /// `None` leaves the reason in `errno`. After it, nothing but exec is sure to be allowed.
    ///
    /// # Safety
    /// Makes system calls only, so it may run between fork and exec; also where memory is shared with a parent that waits.
    pub(crate) unsafe fn enter(&mut self) -> Option<()> {
        unsafe {
            for &(resource, bytes) in &self.limits {
                limit(resource, bytes);
            }
            if self.file_rules.is_none() && self.filter.is_none() {
                return Some(());
            }
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return None;
            }
            if let Some(rules) = &self.file_rules {
                rules.enter()?;
            }
            if let Some(filter) = &mut self.filter {
                filter.set_process(libc::getpid());
                filter.install()?;
            }
            Some(())
        }
    }
}

/// A limit that cannot be set is not worth refusing to run.
unsafe fn limit(resource: Resource, bytes: u64) {
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(resource as _, &mut limit) == 0 {
            limit.rlim_max = limit.rlim_max.min(bytes);
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(resource as _, &limit);
        }
    }
}

/// Whether the kernel filters system calls and can trap them.
fn has_filters() -> bool {
    let action = libc::SECCOMP_RET_TRAP;
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action) == 0 }
}

/// Not to be guessed by code under test. Decides nothing else.
fn random_number() -> u64 {
    let mut bytes = [0; 8];
    let n = rustix::rand::getrandom(&mut bytes, GetRandomFlags::empty());
    debug_assert_eq!(n, Ok(8));
    // Zero is what most calls leave in an argument that they do not have.
    u64::from_ne_bytes(bytes) | 1 << 63
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a child that is locked in by system call filters alone ends when it does this.
    fn ending_of(act: unsafe fn()) -> libc::c_int {
        let mut cage = Sandbox::of(None, true).around(Path::new("/proc/self/exe")).cage(Path::new("/"), None);
        // The child makes system calls only.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                if cage.enter().is_some() {
                    act();
                }
                libc::_exit(99);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        }
    }

    /// Ends with the error that sending nothing to the first thread of the parent comes to.
    unsafe fn signals_parent() {
        unsafe {
            let sent = libc::syscall(libc::SYS_tkill, libc::getppid(), 0);
            libc::_exit(if sent == 0 { 0 } else { *libc::__errno_location() });
        }
    }

    unsafe fn aborts() {
        unsafe { libc::abort() }
    }

    /// As some C libraries abort.
    unsafe fn aborts_by_thread() {
        unsafe { libc::syscall(libc::SYS_tkill, libc::gettid(), libc::SIGABRT) };
    }

    #[test]
    fn signals_reach_the_process_itself_and_nobody_else_even_without_landlock() {
        if !has_filters() {
            return;
        }
        let ending = ending_of(signals_parent);
        assert_eq!((libc::WIFEXITED(ending), libc::WEXITSTATUS(ending)), (true, libc::EPERM));
        for aborts in [aborts, aborts_by_thread] {
            let ending = ending_of(aborts);
            assert_eq!((libc::WIFSIGNALED(ending), libc::WTERMSIG(ending)), (true, libc::SIGABRT));
        }
    }
}
