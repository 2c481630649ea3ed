//! The attacks, their outcome without isolation, and the runs that try them.
//!
//! An isolated bot must achieve nothing under any user: each run of the table is started by root and by another user. C
//! can try every attack, and in Python the bot is not its own program: both try all their attacks in a process for each
//! game, which is the default. An attack can further depend on how long a process lives, on the game, and on whether
//! the bot is barred: under these settings only C tries each kind of attack, because the sandbox does not depend on the
//! language. Java has our bridge in its process, and its own attacks, for both games. A build has a different sandbox,
//! and its own attacks.
//!
//! Attacks that do not disturb each other are tried in one run: each reports its own result, and a run fails if one of
//! them was not tried. Attacks that exhaust a resource or may end their process have a run of their own.
//!
//! Without isolation a run only has to show that an attack can succeed: once in each language, with one kind of
//! settings, started by the user of the tests. One run of another user shows that the attacks do not need root.

use Language::{C, Python};
use UnsandboxedOutcome::{AsRoot, Breach, Contained, Depends};

/// Ends the attacker's process after all other attacks.
pub(super) const LEAVE: Attack = ("leave", Contained);

/// The outcome of an attack without isolation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnsandboxedOutcome {
    /// It succeeds.
    Breach,
    /// It succeeds as root.
    AsRoot,
    /// It fails, or its success is visible only from outside.
    Contained,
    /// The outcome depends on the machine.
    Depends,
}

pub(crate) type Attack = (&'static str, UnsandboxedOutcome);

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
    ("own-proc", Breach),
    ("sysinfo", Breach),
    // Descriptors that the test process itself inherited.
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
    ("landlock", Depends),
    ("filters", Breach),
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
/// Computes in processes that end at once, each of which the system can only see for a moment.
pub(super) const RELAY: &[Attack] = &[("relay", Contained)];
/// Shared state that two bots could signal each other with.
pub(super) const COVERT_CHANNELS: &[Attack] = &[
    ("file-locks", Breach),
    ("file-hints", Breach),
    ("free-space", Breach),
    ("numbers", Breach),
    ("page-cache", Breach),
    // Without root, another user may already own it.
    ("priority", Breach),
];
/// Needs the system's files on a disk.
pub(super) const EVICTION: &[Attack] = &[("evict", Depends)];
/// The attacks of two colluding bots.
pub(super) const COLLUSION: [Attack; 2] =
    [("collude-send", Contained), ("collude-receive", Breach)];
/// The same with counters that the kernel keeps for each user.
pub(super) const COUNTS: [Attack; 2] =
    [("collude-send-counts", Contained), ("collude-receive-counts", Depends)];
pub(super) const BOMBS: &[Attack] =
    &[("fork-bomb", Breach), ("thread-bomb", Breach), ("many-descriptors", Depends)];
pub(super) const FILLERS: [&[Attack]; 3] =
    [&[("file-filler", Breach)], &[("many-files", Breach)], &[("hidden-filler", Breach)]];
/// Leaves its files to the processes that follow it.
pub(super) const HOARD: Attack = ("hoard", Breach);
/// Needs a writable folder of the bot.
pub(super) const LINKS: &[Attack] = &[("symlink", Breach), ("set-id", Breach)];
/// Needs folders of other bots that stay for the whole run.
pub(super) const FOLDERS: &[Attack] = &[("other-folders", Breach)];
/// Attacks that may end their process, each tried alone.
pub(super) const HOGS: [&[Attack]; 2] = [&[("memory-hog", Breach)], &[("memory-hog-many", Breach)]];
/// Shared memory that belongs to no process, so that adding up processes misses it.
pub(super) const SHARED_HOGS: [&[Attack]; 2] =
    [&[("memory-hog-memfd", Breach)], &[("memory-hog-shm", Breach)]];
/// The attacks of a build; its report is printed later.
pub(super) const BUILD: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
    ("tcp", Breach),
    ("read-proc", Breach),
];
/// The attacks that are possible in Java.
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
    ("own-proc", Breach),
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

/// The language in which an attacker is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Python,
}

impl Language {
    pub(super) const fn name(self) -> &'static str {
        match self {
            C => "C",
            Python => "Python",
        }
    }
}

/// Enough games for the attacker to meet every other bot.
const GAMES: u64 = 4;
/// Enough games for a bot to be barred whose process fails in each.
const MANY_GAMES: u64 = 14;

/// The settings under which the attacker plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttackSettings {
    pub(super) game: &'static str,
    /// How long a process of a bot lives.
    pub(super) memory: &'static str,
    pub(super) games: u64,
    pub(super) memory_mb: u64,
}

pub(crate) const fn yahtzee(memory: &'static str) -> AttackSettings {
    AttackSettings { game: "yahtzee", memory, games: GAMES, memory_mb: 512 }
}

/// A few games of one process that plays all of them.
pub(super) const LIARS_DICE_SET: AttackSettings =
    AttackSettings { game: "liars-dice", memory: "set", games: GAMES, memory_mb: 512 };
/// A set in which a bot that fails in each game is barred.
pub(super) const BARRING: AttackSettings = AttackSettings { games: MANY_GAMES, ..LIARS_DICE_SET };

