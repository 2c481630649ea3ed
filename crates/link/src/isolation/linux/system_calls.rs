//! The system calls that a child may make.

use libc::c_long;

/// Calls that runtimes and ordinary programs make. Calls are left out that gain privileges, reach other
/// processes or the network, show the load of the machine, its free space or which files were read recently,
/// number what all processes of the machine create, as descriptors of processes do,
/// use memory that counts for no process, belong to parts of the kernel in which vulnerabilities are often
/// found, or are made by no supported runtime. Changes of the user stay, because make gives its children the user that
/// they have already; without capabilities there is no other.
pub(super) const ALLOWED: &[c_long] = &[
    libc::SYS_brk,
    libc::SYS_capget,
    libc::SYS_chdir,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_copy_file_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fchdir,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fdatasync,
    libc::SYS_fgetxattr,
    libc::SYS_flistxattr,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_futex,
    libc::SYS_getcpu,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getitimer,
    libc::SYS_getpeername,
    libc::SYS_getpgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getrandom,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getrusage,
    libc::SYS_getsid,
    libc::SYS_getsockname,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_getxattr,
    libc::SYS_kill,
    libc::SYS_lgetxattr,
    libc::SYS_linkat,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_lseek,
    libc::SYS_membarrier,
    libc::SYS_mkdirat,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_pselect6,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_read,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_restart_syscall,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_yield,
    libc::SYS_sendto,
    libc::SYS_setgid,
    libc::SYS_setitimer,
    libc::SYS_setpgid,
    libc::SYS_setregid,
    libc::SYS_setresgid,
    libc::SYS_setresuid,
    libc::SYS_setreuid,
    libc::SYS_set_robust_list,
    libc::SYS_setsid,
    libc::SYS_set_tid_address,
    libc::SYS_setuid,
    libc::SYS_shutdown,
    libc::SYS_sigaltstack,
    libc::SYS_symlinkat,
    libc::SYS_tgkill,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_gettime,
    libc::SYS_timerfd_settime,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    libc::SYS_times,
    libc::SYS_tkill,
    libc::SYS_truncate,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_unlinkat,
    libc::SYS_utimensat,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_write,
    libc::SYS_writev,
];

/// Older forms that exist only on this architecture.
#[cfg(target_arch = "x86_64")]
pub(super) const ALLOWED_HERE: &[c_long] = &[
    libc::SYS_access,
    libc::SYS_alarm,
    libc::SYS_arch_prctl,
    libc::SYS_chown,
    libc::SYS_dup2,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_fork,
    libc::SYS_getdents,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_lchown,
    libc::SYS_link,
    libc::SYS_lstat,
    libc::SYS_mkdir,
    libc::SYS_newfstatat,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_readlink,
    libc::SYS_rename,
    libc::SYS_rmdir,
    libc::SYS_select,
    libc::SYS_stat,
    libc::SYS_symlink,
    libc::SYS_time,
    libc::SYS_unlink,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_vfork,
];

#[cfg(all(target_arch = "aarch64", target_env = "gnu"))]
pub(super) const ALLOWED_HERE: &[c_long] = &[libc::SYS_getrlimit, libc::SYS_newfstatat];

#[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_env = "gnu"))))]
pub(super) const ALLOWED_HERE: &[c_long] = &[];

/// Calls that runtimes and libraries try in normal operation and do without. Their refusal is not reported.
pub(super) const TRIED: &[c_long] = &[
    // The C library falls back to `clone`, whose flags a filter can see.
    libc::SYS_clone3,
    libc::SYS_fadvise64,
    // Go and Python start and await processes without it.
    libc::SYS_pidfd_open,
    // Protection keys, in V8.
    libc::SYS_pkey_alloc,
    // The amount of memory.
    libc::SYS_sysinfo,
];

/// Calls that fail with an error that programs are prepared for. Their refusal is not reported.
pub(super) const UNSUPPORTED: &[(c_long, i32)] = &[
    // It fills the disk at once. Linkers do without it if the file system has none.
    (libc::SYS_fallocate, libc::EOPNOTSUPP),
    // It shows the free space. `posix_fallocate` passes its error on.
    (libc::SYS_fstatfs, libc::EOPNOTSUPP),
    // A pipe or a socket that takes one byte of a file holds all pages around it, which count for no process. Programs read
    // and write instead, as for files that it cannot send.
    (libc::SYS_sendfile, libc::EINVAL),
];

/// The families of sockets that the C library and Node open for a service that need not be there.
pub(super) const TRIED_SOCKETS: [i32; 2] = [libc::AF_UNIX, libc::AF_NETLINK];

/// Operations of `fcntl`. Locks, leases, notifications and hints are not among them: two bots with a common readable
/// file could use them as a covert channel. Neither is the size of a pipe, which counts for the user.
pub(super) const FILE_OPERATIONS: &[u64] = &[
    libc::F_DUPFD as u64,
    libc::F_DUPFD_CLOEXEC as u64,
    libc::F_GETFD as u64,
    libc::F_SETFD as u64,
    libc::F_GETFL as u64,
    libc::F_SETFL as u64,
    libc::F_GETPIPE_SZ as u64,
];

