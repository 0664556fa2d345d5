//! The one way in which code under test is started, be it a worker or a test: confined, and without copying the tool's page tables.
//!
//! Confining a process takes system calls between fork and exec. With `Command::pre_exec` that means a real fork, which takes
//! 25 ms in a tool of 400 MB (measured) where a worker itself starts in one, and the minimiser starts thousands. So the child
//! is made as `posix_spawn` makes its own: it borrows the memory of the suspended parent until it execs.
//!
//! Decision: `docs/decisions/085-one-way-to-start-code-under-test.md`

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::sandbox::{Cage, Fence};

/// Enough for a handful of system calls.
const STACK_BYTES: usize = 64 * 1024;

/// The number that the first inherited descriptor has in the child; the others follow. The same in every run, because code under test
/// sees it: which descriptors are free, and so what numbers it gets.
pub(crate) const FIRST_DESCRIPTOR: RawFd = 200;

/// What to start. All descriptors stay open in the parent and are closed on exec everywhere but where named here. Nothing can be read
/// from standard input.
pub(crate) struct Launch<'a> {
    pub(crate) executable: &'a Path,
    pub(crate) arguments: &'a [&'a str],
    /// Its working directory, and the one that it may write to.
    pub(crate) directory: &'a Path,
    /// Besides what every program needs.
    pub(crate) environment: Vec<(&'static str, Vec<u8>)>,
    /// Standard output and error.
    pub(crate) output: RawFd,
    /// Kept open, from [`FIRST_DESCRIPTOR`] on.
    pub(crate) inherited: Vec<RawFd>,
    /// Nothing is random about where its memory lies.
    pub(crate) has_fixed_addresses: bool,
    pub(crate) fence: &'a Fence,
    /// Bytes that it may map.
    pub(crate) address_space: Option<u64>,
}

/// Leads a session and a process group, both named by its id; dropping it kills the group and reaps the leader.
pub(crate) struct Process {
    id: libc::pid_t,
    status: Option<ExitStatus>,
    /// `/proc/self` as the process sees it. The kernel would forget what it is allowed there if nobody held it.
    _own_directory: Option<File>,
}

impl Process {
    pub(crate) fn start(launch: Launch<'_>) -> io::Result<Process> {
        let executable = c_string(launch.executable.as_os_str())?;
        let directory = c_string(launch.directory.as_os_str())?;
        let arguments = std::iter::once(launch.executable.as_os_str())
            .chain(launch.arguments.iter().map(OsStr::new))
            .map(c_string)
            .collect::<io::Result<Vec<CString>>>()?;
        let environment = bare_environment(launch.directory)
            .into_iter()
            .chain(launch.environment)
            .map(|(name, value)| c_string(OsStr::from_bytes(&[name.as_bytes(), b"=", &value].concat())))
            .collect::<io::Result<Vec<CString>>>()?;
        let (arguments, environment) = (null_terminated(&arguments), null_terminated(&environment));
        let nothing = File::open("/dev/null")?;
        let mut orders = Orders {
            executable: executable.as_ptr(),
            directory: directory.as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            stdin: nothing.as_raw_fd(),
            output: launch.output,
            inherited: launch.inherited,
            has_fixed_addresses: launch.has_fixed_addresses,
            cage: launch.fence.cage(launch.directory, launch.address_space),
            parent: std::process::id() as libc::pid_t,
            mask: unsafe { std::mem::zeroed() },
            error: AtomicI32::new(0),
        };
        let id = clone_with_signals_blocked(&mut orders)?;
        let _own_directory = File::open(format!("/proc/{id}")).ok();
        let mut process = Process { id, status: None, _own_directory };
        match orders.error.load(Ordering::SeqCst) {
            0 => Ok(process),
            code => {
                process.kill();
                Err(io::Error::from_raw_os_error(code))
            }
        }
    }

    pub(crate) fn id(&self) -> libc::pid_t {
        self.id
    }

    /// Whether it has ended. Does not reap it: its id, and so that of its group, stays reserved.
    pub(crate) fn is_ended(&self) -> bool {
        self.status.is_some() || self.peek(libc::WNOHANG)
    }

    fn peek(&self, flags: c_int) -> bool {
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOWAIT | flags;
        let result = unsafe { libc::waitid(libc::P_PID, self.id as libc::id_t, &mut info, flags) };
        result == 0 && unsafe { info.si_pid() } != 0
    }