/// The same settings with this many mebibytes of memory.
pub(crate) const fn with_memory(memory_mb: u64, settings: AttackSettings) -> AttackSettings {
    AttackSettings { memory_mb, ..settings }
}

/// A run: the attacker's language, its settings, and its attacks in the order in which it tries them.
pub(crate) type Run = (Language, AttackSettings, &'static [&'static [Attack]]);

/// The attacks of a process that plays one game.
pub(super) const MUST_FAIL: &[&[Attack]] =
    &[FILES, FOLDERS, ARENA, NETWORK, KERNEL, COVERT_CHANNELS, LEFT_BEHIND];
pub(super) const IN_C: &[Run] = &[(C, yahtzee("game"), MUST_FAIL)];
pub(super) const IN_PYTHON: &[Run] = &[(Python, yahtzee("game"), MUST_FAIL)];
/// The attacks of a process that plays all games and whose folder is writable; it reads a file before evicting it.
pub(super) const IN_A_SET: &[Run] = &[
    (C, yahtzee("set"), &[FILES, LINKS, ARENA, KERNEL, COVERT_CHANNELS, EVICTION]),
    (Python, yahtzee("set"), &[LINKS]),
    (C, LIARS_DICE_SET, &[NETWORK, LEFT_BEHIND]),
    (C, LIARS_DICE_SET, &[RELAY]),
];
/// The attacks of a bot that is barred.
pub(super) const BARRED: &[Run] =
    &[(C, BARRING, &[FILES, ARENA, NETWORK, KERNEL, COVERT_CHANNELS, LEFT_BEHIND, &[LEAVE]])];
/// The hill allows enough memory that only the limits on processes and threads can stop the bombs.
pub(super) const COUNT_ATTACKS: &[Run] = &[
    (C, with_memory(8192, yahtzee("set")), &[BOMBS]),
    (Python, with_memory(8192, yahtzee("set")), &[BOMBS]),
    (C, with_memory(8192, BARRING), &[BOMBS, &[LEAVE]]),
];
pub(super) const DISK_ATTACKS: &[Run] = &[
    (C, yahtzee("set"), &[FILLERS[0]]),
    (C, yahtzee("set"), &[FILLERS[1]]),
    (C, yahtzee("set"), &[FILLERS[2]]),
    (C, BARRING, &[FILLERS[0], &[LEAVE]]),
    (C, BARRING, &[FILLERS[1], &[LEAVE]]),
    // A restarted bot has no more space than the others.
    (C, BARRING, &[&[HOARD, LEAVE]]),
];
pub(super) const MEMORY_ATTACKS: &[Run] = &[
    (C, with_memory(256, yahtzee("set")), &[SHARED_HOGS[0]]),
    (C, with_memory(256, yahtzee("set")), &[SHARED_HOGS[1]]),
    (C, with_memory(256, yahtzee("set")), &[HOGS[0]]),
    (C, with_memory(256, yahtzee("set")), &[HOGS[1]]),
    (Python, with_memory(256, yahtzee("set")), &[HOGS[0]]),
    (Python, with_memory(256, yahtzee("set")), &[HOGS[1]]),
    (C, with_memory(256, BARRING), &[HOGS[0]]),
];
/// The attacks of two colluding bots: one tries the first two, the other the second two.
pub(super) const COLLUDING_ATTACKS: [[Attack; 2]; 2] =
    [[COLLUSION[0], COUNTS[0]], [COLLUSION[1], COUNTS[1]]];
/// The settings of the colluding bots. What passes from game to game depends on how long a process lives.
pub(super) const COLLUDING_SETTINGS: [AttackSettings; 4] =
    [yahtzee("game"), yahtzee("set"), BARRING, AttackSettings { memory: "game", ..BARRING }];

/// Runs without isolation: those that disturb no other run, and those that exhaust resources which other runs need.
pub(super) const UNSANDBOXED: &[Run] = &[
    (C, yahtzee("game"), MUST_FAIL),
    (Python, yahtzee("game"), MUST_FAIL),
    (C, yahtzee("set"), &[LINKS, EVICTION]),
];
pub(super) const UNSANDBOXED_RESOURCES: &[Run] = &[
    (C, with_memory(8192, yahtzee("set")), &[BOMBS, FILLERS[0], FILLERS[1], FILLERS[2]]),
    (Python, with_memory(8192, yahtzee("set")), &[BOMBS]),
    (C, with_memory(256, yahtzee("set")), &[SHARED_HOGS[0], SHARED_HOGS[1]]),
    (C, with_memory(8192, yahtzee("set")), &[HOGS[0], HOGS[1]]),
    (C, BARRING, &[&[HOARD, LEAVE]]),
];

/// The most important attacks of every kind: files, the arena, the network, the kernel, leftover processes, and
/// resource exhaustion.
pub(crate) const SELECTION: &[&[Attack]] = &[&[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
    ("read-proc", Breach),
    ("signal", Breach),
    ("shared-memory", Breach),
    ("tcp", Breach),
    ("unix", Breach),
    ("abstract", Breach),
    ("unshare-user", Depends),
    ("mount", AsRoot),
    ("capabilities", AsRoot),
    ("no-new-privileges", Breach),
    ("file-locks", Breach),
    ("deaf-daemon", Contained),
    ("fork-bomb", Breach),
    ("many-descriptors", Depends),
]];
