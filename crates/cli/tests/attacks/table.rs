//! What is tried, and what it comes to where nothing isolates the bot.

use Bare::{AsRoot, Breach, Contained, Depends};

/// Ends the attacker's process once all else is tried.
pub(super) const LEAVE: Attack = ("leave", Contained);

/// What an attack comes to where nothing isolates the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bare {
    /// It gets something.
    Breach,
    /// It gets something as root.
    AsRoot,
    /// It gets nothing even so, or only who looks from outside sees what.
    Contained,
    /// That depends on the machine.
    Depends,
}

pub(super) type Attack = (&'static str, Bare);

pub(super) const FILES: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("list-folders", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
];
pub(super) const ARENA: &[Attack] = &[
    ("read-proc", Breach),
    ("list-processes", Breach),
    ("parent", Breach),
    ("ptrace", Depends),
    ("process-vm-readv", Depends),
    ("signal", Breach),
    ("environment", Contained),
    ("namespaces", Breach),
    ("read-load", Breach),
    ("sysinfo", Breach),
    // What the tests themselves were given.
    ("inherited-descriptors", Depends),
    ("shared-memory", Breach),
    ("message-queue", Depends),
];
pub(super) const NETWORK: &[Attack] =
    &[("tcp", Breach), ("listen", Breach), ("udp", Breach), ("unix", Breach), ("abstract", Breach)];
pub(super) const KERNEL: &[Attack] = &[
    ("unshare-user", Depends),
    ("unshare-others", AsRoot),
    ("clone-user", Depends),
    ("mount", AsRoot),
    ("change-root", AsRoot),
    ("io-uring", Depends),
    ("bpf", Depends),
    ("keys", Depends),
    ("perf", Depends),
    ("userfaultfd", Depends),
    ("hostname", AsRoot),
    ("setuid", AsRoot),
    ("capabilities", AsRoot),
    ("no-new-privileges", Breach),
    ("terminal", Depends),
    ("devices", Depends),
];
pub(super) const LEFT_BEHIND: &[Attack] =
    &[("daemon", Contained), ("deaf-daemon", Contained), ("spin", Contained)];
/// What two could give each other signs by.
pub(super) const SIGNS: &[Attack] = &[
    ("file-locks", Breach),
    ("free-space", Breach),
    ("page-cache", Breach),
    // Others than root may not have it first.
    ("priority", Breach),
];
/// Where the system's files lie on a disk.
pub(super) const EVICTION: &[Attack] = &[("evict", Depends)];
/// What two do who have agreed on it.
pub(super) const COLLUSION: &[Attack; 2] =
    &[("collude-send", Contained), ("collude-receive", Breach)];
/// The same by what the kernel counts for each user.
pub(super) const COUNTS: &[Attack; 2] =
    &[("collude-send-counts", Contained), ("collude-receive-counts", Depends)];
/// Their hill allows so much memory that nothing else ends them.
pub(super) const BOMBS: &[Attack] =
    &[("fork-bomb", Breach), ("thread-bomb", Breach), ("many-descriptors", Depends)];
pub(super) const FILLERS: [&[Attack]; 2] = [&[("file-filler", Breach)], &[("many-files", Breach)]];
/// Leaves what it writes to the processes that come after it.
pub(super) const HOARD: Attack = ("hoard", Breach);
/// Where the bot's folder can be written.
pub(super) const LINKS: &[Attack] = &[("symlink", Breach), ("set-id", Breach)];
/// Where others' folders stay as long as the run.
pub(super) const FOLDERS: &[Attack] = &[("other-folders", Breach)];
/// Those that may end their process, each alone.
pub(super) const HOGS: [&[Attack]; 2] =
    [&[("memory-hog", Depends)], &[("memory-hog-many", Depends)]];
/// What is no process's memory is not seen by who looks at the processes.
pub(super) const SHARED_HOGS: [&[Attack]; 2] =
    [&[("memory-hog-memfd", Breach)], &[("memory-hog-shm", Breach)]];
/// What a build tries; its report is read out later.
pub(super) const BUILD: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
    ("tcp", Breach),
    ("read-proc", Breach),
];
/// What Java has the means for.
pub(super) const JAVA: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
    ("symlink", Breach),
    ("read-proc", Breach),
    ("list-processes", Breach),
    ("environment", Contained),
    ("read-load", Breach),
    ("tcp", Breach),
    ("listen", Depends),
    ("udp", Breach),
    ("unix", Breach),
    ("exec", Breach),
    ("attach", Depends),
    ("native", Depends),
    ("bridge", Contained),
    ("thread-bomb", Breach),
    ("heap-hog", Contained),
    ("many-descriptors", Depends),
    ("spin", Contained),
];
