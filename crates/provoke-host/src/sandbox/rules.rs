//! Which system calls the code under test may make, and what each other one is about.
//!
//! Allowed is what ordinary programs of std need. What is not in the list is refused, but for calls of kernels newer than
//! the list: those are missing, as on an older kernel, and the C library knows what to do then.
//!
//! Decisions:
//! - `docs/decisions/084-two-filters-one-policy.md`
//! - `docs/decisions/087-pipes-do-not-exist-for-code-under-test.md`

use provoke_wire::Forbidden;

use crate::sandbox::filter::Rule;

/// The newest call that the list knows of; the numbers of recent ones are the same on all processors.
pub(super) const LAST_NUMBER: u32 = 467;

/// `prctl` for the name of a thread, for looking at oneself, and for naming memory.
const PRCTL_OPTIONS: &[u32] = &[
    libc::PR_GET_PDEATHSIG as u32,
    libc::PR_GET_DUMPABLE as u32,
    libc::PR_SET_NAME as u32,
    libc::PR_GET_NAME as u32,
    libc::PR_GET_SECCOMP as u32,
    libc::PR_CAPBSET_READ as u32,
    libc::PR_GET_TIMERSLACK as u32,
    libc::PR_SET_TIMERSLACK as u32,
    libc::PR_GET_NO_NEW_PRIVS as u32,
    libc::PR_SET_NO_NEW_PRIVS as u32,
    libc::PR_GET_THP_DISABLE as u32,
    libc::PR_GET_TID_ADDRESS as u32,
    0x5356_4d41, // PR_SET_VMA
];

/// All but those by which a descriptor sends signals, to whatever process.
const FCNTL_COMMANDS: &[u32] = &[
    libc::F_DUPFD as u32,
    libc::F_GETFD as u32,
    libc::F_SETFD as u32,
    libc::F_GETFL as u32,
    libc::F_SETFL as u32,
    libc::F_GETLK as u32,
    libc::F_SETLK as u32,
    libc::F_SETLKW as u32,
    libc::F_GETOWN as u32,
    libc::F_OFD_GETLK as u32,
    libc::F_OFD_SETLK as u32,
    libc::F_OFD_SETLKW as u32,
    libc::F_DUPFD_CLOEXEC as u32,
    libc::F_SETPIPE_SZ as u32,
    libc::F_GETPIPE_SZ as u32,
    libc::F_GETLEASE as u32,
    libc::F_ADD_SEALS as u32,
    libc::F_GET_SEALS as u32,
];

/// What is asked of ordinary descriptors: blocking, how much there is to read, whether it is a terminal. Others change attributes
/// of files, which the file system's rules know nothing of, or drive devices.
const IOCTL_COMMANDS: &[u32] = &[
    libc::FIONBIO as u32,
    libc::FIONREAD as u32,
    libc::FIOCLEX as u32,
    libc::FIONCLEX as u32,
    libc::TCGETS as u32,
    libc::TIOCGWINSZ as u32,
    libc::TIOCGPGRP as u32,
    0x802c_542a, // TCGETS2
];

