//! The names of system calls that a sandbox may refuse.

use libc::c_long;

/// The name of a system call, or its number.
pub(super) fn name_of(call: i32) -> String {
    let mut all = NAMES.iter().chain(NAMES_HERE);
    let found = all.find(|(number, _)| *number == c_long::from(call));
    // The names are those of the constants.
    found.map_or_else(
        || format!("number {call}"),
        |(_, name)| name.trim_start_matches("SYS_").to_owned(),
    )
}

macro_rules! names {
    ($($call:ident)*) => { &[$((libc::$call, stringify!($call))),*] };
}

const NAMES: &[(c_long, &str)] = names![
    SYS_accept SYS_accept4 SYS_acct SYS_add_key SYS_adjtimex SYS_bind SYS_bpf SYS_capset
    SYS_chroot SYS_clock_adjtime SYS_clock_settime SYS_clone SYS_clone3 SYS_connect
    SYS_delete_module SYS_fadvise64 SYS_fallocate SYS_fanotify_init SYS_fanotify_mark SYS_fchmod SYS_fchmodat
    SYS_fcntl SYS_finit_module SYS_flock SYS_fremovexattr SYS_fsconfig SYS_fsetxattr SYS_fsmount
    SYS_fsopen SYS_fspick SYS_fstatfs SYS_futex_waitv SYS_get_mempolicy SYS_get_robust_list SYS_getsockopt
    SYS_init_module SYS_inotify_add_watch SYS_inotify_init1 SYS_inotify_rm_watch SYS_io_cancel
    SYS_io_destroy SYS_io_getevents SYS_io_setup SYS_io_submit
    SYS_io_uring_enter SYS_io_uring_register SYS_io_uring_setup SYS_ioctl SYS_ioprio_get
    SYS_ioprio_set SYS_kcmp SYS_kexec_load SYS_keyctl SYS_landlock_add_rule
    SYS_landlock_create_ruleset SYS_landlock_restrict_self SYS_listen
    SYS_lremovexattr SYS_lsetxattr SYS_madvise SYS_mbind SYS_memfd_create
    SYS_migrate_pages SYS_mincore SYS_mknodat SYS_mlock SYS_mlock2 SYS_mlockall SYS_mmap SYS_mount
    SYS_mount_setattr SYS_move_mount SYS_move_pages SYS_mq_getsetattr SYS_mq_notify SYS_mq_open
    SYS_mq_timedreceive SYS_mq_timedsend SYS_mq_unlink SYS_msgctl SYS_msgget SYS_msgrcv SYS_msgsnd
    SYS_munlock SYS_munlockall SYS_name_to_handle_at SYS_open_by_handle_at SYS_open_tree
    SYS_openat SYS_openat2 SYS_perf_event_open SYS_personality SYS_pidfd_getfd SYS_pidfd_open
    SYS_pidfd_send_signal SYS_pivot_root
    SYS_pkey_alloc SYS_pkey_free SYS_pkey_mprotect SYS_prctl SYS_preadv2 SYS_prlimit64
    SYS_process_madvise SYS_process_mrelease SYS_process_vm_readv SYS_process_vm_writev SYS_ptrace
    SYS_pwritev2 SYS_quotactl SYS_readahead SYS_reboot SYS_recvmmsg
    SYS_removexattr SYS_request_key SYS_sched_getattr SYS_sched_rr_get_interval
    SYS_sched_setaffinity SYS_sched_setattr SYS_sched_setparam SYS_sched_setscheduler SYS_seccomp
    SYS_semctl SYS_semget SYS_semop SYS_semtimedop SYS_sendmmsg SYS_sendmsg SYS_set_mempolicy
    SYS_setdomainname SYS_setfsgid SYS_setfsuid SYS_setgid SYS_setgroups SYS_sethostname SYS_setns
    SYS_setpriority SYS_setregid SYS_setresgid SYS_setresuid SYS_setreuid SYS_setsockopt
    SYS_settimeofday SYS_setuid SYS_setxattr SYS_shmat SYS_shmctl SYS_shmdt SYS_shmget
    SYS_signalfd4 SYS_socket SYS_socketpair SYS_splice SYS_statfs SYS_statx SYS_swapoff SYS_swapon SYS_sync
    SYS_syncfs SYS_sysinfo SYS_syslog SYS_tee SYS_umount2 SYS_unshare
    SYS_userfaultfd SYS_vhangup SYS_vmsplice
];

/// Older forms that exist only on this architecture.
#[cfg(target_arch = "x86_64")]
const NAMES_HERE: &[(c_long, &str)] = names![
    SYS_chmod SYS_creat SYS_futimesat SYS_inotify_init SYS_ioperm SYS_iopl SYS_mknod
    SYS_modify_ldt SYS_open SYS_signalfd
];

#[cfg(not(target_arch = "x86_64"))]
const NAMES_HERE: &[(c_long, &str)] = &[];