    /// Kills what is left of the group and reaps the leader. The status is its own if it had ended before.
    pub(crate) fn kill(&mut self) -> ExitStatus {
        if let Some(status) = self.status {
            return status;
        }
        // Not reaped yet, so both ids are still its own.
        unsafe {
            libc::kill(-self.id, libc::SIGKILL);
            libc::kill(self.id, libc::SIGKILL);
        }
        let mut raw = 0;
        while unsafe { libc::waitpid(self.id, &mut raw, 0) } < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        let status = ExitStatus::from_raw(raw);
        self.status = Some(status);
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Everything that the child needs, laid out beforehand: it must not allocate.
struct Orders {
    executable: *const c_char,
    directory: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    stdin: RawFd,
    output: RawFd,
    inherited: Vec<RawFd>,
    has_fixed_addresses: bool,
    cage: Cage,
    parent: libc::pid_t,
    /// The signals that the parent had blocked, and the child shall.
    mask: libc::sigset_t,
    /// Why the child could not exec.
    error: AtomicI32,
}

/// The parent continues when the child has exec'd or ended.
fn clone_with_signals_blocked(orders: &mut Orders) -> io::Result<libc::pid_t> {
    let mut stack: Vec<u128> = vec![0; STACK_BYTES / size_of::<u128>()];
    let orders: *mut Orders = orders;
    unsafe {
        // A handler that ran in the child would run in the parent's memory.
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut (*orders).mask);
        let id = libc::clone(
            obey,
            stack.as_mut_ptr_range().end.cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            orders.cast(),
        );
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &(*orders).mask, std::ptr::null_mut());
        if id < 0 { Err(error) } else { Ok(id) }
    }
}

/// Runs in the child, on the parent's memory: system calls only.
extern "C" fn obey(orders: *mut c_void) -> c_int {
    // The parent is suspended, keeps this alive and does not look at it.
    let orders = unsafe { &mut *orders.cast::<Orders>() };
    unsafe {
        if confine(orders).is_some() {
            libc::execve(orders.executable, orders.arguments, orders.environment);
        }
        orders.error.store(*libc::__errno_location(), Ordering::SeqCst);
        libc::_exit(127)
    }
}