/// All rules, by number.
pub(super) fn rules() -> Vec<(u32, Rule)> {
    let mut rules: Vec<(u32, Rule)> = Vec::new();
    let groups: &[(Rule, &[libc::c_long])] = &[
        (Rule::Allow, ALLOWED),
        (Rule::Missing, &[libc::SYS_clone3, libc::SYS_close_range]),
        (Rule::Note, &[libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_umask, libc::SYS_mlockall]),
        (Rule::Thread, &[libc::SYS_clone]),
        (Rule::Early(Forbidden::Programs), &[libc::SYS_execve]),
        (Rule::Early(Forbidden::ProcessControl), &[libc::SYS_seccomp]),
        (Rule::Open(2), &[libc::SYS_openat]),
        (Rule::Ask(Forbidden::ReadFiles), &[libc::SYS_openat2]),
        (
            Rule::Ask(Forbidden::WriteFiles),
            &[libc::SYS_mkdirat, libc::SYS_mknodat, libc::SYS_symlinkat, libc::SYS_truncate],
        ),
        (Rule::Ask(Forbidden::DeleteFiles), &[libc::SYS_unlinkat]),
        (Rule::Ask(Forbidden::MoveFiles), &[libc::SYS_renameat2, libc::SYS_linkat]),
        (Rule::SignalProcess, &[libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo]),
        (Rule::SignalProcess, &[libc::SYS_rt_tgsigqueueinfo]),
        (Rule::SignalThread, &[libc::SYS_tkill]),
        (Rule::SignalMask, &[libc::SYS_rt_sigprocmask]),
        (Rule::SignalAction, &[libc::SYS_rt_sigaction]),
        (Rule::SocketPair, &[libc::SYS_socketpair]),
        // With a destination, a datagram could go anywhere.
        (Rule::Null(4, Forbidden::Network), &[libc::SYS_sendto]),
        (Rule::OneOf(0, PRCTL_OPTIONS, Forbidden::ProcessControl), &[libc::SYS_prctl]),
        (Rule::OneOf(0, &[u32::MAX], Forbidden::ProcessControl), &[libc::SYS_personality]),
        (Rule::OneOf(0, &[0], Forbidden::ProcessControl), &[libc::SYS_sched_setaffinity]),
        (Rule::Null(2, Forbidden::ProcessControl), &[libc::SYS_prlimit64]),
        (
            Rule::Descriptors(&[0]),
            &[
                libc::SYS_read,
                libc::SYS_write,
                libc::SYS_readv,
                libc::SYS_writev,
                libc::SYS_close,
                libc::SYS_dup,
                libc::SYS_vmsplice,
                libc::SYS_preadv2,
                libc::SYS_pwritev2,
            ],
        ),
        (Rule::Command(FCNTL_COMMANDS, Forbidden::Signals), &[libc::SYS_fcntl]),
        (Rule::Command(IOCTL_COMMANDS, Forbidden::System), &[libc::SYS_ioctl]),
        (Rule::Descriptors(&[0, 1]), &[libc::SYS_dup3, libc::SYS_sendfile, libc::SYS_tee]),
        (Rule::Descriptors(&[0, 2]), &[libc::SYS_splice, libc::SYS_copy_file_range]),
        (
            Rule::Refuse(Forbidden::Network),
            &[
                libc::SYS_socket,
                libc::SYS_connect,
                libc::SYS_bind,
                libc::SYS_listen,
                libc::SYS_accept,
                libc::SYS_accept4,
            ],
        ),
        (Rule::Refuse(Forbidden::Programs), &[libc::SYS_execveat]),
        (
            Rule::Refuse(Forbidden::ReadFiles),
            &[libc::SYS_inotify_init1, libc::SYS_open_by_handle_at, libc::SYS_fanotify_init],
        ),
        (Rule::Refuse(Forbidden::FileAttributes), FILE_ATTRIBUTES),
        (Rule::Refuse(Forbidden::Signals), &[libc::SYS_pidfd_send_signal]),
        (Rule::Refuse(Forbidden::ProcessControl), PROCESS_CONTROL),
        (
            Rule::Refuse(Forbidden::Timers),
            &[libc::SYS_setitimer, libc::SYS_timer_create, libc::SYS_timer_settime, libc::SYS_timer_delete],
        ),
        (Rule::Refuse(Forbidden::OtherProcesses), OTHER_PROCESSES),
        (Rule::Refuse(Forbidden::SharedMemory), SHARED_MEMORY),
        (Rule::Refuse(Forbidden::System), SYSTEM),
    ];
    for (rule, numbers) in groups.iter().chain(OLD_CALLS) {
        rules.extend(numbers.iter().map(|number| (*number as u32, *rule)));
    }
    rules.sort_by_key(|(number, _)| *number);
    rules
}