/// Requests of `ioctl`: what a terminal would be asked, and those for any descriptor. Requests of file systems are not
/// among them, some of which show where on the disk files are.
pub(super) const REQUESTS: &[u64] = &[
    0x5401, // TCGETS
    0x540f, // TIOCGPGRP
    0x5413, // TIOCGWINSZ
    0x541b, // FIONREAD
    0x5421, // FIONBIO
    0x5451, // FIOCLEX
    0x5450, // FIONCLEX
];

/// Options of `getsockopt` at the level of sockets. The cookie of a socket is not among them, which counts those of all
/// processes, and neither is the descriptor of its other end's process.
pub(super) const SOCKET_OPTIONS: &[u64] = &[
    libc::SO_TYPE as u64,
    libc::SO_ERROR as u64,
    libc::SO_SNDBUF as u64,
    libc::SO_RCVBUF as u64,
    libc::SO_KEEPALIVE as u64,
    libc::SO_PEERCRED as u64,
    libc::SO_ACCEPTCONN as u64,
    libc::SO_PROTOCOL as u64,
    libc::SO_DOMAIN as u64,
];

/// Calls of a child with a network besides `socket`: it connects, and neither listens nor accepts.
pub(super) const NETWORK_CALLS: &[c_long] =
    &[libc::SYS_connect, libc::SYS_recvmmsg, libc::SYS_sendmmsg, libc::SYS_sendmsg];

/// Options of `getsockopt` and `setsockopt` with a network, by their level: what the C library's resolver and HTTP clients
/// use. Filters, congestion control and other parts of the kernel that few programs use are not among them.
pub(super) const NETWORK_OPTIONS: &[(i32, &[i32])] = &[
    (
        libc::SOL_SOCKET,
        &[
            libc::SO_KEEPALIVE,
            libc::SO_LINGER,
            libc::SO_RCVBUF,
            libc::SO_RCVTIMEO,
            libc::SO_REUSEADDR,
            libc::SO_SNDBUF,
            libc::SO_SNDTIMEO,
        ],
    ),
    (libc::IPPROTO_IP, &[libc::IP_MTU_DISCOVER, libc::IP_RECVERR, libc::IP_TOS]),
    (libc::IPPROTO_IPV6, &[libc::IPV6_RECVERR, libc::IPV6_TCLASS, libc::IPV6_V6ONLY]),
    (
        libc::IPPROTO_TCP,
        &[
            libc::TCP_KEEPCNT,
            libc::TCP_KEEPIDLE,
            libc::TCP_KEEPINTVL,
            libc::TCP_NODELAY,
            libc::TCP_QUICKACK,
            libc::TCP_USER_TIMEOUT,
        ],
    ),
];

/// Advice of `madvise`. Advice is left out that evicts or collapses pages that other processes use, or merges equal pages
/// of all processes, which the time of a write then shows.
pub(super) const ADVICE: &[u64] = &[
    libc::MADV_NORMAL as u64,
    libc::MADV_RANDOM as u64,
    libc::MADV_SEQUENTIAL as u64,
    libc::MADV_WILLNEED as u64,
    libc::MADV_DONTNEED as u64,
    libc::MADV_FREE as u64,
    libc::MADV_DONTFORK as u64,
    libc::MADV_DOFORK as u64,
    libc::MADV_HUGEPAGE as u64,
    libc::MADV_NOHUGEPAGE as u64,
    libc::MADV_DONTDUMP as u64,
    libc::MADV_DODUMP as u64,
    libc::MADV_WIPEONFORK as u64,
    libc::MADV_KEEPONFORK as u64,
    libc::MADV_POPULATE_READ as u64,
    libc::MADV_POPULATE_WRITE as u64,
];

/// Options of `prctl` with any further arguments.
pub(super) const PROCESS_OPTIONS: &[u64] = &[
    libc::PR_SET_NAME as u64,
    libc::PR_GET_NAME as u64,
    libc::PR_SET_VMA as u64,
    libc::PR_SET_PDEATHSIG as u64,
    libc::PR_GET_PDEATHSIG as u64,
    libc::PR_SET_DUMPABLE as u64,
    libc::PR_GET_DUMPABLE as u64,
    libc::PR_SET_NO_NEW_PRIVS as u64,
    libc::PR_GET_NO_NEW_PRIVS as u64,
    libc::PR_GET_SECCOMP as u64,
    libc::PR_CAPBSET_READ as u64,
    libc::PR_CAP_AMBIENT as u64,
    libc::PR_SET_CHILD_SUBREAPER as u64,
    libc::PR_GET_CHILD_SUBREAPER as u64,
    libc::PR_SET_TIMERSLACK as u64,
    libc::PR_GET_TIMERSLACK as u64,
    libc::PR_GET_THP_DISABLE as u64,
];