/// A session of its own, death with the tool, no descriptors but those it shall have, and the cage. `None` leaves the reason in
/// `errno`.
unsafe fn confine(orders: &mut Orders) -> Option<()> {
    let worked = |result: c_int| (result >= 0).then_some(());
    unsafe {
        worked(libc::setsid())?;
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != orders.parent {
            // The tool died before it could be said what shall happen then.
            libc::_exit(127);
        }
        if orders.has_fixed_addresses {
            // Not allowed in some containers; then addresses differ between runs, and nothing else does.
            let persona = libc::personality(0xffff_ffff);
            if persona >= 0 {
                libc::personality(persona as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            }
        }
        worked(libc::chdir(orders.directory))?;
        // What the tool itself inherited, say from a shell, is none of the child's business.
        worked(close_all_on_exec())?;
        let n_inherited = orders.inherited.len() as RawFd;
        for descriptor in &mut orders.inherited {
            // Out of the way first: it may have the number that another one shall get.
            *descriptor = libc::fcntl(*descriptor, libc::F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR + n_inherited);
            worked(*descriptor)?;
        }
        for (descriptor, number) in orders.inherited.iter().zip(FIRST_DESCRIPTOR..) {
            worked(libc::dup2(*descriptor, number))?;
        }
        worked(libc::dup2(orders.stdin, 0))?;
        worked(libc::dup2(orders.output, 1))?;
        worked(libc::dup2(orders.output, 2))?;
        // The runtime of the tool ignores it, and that is inherited.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::pthread_sigmask(libc::SIG_SETMASK, &orders.mask, std::ptr::null_mut());
        orders.cage.enter()
    }
}

/// Closes everything but the standard streams on exec. Negative leaves the reason in `errno`.
///
/// # Safety
/// Makes system calls only, so it may run between fork and exec.
unsafe fn close_all_on_exec() -> c_int {
    let all = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    // Kernels before 5.11 do not know it, and some containers forbid it.
    if all == 0 { 0 } else { unsafe { close_listed_on_exec() } }
}

/// The same, one by one as `/proc` lists them.
///
/// # Safety
/// As [`close_all_on_exec`].
unsafe fn close_listed_on_exec() -> c_int {
    #[repr(align(8))]
    struct Entries([u8; 4096]);
    let mut entries = Entries([0; 4096]);
    unsafe {
        let directory = libc::open(c"/proc/self/fd".as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC);
        if directory < 0 {
            return -1;
        }
        loop {
            let n_bytes =
                libc::syscall(libc::SYS_getdents64, directory, entries.0.as_mut_ptr(), entries.0.len()) as isize;
            if n_bytes <= 0 {
                libc::close(directory);
                return n_bytes as c_int;
            }
            let mut rest = &entries.0[..n_bytes as usize];
            while let Some((name, others)) = first_entry(rest) {
                // Not a number: the directory itself, and the one above.
                if let Some(descriptor) = number(name).filter(|descriptor| *descriptor > 2) {
                    libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
                }
                rest = others;
            }
        }
    }
}

/// The name of an entry as `getdents64` writes it, and the entries after it.
fn first_entry(entries: &[u8]) -> Option<(&[u8], &[u8])> {
    /// After an inode and an offset; and after the length itself and a type.
    const LENGTH_AT: usize = 16;
    const NAME_AT: usize = 19;
    let length = u16::from_ne_bytes(*entries.get(LENGTH_AT..)?.first_chunk()?);
    let (entry, others) = entries.split_at_checked(length.into())?;
    Some((entry.get(NAME_AT..)?, others))
}

/// What the digits before a zero say.
fn number(name: &[u8]) -> Option<RawFd> {
    let digits = CStr::from_bytes_until_nul(name).ok()?.to_str().ok()?;
    digits.parse().ok()
}

/// What programs need to find others, the libraries they are linked to, and a place to write. Nothing else of the user's is left.
fn bare_environment(directory: &Path) -> Vec<(&'static str, Vec<u8>)> {
    let directory = directory.as_os_str().as_bytes();
    let mut environment =
        vec![("PATH", b"/usr/bin:/bin".to_vec()), ("HOME", directory.to_vec()), ("TMPDIR", directory.to_vec())];
    environment.extend(std::env::var_os("LD_LIBRARY_PATH").map(|path| ("LD_LIBRARY_PATH", path.into_vec())));
    environment
}

/// As `execve` wants it. The strings must outlive the pointers.
fn null_terminated(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a new process gets when it does this to all that it inherited.
    fn flags_after(close: unsafe fn() -> c_int, descriptor: RawFd) -> c_int {
        // The child makes system calls only.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                let is_done = close() == 0;
                libc::_exit(if is_done { libc::fcntl(descriptor, libc::F_GETFD) } else { 99 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            ExitStatus::from_raw(status).code().unwrap()
        }
    }

    #[test]
    fn what_was_inherited_is_closed_on_exec_in_either_way() {
        let file = File::open("/dev/null").unwrap();
        for number in [file.as_raw_fd(), 700] {
            // Without the flag.
            assert_eq!(unsafe { libc::dup2(file.as_raw_fd(), number) }, number);
            unsafe { libc::fcntl(number, libc::F_SETFD, 0) };
            unsafe fn nothing() -> c_int {
                0
            }
            assert_eq!(flags_after(nothing, number), 0);
            assert_eq!(flags_after(close_all_on_exec, number), libc::FD_CLOEXEC);
            assert_eq!(flags_after(close_listed_on_exec, number), libc::FD_CLOEXEC);
            assert_eq!(flags_after(close_listed_on_exec, 1), 0, "standard output stays");
        }
        unsafe { libc::close(700) };
    }

    #[test]
    fn entries_of_a_directory_are_read_to_their_end_and_no_further() {
        let mut entries = [[0; 19].as_slice(), b"17\0\0\0", &[0; 19], b"..\0\0\0"].concat();
        (entries[16], entries[40]) = (24, 24);
        let (name, rest) = first_entry(&entries).unwrap();
        assert_eq!((number(name), rest.len()), (Some(17), 24));
        let (name, rest) = first_entry(rest).unwrap();
        assert_eq!((number(name), rest.len()), (None, 0));
        assert_eq!(first_entry(rest), None);
        assert_eq!(first_entry(&entries[..20]), None, "it is longer than that");
        entries[16] = 0;
        assert_eq!(first_entry(&entries), None, "it would never end");
    }
}
