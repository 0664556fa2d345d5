//! Starts a worker process without copying the tool's page tables.
//!
//! Confining a worker takes system calls between fork and exec. With `Command::pre_exec` that means a real fork, which takes
//! 25 ms in a tool of 400 MB (measured) where the worker itself starts in one, and the minimiser starts thousands. So the child
//! is made as `posix_spawn` makes its own: it borrows the memory of the suspended parent until it execs.

use std::ffi::{CString, OsStr, c_char, c_int, c_void};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::sandbox::Cage;

/// Enough for a handful of system calls.
const STACK_BYTES: usize = 64 * 1024;

/// The number that the first inherited descriptor has in the child; the others follow. The same in every run, because code under test
/// sees it: which descriptors are free, and so what numbers it gets.
pub(crate) const FIRST_DESCRIPTOR: RawFd = 200;

/// What to start. All descriptors stay open in the parent and are closed on exec everywhere but where named here.
pub(crate) struct Launch<'a> {
    pub(crate) executable: &'a Path,
    pub(crate) directory: &'a Path,
    pub(crate) environment: Vec<(&'static str, Vec<u8>)>,
    pub(crate) stdin: RawFd,
    /// Standard output and error.
    pub(crate) output: RawFd,
    /// Kept open, from [`FIRST_DESCRIPTOR`] on.
    pub(crate) inherited: [RawFd; 3],
    pub(crate) cage: Cage,
}

/// Leads a session and a process group, both named by its id; dropping it kills the group and reaps the leader.
pub(crate) struct Process {
    id: libc::pid_t,
    status: Option<ExitStatus>,
}

impl Process {
    pub(crate) fn start(launch: Launch<'_>) -> io::Result<Process> {
        let executable = c_string(launch.executable.as_os_str())?;
        let directory = c_string(launch.directory.as_os_str())?;
        let environment = launch
            .environment
            .iter()
            .map(|(name, value)| {
                let entry = [name.as_bytes(), b"=", value].concat();
                c_string(OsStr::from_bytes(&entry))
            })
            .collect::<io::Result<Vec<CString>>>()?;
        let mut environment: Vec<*const c_char> = environment.iter().map(|e| e.as_ptr()).collect();
        environment.push(std::ptr::null());
        let arguments = [executable.as_ptr(), std::ptr::null()];
        let mut orders = Orders {
            executable: executable.as_ptr(),
            directory: directory.as_ptr(),
            arguments: arguments.as_ptr(),
            environment: environment.as_ptr(),
            stdin: launch.stdin,
            output: launch.output,
            inherited: launch.inherited,
            cage: launch.cage,
            parent: std::process::id() as libc::pid_t,
            mask: unsafe { std::mem::zeroed() },
            error: AtomicI32::new(0),
        };
        let id = clone_with_signals_blocked(&mut orders)?;
        let mut process = Process { id, status: None };
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
    inherited: [RawFd; 3],
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

/// A session of its own, fixed addresses, death with the tool, no descriptors but those it shall have, and the cage. `None`
/// leaves the reason in `errno`.
unsafe fn confine(orders: &mut Orders) -> Option<()> {
    let worked = |result: c_int| (result >= 0).then_some(());
    unsafe {
        worked(libc::setsid())?;
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != orders.parent {
            // The tool died before it could be said what shall happen then.
            libc::_exit(127);
        }
        // Not allowed in some containers; then addresses differ between runs, and nothing else does.
        let persona = libc::personality(0xffff_ffff);
        if persona >= 0 {
            libc::personality(persona as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
        worked(libc::chdir(orders.directory))?;
        // What the tool itself inherited, say from a shell, is none of the child's business. Older kernels cannot do this.
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
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

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}
