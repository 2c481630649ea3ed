//! What is tried, what it comes to where nothing isolates the bot, and which runs try it on what terms.
//!
//! An isolated bot gets nothing under any user: each run of the table is started by root and by another user. C is the
//! language that can try everything, and in Python the bot is not its own program: both try all that they can in a process
//! for each game, as is usual. What can matter to an attack else is how long a process lives, the game, and whether the bot
//! is barred: on these terms C alone tries each kind of attack again, as the sandbox does not know the language. Java has
//! a bridge of ours in its process, and attacks of its own, for both games. A build has another sandbox, and attacks of its
//! own.
//!
//! Attacks that leave each other alone are tried in one run: each reports by itself what it got, and a run fails if one of
//! them was not tried. What uses something up, or may end its process, has a run of its own.
//!
//! Where nothing isolates the bot, a run has only to show that an attack can get something: once in each language, on one
//! kind of terms, started by the user of the tests. One run of another user's shows that the attacks do not need root.

use Bare::{AsRoot, Breach, Contained, Depends};
use Language::{C, Python};

/// Ends the attacker's process once all else is tried.
pub(super) const LEAVE: Attack = ("leave", Contained);

/// What an attack comes to where nothing isolates the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bare {
    /// It gets something.
    Breach,
    /// It gets something as root.
    AsRoot,
    /// It gets nothing even so, or only who looks from outside sees what.
    Contained,
    /// That depends on the machine.
    Depends,
}

pub(crate) type Attack = (&'static str, Bare);

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
pub(super) const COLLUSION: [Attack; 2] =
    [("collude-send", Contained), ("collude-receive", Breach)];
/// The same by what the kernel counts for each user.
pub(super) const COUNTS: [Attack; 2] =
    [("collude-send-counts", Contained), ("collude-receive-counts", Depends)];
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
pub(super) const HOGS: [&[Attack]; 2] = [&[("memory-hog", Breach)], &[("memory-hog-many", Breach)]];
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

/// How an attacker is started.
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

/// Enough games that the attacker meets every other bot.
const GAMES: u64 = 4;
/// So many that a bot whose process fails in every one is barred.
const MANY_GAMES: u64 = 14;

/// On what terms the attacker plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(super) game: &'static str,
    /// How long a process of a bot lives.
    pub(super) memory: &'static str,
    pub(super) games: u64,
    pub(super) memory_mb: u64,
}

pub(crate) const fn yahtzee(memory: &'static str) -> Terms {
    Terms { game: "yahtzee", memory, games: GAMES, memory_mb: 512 }
}

/// A few games of a process that lives through them.
pub(super) const LIARS: Terms =
    Terms { game: "liars-dice", memory: "set", games: GAMES, memory_mb: 512 };
/// A set in which a bot is barred that fails in each game.
pub(super) const BARRING: Terms = Terms { games: MANY_GAMES, ..LIARS };

/// The same with other mebibytes of memory.
pub(crate) const fn within(memory_mb: u64, terms: Terms) -> Terms {
    Terms { memory_mb, ..terms }
}

/// A run: in which language the attacker is written, on what terms it plays, and what it tries, one thing after the other.
pub(crate) type Run = (Language, Terms, &'static [&'static [Attack]]);

/// What is out of reach, for a process that plays one game.
pub(super) const OUT_OF_REACH: &[&[Attack]] =
    &[FILES, FOLDERS, ARENA, NETWORK, KERNEL, SIGNS, LEFT_BEHIND];
pub(super) const IN_C: &[Run] = &[(C, yahtzee("game"), OUT_OF_REACH)];
pub(super) const IN_PYTHON: &[Run] = &[(Python, yahtzee("game"), OUT_OF_REACH)];
/// The same for one that lives through the run, whose folder can be written, and that meets a file before it is driven out.
pub(super) const IN_A_SET: &[Run] = &[
    (C, yahtzee("set"), &[FILES, LINKS, ARENA, KERNEL, SIGNS, EVICTION]),
    (Python, yahtzee("set"), &[LINKS]),
    (C, LIARS, &[NETWORK, LEFT_BEHIND]),
];
/// The same for one that is barred.
pub(super) const BARRED: &[Run] =
    &[(C, BARRING, &[FILES, ARENA, NETWORK, KERNEL, SIGNS, LEFT_BEHIND, &[LEAVE]])];
/// Their hill allows so much memory that nothing else ends the bombs.
pub(super) const TOO_MANY: &[Run] = &[
    (C, within(8192, yahtzee("set")), &[BOMBS]),
    (Python, within(8192, yahtzee("set")), &[BOMBS]),
    (C, within(8192, BARRING), &[BOMBS, &[LEAVE]]),
];
pub(super) const FULL_FOLDERS: &[Run] = &[
    (C, yahtzee("set"), &[FILLERS[0]]),
    (C, yahtzee("set"), &[FILLERS[1]]),
    (C, BARRING, &[FILLERS[0], &[LEAVE]]),
    (C, BARRING, &[FILLERS[1], &[LEAVE]]),
    // A bot that ends and is started again has no more room than others.
    (C, BARRING, &[&[HOARD, LEAVE]]),
];
pub(super) const MUCH_MEMORY: &[Run] = &[
    (C, within(256, yahtzee("set")), &[SHARED_HOGS[0]]),
    (C, within(256, yahtzee("set")), &[SHARED_HOGS[1]]),
    (C, within(256, yahtzee("set")), &[HOGS[0]]),
    (C, within(256, yahtzee("set")), &[HOGS[1]]),
    (Python, within(256, yahtzee("set")), &[HOGS[0]]),
    (Python, within(256, yahtzee("set")), &[HOGS[1]]),
    (C, within(256, BARRING), &[HOGS[0]]),
];
/// What two bots do that have agreed on it: one tries the first two, the other the second two.
pub(super) const TWO: [[Attack; 2]; 2] = [[COLLUSION[0], COUNTS[0]], [COLLUSION[1], COUNTS[1]]];
/// On these terms each. What passes from game to game depends on how long a process lives.
pub(super) const TERMS_OF_TWO: [Terms; 4] =
    [yahtzee("game"), yahtzee("set"), BARRING, Terms { memory: "game", ..BARRING }];

/// Where nothing isolates the bot: what disturbs no other run, and what takes so much that other runs would suffer.
pub(super) const BARE: &[Run] = &[
    (C, yahtzee("game"), OUT_OF_REACH),
    (Python, yahtzee("game"), OUT_OF_REACH),
    (C, yahtzee("set"), &[LINKS, EVICTION]),
];
pub(super) const BARE_AND_GREEDY: &[Run] = &[
    (C, within(8192, yahtzee("set")), &[BOMBS, FILLERS[0], FILLERS[1]]),
    (Python, within(8192, yahtzee("set")), &[BOMBS]),
    (C, within(256, yahtzee("set")), &[SHARED_HOGS[0], SHARED_HOGS[1]]),
    (C, within(8192, yahtzee("set")), &[HOGS[0], HOGS[1]]),
    (C, BARRING, &[&[HOARD, LEAVE]]),
];

/// A handful of those that matter most, of every kind: files, the arena, the network, the kernel, what is left behind, and
/// too much.
pub(crate) const HANDFUL: &[&[Attack]] = &[&[
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