const ALLOWED: &[libc::c_long] = &[
    // Files that are open already, and names.
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_flock,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_sync_file_range,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    // Pipes, pairs of sockets, and waiting.
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_signalfd4,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_setsockopt,
    libc::SYS_getsockopt,
    libc::SYS_wait4,
    libc::SYS_waitid,
    // Memory.
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_membarrier,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_get_mempolicy,
    453, // map_shadow_stack
    462, // mseal
    // Threads and time.
    libc::SYS_futex,
    libc::SYS_futex_waitv,
    454, // futex_wake
    455, // futex_wait
    456, // futex_requeue
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_set_tid_address,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_getattr,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval,
    libc::SYS_getcpu,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getitimer,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Signals of its own.
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    // Who and where it is.
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getgroups,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_capget,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_getpriority,
    libc::SYS_getrandom,
];

/// The file system's rules say nothing about these.
const FILE_ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    452, // fchmodat2
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

const PROCESS_CONTROL: &[libc::c_long] = &[
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

const OTHER_PROCESSES: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_get_robust_list,
];

const SHARED_MEMORY: &[libc::c_long] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmdt,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

const SYSTEM: &[libc::c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sync,
    libc::SYS_syncfs,
];

/// Calls that newer processors do not have any more.
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[(Rule, &[libc::c_long])] = &[
    (
        Rule::Allow,
        &[
            libc::SYS_stat,
            libc::SYS_lstat,
            libc::SYS_access,
            libc::SYS_readlink,
            libc::SYS_getdents,
            libc::SYS_pipe,
            libc::SYS_poll,
            libc::SYS_select,
            libc::SYS_epoll_create,
            libc::SYS_epoll_wait,
            libc::SYS_eventfd,
            libc::SYS_signalfd,
            libc::SYS_getpgrp,
            libc::SYS_getrlimit,
            libc::SYS_pause,
            libc::SYS_time,
            libc::SYS_arch_prctl,
        ],
    ),
    (Rule::Open(1), &[libc::SYS_open]),
    (Rule::Ask(Forbidden::WriteFiles), &[libc::SYS_creat, libc::SYS_mkdir, libc::SYS_mknod, libc::SYS_symlink]),
    (Rule::Ask(Forbidden::DeleteFiles), &[libc::SYS_unlink, libc::SYS_rmdir]),
    (Rule::Ask(Forbidden::MoveFiles), &[libc::SYS_rename, libc::SYS_renameat, libc::SYS_link]),
    (Rule::Descriptors(&[0, 1]), &[libc::SYS_dup2]),
    (Rule::Refuse(Forbidden::Programs), &[libc::SYS_fork, libc::SYS_vfork]),
    (Rule::Refuse(Forbidden::ReadFiles), &[libc::SYS_inotify_init]),
    (
        Rule::Refuse(Forbidden::FileAttributes),
        &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat],
    ),
    (Rule::Refuse(Forbidden::ProcessControl), &[libc::SYS_setrlimit]),
    (Rule::Refuse(Forbidden::Timers), &[libc::SYS_alarm]),
    (Rule::Refuse(Forbidden::System), &[libc::SYS_iopl, libc::SYS_ioperm]),
];

#[cfg(target_arch = "aarch64")]
const OLD_CALLS: &[(Rule, &[libc::c_long])] = &[
    (Rule::Ask(Forbidden::MoveFiles), &[libc::SYS_renameat]),
    (Rule::Refuse(Forbidden::ProcessControl), &[libc::SYS_setrlimit]),
    (Rule::Allow, &[libc::SYS_getrlimit]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_one_rule_and_none_is_beyond_the_last() {
        let rules = rules();
        for pair in rules.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        assert!(rules.iter().all(|(number, _)| *number <= LAST_NUMBER));
    }
}
