//! Bots that try to get out of where they are kept: none gets anything, and nobody's games change.
//!
//! Each attacker says on its log what it tried and what came of it; what it cannot know is looked
//! for from outside. The control is the same without isolation, where what is possible must be seen
//! to be: an attack that never gets anything would prove nothing.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::machine::{absent_for, can_isolate, is_told};
use crate::support::outside::{Marker, bot, compiled, copy, python, source};
use crate::support::{Ran, Scratch, hill};

/// What turns it off.
const NO_ISOLATION: &str = "--no-isolation";
/// Stands in every canary file, and must stand in no log.
const SECRET: &str = "xyzzy-plugh";
/// A variable of the arena's environment.
const VARIABLE: &str = "DICEHILL_TEST_SECRET";
/// A user that has no name on any machine.
const NOBODY: u32 = 54_321;
/// Enough of them that the attacker meets everybody.
const GAMES: u64 = 4;
/// So many that a bot whose process fails in every one is barred.
const MANY_GAMES: u64 = 14;
/// Ends the attacker's process once all else is tried.
const LEAVE: Attack = ("leave", Contained);

/// What an attack comes to where nothing isolates the bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bare {
    /// It gets something.
    Breach,
    /// It gets something as root.
    AsRoot,
    /// It gets nothing even so, or only who looks from outside sees what.
    Contained,
    /// That depends on the machine.
    Depends,
}
use Bare::{AsRoot, Breach, Contained, Depends};

type Attack = (&'static str, Bare);

const FILES: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("list-folders", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
];
const ARENA: &[Attack] = &[
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
const NETWORK: &[Attack] =
    &[("tcp", Breach), ("listen", Breach), ("udp", Breach), ("unix", Breach), ("abstract", Breach)];
const KERNEL: &[Attack] = &[
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
const LEFT_BEHIND: &[Attack] =
    &[("daemon", Contained), ("deaf-daemon", Contained), ("spin", Contained)];
/// What two could give each other signs by.
const SIGNS: &[Attack] = &[
    ("file-locks", Breach),
    ("free-space", Breach),
    ("page-cache", Breach),
    // Others than root may not have it first.
    ("priority", Breach),
];
/// Where the system's files lie on a disk.
const EVICTION: &[Attack] = &[("evict", Depends)];
/// What two do who have agreed on it.
const COLLUSION: &[Attack; 2] = &[("collude-send", Contained), ("collude-receive", Breach)];
/// The same by what the kernel counts for each user.
const COUNTS: &[Attack; 2] =
    &[("collude-send-counts", Contained), ("collude-receive-counts", Depends)];
/// Their hill allows so much memory that nothing else ends them.
const BOMBS: &[Attack] =
    &[("fork-bomb", Breach), ("thread-bomb", Breach), ("many-descriptors", Depends)];
const FILLERS: [&[Attack]; 2] = [&[("file-filler", Breach)], &[("many-files", Breach)]];
/// Leaves what it writes to the processes that come after it.
const HOARD: Attack = ("hoard", Breach);
/// Where the bot's folder can be written.
const LINKS: &[Attack] = &[("symlink", Breach), ("set-id", Breach)];
/// Where others' folders stay as long as the run.
const FOLDERS: &[Attack] = &[("other-folders", Breach)];
/// Those that may end their process, each alone.
const HOGS: [&[Attack]; 2] = [&[("memory-hog", Depends)], &[("memory-hog-many", Depends)]];
/// What is no process's memory is not seen by who looks at the processes.
const SHARED_HOGS: [&[Attack]; 2] =
    [&[("memory-hog-memfd", Breach)], &[("memory-hog-shm", Breach)]];
/// What a build tries; its report is read out later.
const BUILD: &[Attack] = &[
    ("read-passwd", Breach),
    ("read-file", Breach),
    ("write-file", Breach),
    ("drop-file", Contained),
    ("tcp", Breach),
    ("read-proc", Breach),
];
/// What Java has the means for.
const JAVA: &[Attack] = &[
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

/// Whether bots are isolated in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Isolated,
    Bare,
}

impl Mode {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Bare => &[NO_ISOLATION],
            Self::Isolated => &[],
        }
    }

    /// Who can hold a run of this kind here; says who cannot, and why.
    fn users(self) -> Vec<User> {
        let mut users = User::all();
        users.retain(|user| user.python().is_some());
        users.retain(|user| self == Self::Bare || user.can_isolate());
        users
    }
}

/// Who holds the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum User {
    Ourselves,
    /// Only root can become another user.
    Nobody,
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("there is /proc").uid() == 0
}

impl User {
    /// Those that can be had; says which cannot.
    fn all() -> Vec<Self> {
        if is_root() {
            return vec![Self::Ourselves, Self::Nobody];
        }
        eprintln!("not run as another user: only root can become one");
        vec![Self::Ourselves]
    }

    fn is_root(self) -> bool {
        self == Self::Ourselves && is_root()
    }

    /// The user may not reach a Python of ours.
    fn python(self) -> Option<[&'static str; 2]> {
        let systems = Path::new("/usr/bin/python3");
        match self {
            Self::Ourselves => Some(python()),
            Self::Nobody if systems.is_file() => Some(["/usr/bin/python3", "-S"]),
            Self::Nobody => {
                eprintln!("not run as another user: no /usr/bin/python3");
                None
            }
        }
    }

    /// Whether this machine can isolate the user's bots: the doctor says so, once.
    fn can_isolate(self) -> bool {
        static ABSENT: OnceLock<Vec<String>> = OnceLock::new();
        if self == Self::Ourselves {
            return can_isolate();
        }
        let absent = ABSENT.get_or_init(|| {
            let scratch = Scratch::new();
            open_to_all(&scratch);
            self.give(&scratch.path(""));
            let mut doctor = Command::new(scratch.path("dicehill"));
            self.becomes(&mut doctor);
            absent_for(&mut doctor, &scratch.path(""))
        });
        is_told("another user", absent)
    }

    fn give(self, path: &Path) {
        if self == Self::Nobody {
            std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("we are root");
        }
    }

    fn becomes(self, command: &mut Command) {
        if self == Self::Nobody {
            // The groups go with it.
            command.uid(NOBODY).gid(NOBODY);
            command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        }
    }
}

/// Whoever holds a run may not see where the tests are: everybody can come to this folder, and a copy
/// of the program lies in it.
fn open_to_all(scratch: &Scratch) {
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(scratch.path(""), everybody).expect("it is ours");
    copy(env!("CARGO_BIN_EXE_dicehill"), &scratch.path("dicehill"));
}

/// The program that keeps what Rust's library cannot make.
struct SystemFive {
    child: Child,
    key: String,
    queue: String,
}

impl SystemFive {
    fn new(user: User, program: &Path) -> Self {
        let mut command = Command::new(program);
        command.arg(SECRET).stdin(Stdio::piped()).stdout(Stdio::piped());
        user.becomes(&mut command);
        let mut child = command.spawn().expect("the canary starts");
        let mut said = Vec::new();
        let stdout = child.stdout.as_mut().expect("a pipe");
        let mut byte = [0];
        while stdout.read(&mut byte).expect("the canary speaks") == 1 && byte != *b"\n" {
            said.push(byte[0]);
        }
        let said = String::from_utf8(said).expect("plain words");
        let words: Vec<_> = said.split(' ').collect();
        if words[0] != "both" {
            eprintln!("not wholly run: no shared memory or no message queues here");
        }
        Self { child, key: words[1].to_owned(), queue: words[2].to_owned() }
    }
}

impl Drop for SystemFive {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ended = self.child.wait();
    }
}

/// The attacker, the canary, and the attacker as a library, compiled once.
fn programs() -> &'static [String; 3] {
    static PROGRAMS: OnceLock<[String; 3]> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let options = ["-shared", "-fPIC", "-pthread", "-lrt"];
        [
            compiled("attacker.c", "attacker", &options[2..]),
            compiled("canary.c", "canary", &options[2..]),
            compiled("attacker.c", "libattacker", &options),
        ]
    })
}

/// What must not be reached, beside the hill in one folder.
struct Canaries {
    scratch: Scratch,
    marker: Marker,
    user: User,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    hidden: UnixListener,
    system_five: SystemFive,
}

impl Canaries {
    fn new(user: User) -> Self {
        let (scratch, marker) = (Scratch::new(), Marker::new());
        open_to_all(&scratch);
        for folder in ["", "home", "cache", "elsewhere", "bot", "built"] {
            fs::create_dir_all(scratch.path(folder)).expect("the folder can be written");
            user.give(&scratch.path(folder));
        }
        for file in ["home/secret", "cache/secret", "elsewhere/read", "elsewhere/write", "base.db"]
        {
            scratch.write(file, SECRET);
            user.give(&scratch.path(file));
        }
        let [attacker, canary, _] = programs();
        for (made, name) in [(attacker, "attacker"), (attacker, "honest"), (canary, "canary")] {
            copy(made, &scratch.path(&format!("bot/{name}")));
        }
        for (from, to) in [("attacker.py", "bot"), ("attacker.py", "built"), ("plain.py", "bot")] {
            let content = fs::read_to_string(source(from)).expect("the source is there");
            let secret = if from == "plain.py" { SECRET } else { "" };
            scratch.write(&format!("{to}/{from}"), format!("{content}# {secret}\n"));
        }
        let unix = UnixListener::bind(scratch.path("elsewhere/socket")).expect("a socket");
        fs::set_permissions(scratch.path("elsewhere/socket"), fs::Permissions::from_mode(0o777))
            .expect("it is ours");
        let hidden = SocketAddr::from_abstract_name(marker.as_str()).expect("a short name");
        let hidden = UnixListener::bind_addr(&hidden).expect("a socket");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        tcp.set_nonblocking(true).expect("it is ours");
        udp.set_nonblocking(true).expect("it is ours");
        unix.set_nonblocking(true).expect("it is ours");
        hidden.set_nonblocking(true).expect("it is ours");
        let system_five = SystemFive::new(user, &scratch.path("bot/canary"));
        Self { scratch, marker, user, tcp, udp, unix, hidden, system_five }
    }

    fn text(&self, name: &str) -> String {
        self.scratch.path(name).to_string_lossy().into_owned()
    }

    /// Where files are left that are there for everybody.
    fn dropped(&self) -> Vec<PathBuf> {
        let name = |folder| Path::new(folder).join(self.marker.as_str());
        let mut all: Vec<_> = ["/tmp", "/dev/shm", "/var/tmp"].map(name).into();
        all.push(self.scratch.path("home/dropped"));
        let signs = ["/tmp", "/dev/shm", "/var/tmp"].map(Path::new);
        all.extend(signs.map(|folder| folder.join(format!("mark-{}", self.marker.as_str()))));
        all
    }

    /// What an attacker is told of all this.
    fn arguments(&self) -> Vec<String> {
        let paths = |paths: &[PathBuf]| {
            let all: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
            all.join(":")
        };
        let read = ["home/secret", "cache/secret", "elsewhere/read", "base.db", "hill.toml", "log"];
        let read = [&read[..], &["bot/plain.py"]].concat();
        let read: Vec<_> = read.iter().map(|name| self.scratch.path(name)).collect();
        let namespaces = ["user", "mnt", "pid", "net", "ipc", "uts"]
            .map(|kind| fs::read_link(format!("/proc/self/ns/{kind}")).expect("a namespace"))
            .map(|link| link.to_string_lossy().into_owned());
        let tcp = self.tcp.local_addr().expect("it is bound").port();
        let udp = self.udp.local_addr().expect("it is bound").port();
        vec![
            format!("read={}", paths(&read)),
            format!("write={}", self.text("elsewhere/write")),
            format!("drop={}", paths(&self.dropped())),
            format!("tcp={tcp}"),
            format!("udp={udp}"),
            format!("unix={}", self.text("elsewhere/socket")),
            format!("abstract={}", self.marker.as_str()),
            // A process of the same user, and none that a mistake could harm.
            format!("pid={}", self.system_five.child.id()),
            format!("shm={}", self.system_five.key),
            format!("mq={}", self.system_five.queue),
            format!("ns={}", namespaces.join(",")),
            format!("secret={VARIABLE}"),
            format!("marker={}", self.marker.as_str()),
        ]
    }

    /// Whoever left something outside is found out here; it is removed.
    fn take_dropped(&self) -> Vec<PathBuf> {
        self.dropped().into_iter().filter(|path| fs::remove_file(path).is_ok()).collect()
    }

    /// Expects all of it to be as it was.
    #[track_caller]
    fn are_untouched(&self, what: &str) {
        for file in ["home/secret", "cache/secret", "elsewhere/read", "elsewhere/write", "base.db"]
        {
            let content = fs::read_to_string(self.scratch.path(file)).expect("it is there");
            assert_eq!(content, SECRET, "{what}: {file}");
        }
        let nobody = ErrorKind::WouldBlock;
        assert_eq!(self.tcp.accept().expect_err(what).kind(), nobody, "{what}");
        assert_eq!(self.unix.accept().expect_err(what).kind(), nobody, "{what}");
        assert_eq!(self.hidden.accept().expect_err(what).kind(), nobody, "{what}");
        assert_eq!(self.udp.recv(&mut [0; 16]).expect_err(what).kind(), nobody, "{what}");
    }
}

impl Drop for Canaries {
    /// A test that has failed leaves nothing either.
    fn drop(&mut self) {
        self.take_dropped();
    }
}

/// On what terms the attacker plays.
#[derive(Clone, Copy, Debug)]
struct Terms {
    game: &'static str,
    memory: &'static str,
    games: u64,
    memory_mb: u64,
}

const fn yahtzee(memory: &'static str) -> Terms {
    Terms { game: "yahtzee", memory, games: GAMES, memory_mb: 512 }
}

/// A set in which whoever fails in each game is barred.
const LIARS: Terms = Terms { game: "liars-dice", memory: "set", games: MANY_GAMES, memory_mb: 512 };

/// A finished run.
struct Held {
    ran: Ran,
    took: Duration,
    document: Value,
    /// The lines of the games that count.
    games: Vec<String>,
    /// What the attacker had to say.
    said: Vec<String>,
}

impl Held {
    /// Plays a hill of three house bots, an honest one outside, and this one, if any.
    #[track_caller]
    fn new(canaries: &Canaries, mode: Mode, terms: Terms, attacker: &str) -> Self {
        let Terms { game, memory, games, memory_mb } = terms;
        let keys = format!(
            "game = \"{game}\"\ngames = {games}\nseed = \"s\"\nmemory = \"{memory}\"\n[limits]\n\
             start_ms = 120000\nmove_ms = 120000\nmemory_mb = {memory_mb}"
        );
        let house = match game {
            "yahtzee" => ["greedy", "random", "aces-and-eights"],
            _ => ["pirate", "random", "straight-shooter"],
        };
        let house = hill(&keys, &house);
        // Its second file is there to be read by others.
        let honest = bot("Honest", &["./bot/honest", "none", &canaries.text("bot/plain.py")]);
        let scratch = &canaries.scratch;
        // The attacker comes last, so that the others are there when it begins.
        scratch.write("hill.toml", format!("# {SECRET}\n{house}{honest}{attacker}"));
        for old in ["logs", "log"] {
            let path = scratch.path(old);
            let _none_yet = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
        }
        let run = ["run", "hill.toml", "--jobs", "1", "--format", "json", "--logs", "logs"];
        let mut command = Command::new(scratch.path("dicehill"));
        command.args(run).args(["--out", "log"]).args(mode.arguments());
        command.current_dir(scratch.path("")).env(VARIABLE, SECRET);
        command.env("HOME", scratch.path("home")).env("XDG_CACHE_HOME", scratch.path("cache"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        canaries.user.becomes(&mut command);
        let began = Instant::now();
        let ran = Ran::from(command.output().expect("the command starts"));
        let took = began.elapsed();
        let document = serde_json::from_str(&ran.out)
            .unwrap_or_else(|error| panic!("{attacker}: {error}: {}", ran.err));
        let log = fs::read_to_string(scratch.path("log")).expect("the log is there");
        let lines = |text: &str, begin| -> Vec<String> {
            text.lines().filter(|line| line.starts_with(begin)).map(str::to_owned).collect()
        };
        let said = ["Accomplice", "Attacker"].map(|name| {
            let said = fs::read(scratch.path(&format!("logs/{name}.log"))).unwrap_or_default();
            String::from_utf8_lossy(&said).into_owned()
        });
        let said = said.concat();
        assert!(!said.contains("mistake in "), "{said}");
        let said = lines(&said, "attack ");
        let counting = log.rsplit("{\"type\":\"barred\"").next().expect("there is a last part");
        Self { games: lines(counting, "{\"type\":\"game\""), ran, took, document, said }
    }

    /// What is told of everybody, apart from what they are made of, and the games.
    fn outcome(&self) -> Outcome {
        Outcome { rows: self.rows(), games: self.games.clone() }
    }

    fn rows(&self) -> Vec<Value> {
        let mut rows = self.document["standings"].as_array().expect("standings").clone();
        for row in &mut rows {
            row.as_object_mut().expect("a row").remove("hash");
        }
        rows
    }

    fn barred(&self) -> Option<&str> {
        let rows = self.document["standings"].as_array().expect("standings");
        let attacker = rows.iter().find(|row| row["bot"] == "Attacker")?;
        attacker["barred"]["reason"].as_str()
    }

    /// Expects this of each attack, by what the attacker said.
    #[track_caller]
    fn came_to(&self, attacks: &[Attack], mode: Mode, user: User) {
        let mut wrong = Vec::new();
        // Only who attacks in one way may end by it; the others would not all be tried.
        let is_one = attacks.iter().filter(|attack| **attack != LEAVE).count() == 1;
        let has_ended = self.barred().is_some() && is_one;
        for (name, bare) in attacks {
            let begin = format!("attack {name}: ");
            let lines: Vec<_> = self.said.iter().filter(|line| line.starts_with(&begin)).collect();
            assert!(has_ended || !lines.is_empty(), "{name} was not tried: {}", self.ran.err);
            let got: Vec<_> = lines.iter().filter(|line| line.contains(": BREACH: ")).collect();
            let expected = match (mode, bare) {
                (Mode::Isolated, _) | (Mode::Bare, Contained) => Some(false),
                (Mode::Bare, Breach) => Some(true),
                // Others than root may or may not.
                (Mode::Bare, AsRoot) => user.is_root().then_some(true),
                (Mode::Bare, Depends) => None,
            };
            if expected.is_some_and(|expected| expected == got.is_empty()) {
                wrong.push(format!("{name}: {lines:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{mode:?}, {user:?}: {}", wrong.join("\n"));
    }
}

/// What attacks must not change.
#[derive(Clone, PartialEq, Debug)]
struct Outcome {
    rows: Vec<Value>,
    games: Vec<String>,
}

impl Outcome {
    /// What it is for everybody but the attacker.
    fn of_others(mut self) -> Self {
        self.rows.retain(|row| row["bot"] != "Attacker");
        self
    }
}

/// The outcome with these bots, which attack nobody. It is the same each time: who has seen it once does not
/// play it again.
#[track_caller]
fn peaceful(canaries: &Canaries, mode: Mode, terms: Terms, kind: &str, bots: &str) -> Outcome {
    static KNOWN: Mutex<BTreeMap<String, Outcome>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = format!("{mode:?} {:?} {terms:?} {kind}", canaries.user);
    if let Some(outcome) = known().get(&key) {
        return outcome.clone();
    }
    let outcome = Held::new(canaries, mode, terms, bots).outcome();
    known().insert(key, outcome.clone());
    outcome
}

/// Does this for each user who can hold such a run, at the same time. Nobody else of these tests has the machine
/// meanwhile.
fn for_each_user(mode: Mode, action: impl Fn(User) + Sync) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        for user in mode.users() {
            let action = &action;
            scope.spawn(move || action(user));
        }
    });
}

/// The names, as the attackers take them.
fn list(attacks: &[Attack]) -> String {
    attacks.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",")
}

/// How an attacker is started.
#[derive(Clone, Copy, Debug)]
enum Language {
    C,
    Python,
}
use Language::{C, Python};

impl Language {
    const fn name(self) -> &'static str {
        match self {
            C => "C",
            Python => "Python",
        }
    }
}

/// The attacker of a hill with these attacks.
fn attacker(canaries: &Canaries, language: Language, attacks: &str) -> String {
    let [program, option] = canaries.user.python().expect("seen before");
    let file = |name| canaries.text(&format!("bot/{name}"));
    let mut words = match language {
        // A file of its own, and not a program of the system's.
        C => vec!["./bot/attacker".to_owned()],
        Python => vec![program.to_owned(), option.to_owned(), file("attacker.py")],
    };
    words.push(attacks.to_owned());
    words.extend(canaries.arguments());
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    bot("Attacker", &words)
}

/// What is put into a hill beside the honest.
struct Bots {
    kind: &'static str,
    attacking: String,
    /// The same if it attacks nobody.
    honest: String,
}

/// Expects all of what a run came to.
#[track_caller]
fn check_one(canaries: &Canaries, mode: Mode, terms: Terms, attacks: &[Attack], bots: &Bots) {
    let Bots { kind, attacking, honest } = bots;
    let what = format!("{mode:?}, {:?}, {attacking}", canaries.user);
    let held = Held::new(canaries, mode, terms, attacking);
    println!("{what}: {:.1?}\n{held:?}", held.took);
    canaries.marker.is_gone(&what);
    held.came_to(attacks, mode, canaries.user);
    let dropped = canaries.take_dropped();
    if mode == Mode::Isolated {
        canaries.are_untouched(&what);
        assert_eq!(dropped, Vec::<PathBuf>::new(), "{what}");
        let logs = fs::read_dir(canaries.scratch.path("logs")).expect("the logs are there");
        for log in logs {
            let content = fs::read(log.expect("an entry").path()).expect("a log");
            assert!(!String::from_utf8_lossy(&content).contains(SECRET), "{what}: {held:?}");
        }
    } else if attacks.iter().any(|(name, _)| *name == "drop-file") {
        assert_ne!(dropped, Vec::<PathBuf>::new(), "{what}: it was not tried");
    }
    assert!(held.barred().is_some() || !attacks.contains(&LEAVE), "{what}: it was not barred");
    if held.barred().is_some() {
        let without = peaceful(canaries, mode, terms, "without", "");
        assert_eq!(held.outcome().of_others(), without, "{what}");
    } else {
        let quiet = peaceful(canaries, mode, terms, kind, honest);
        assert_eq!(held.outcome(), quiet, "{what}");
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}", self.ran.err, self.said.join("\n"))
    }
}

/// Expects the attacks to come to what they should, whoever holds the run.
#[track_caller]
fn check(mode: Mode, languages: &[Language], terms: Terms, attacks: &[Attack]) {
    for_each_user(mode, |user| {
        for language in languages {
            let canaries = Canaries::new(user);
            let bots = Bots {
                kind: language.name(),
                attacking: attacker(&canaries, *language, &list(attacks)),
                honest: attacker(&canaries, *language, "none"),
            };
            check_one(&canaries, mode, terms, attacks, &bots);
        }
    });
}

/// The same on other terms, which the control has no need of.
#[track_caller]
fn check_also(mode: Mode, terms: Terms, attacks: &[Attack]) {
    if mode == Mode::Isolated {
        check(mode, &[C], terms, attacks);
    }
}

/// The same for an attacker that is barred.
#[track_caller]
fn check_barred(mode: Mode, terms: Terms, attacks: &[Attack]) {
    check_also(mode, terms, &[attacks, &[LEAVE]].concat());
}

/// The same of two that have agreed on it: the first of the attacks is the accomplice's.
#[track_caller]
fn check_two(mode: Mode, terms: Terms, attacks: &[Attack; 2]) {
    for_each_user(mode, |user| {
        let canaries = Canaries::new(user);
        let two = |attacks: [&str; 2]| {
            let [first, second] = attacks.map(|attacks| attacker(&canaries, C, attacks));
            first.replacen("Attacker", "Accomplice", 1) + &second
        };
        let attacking = two([attacks[0].0, attacks[1].0]);
        let bots = Bots { kind: "two", attacking, honest: two(["none", "none"]) };
        check_one(&canaries, mode, terms, attacks, &bots);
    });
}

const BOTH: &[Language] = &[C, Python];

fn check_files(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), FILES);
    check_also(mode, yahtzee("set"), FILES);
    check(mode, BOTH, yahtzee("set"), LINKS);
    check(mode, BOTH, yahtzee("game"), FOLDERS);
    check_barred(mode, LIARS, FILES);
}

fn check_arena(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), ARENA);
    check_also(mode, yahtzee("set"), ARENA);
    check_barred(mode, LIARS, ARENA);
}

fn check_network(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), NETWORK);
    check_also(mode, Terms { games: GAMES, ..LIARS }, NETWORK);
    check_barred(mode, LIARS, NETWORK);
}

fn check_kernel(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), KERNEL);
    check_also(mode, yahtzee("set"), KERNEL);
    check_barred(mode, LIARS, KERNEL);
}

fn check_signs(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), SIGNS);
    check_also(mode, yahtzee("set"), SIGNS);
    check_barred(mode, LIARS, SIGNS);
}

fn check_eviction(mode: Mode) {
    check(mode, &[C], yahtzee("set"), EVICTION);
}

fn check_collusion(mode: Mode) {
    check_collusion_by(mode, COLLUSION);
}

fn check_counts(mode: Mode) {
    check_collusion_by(mode, COUNTS);
}

fn check_collusion_by(mode: Mode, attacks: &[Attack; 2]) {
    for memory in ["game", "set"] {
        check_two(mode, yahtzee(memory), attacks);
        check_two(mode, Terms { memory, ..LIARS }, attacks);
    }
}

fn check_left_behind(mode: Mode) {
    check(mode, BOTH, yahtzee("game"), LEFT_BEHIND);
    check_also(mode, Terms { games: GAMES, ..LIARS }, LEFT_BEHIND);
    check_barred(mode, LIARS, LEFT_BEHIND);
}

fn check_too_much(mode: Mode) {
    check(mode, BOTH, Terms { memory_mb: 8192, ..yahtzee("set") }, BOMBS);
    check_barred(mode, Terms { memory_mb: 8192, ..LIARS }, BOMBS);
    for filler in FILLERS {
        check(mode, &[C], yahtzee("set"), filler);
    }
    for hog in SHARED_HOGS {
        check(mode, &[C], Terms { memory_mb: 256, ..yahtzee("set") }, hog);
    }
    for hog in HOGS {
        check(mode, BOTH, Terms { memory_mb: 256, ..yahtzee("set") }, hog);
    }
    check(mode, &[C], Terms { memory_mb: 256, ..LIARS }, HOGS[0]);
}

/// Whoever ends and begins anew has no more room than others.
fn check_room(mode: Mode) {
    check(mode, &[C], LIARS, &[HOARD, LEAVE]);
    for filler in FILLERS {
        check_barred(mode, LIARS, filler);
    }
}

/// The build's report is a file beside the bot, which reads it out.
fn check_build(mode: Mode) {
    for_each_user(mode, |user| {
        let [program, option] = user.python().expect("seen before");
        let canaries = Canaries::new(user);
        let built = |attacks: &str| {
            let start = [program, option, "attacker.py"].map(str::to_owned);
            let more = [vec![attacks.to_owned(), "report=report".into()], canaries.arguments()];
            let build = [&start[..], &more.concat()].concat();
            let told = ["none".to_owned(), "tell=report".into()];
            let command = [&start[..], &told].concat();
            format!(
                "[[bot]]\nname = \"Attacker\"\ndir = \"built\"\nbuild = {build:?}\n\
                 command = {command:?}\n"
            )
        };
        let bots = Bots { kind: "built", attacking: built(&list(BUILD)), honest: built("none") };
        check_one(&canaries, mode, yahtzee("game"), BUILD, &bots);
    });
}

/// A player for one of the published interfaces, with its attacks beside it in its package.
fn check_player(mode: Mode, terms: Terms, class: &str, package: &str) {
    for_each_user(mode, |user| {
        let canaries = Canaries::new(user);
        let player = |attacks: &str| {
            let folder = if attacks == "none" { "java-none" } else { "java" };
            fs::create_dir_all(canaries.scratch.path(folder)).expect("a folder for the player");
            let java = |name: &str| {
                fs::read_to_string(source(&format!("{name}.java"))).expect("the source is there")
            };
            let arguments = format!("{attacks} {}", canaries.arguments().join(" "));
            let attacks = java("Attacks").replace("\"HOW\"", &format!("{arguments:?}"));
            canaries.scratch.write(&format!("{folder}/{class}.java"), java(class));
            canaries
                .scratch
                .write(&format!("{folder}/Attacks.java"), package.to_owned() + &attacks);
            let library = &programs()[2];
            fs::copy(library, canaries.scratch.path(&format!("{folder}/library"))).expect("a copy");
            format!("[[bot]]\nname = \"Attacker\"\njava = {folder:?}\nclass = {class:?}\n")
        };
        let bots = Bots { kind: "java", attacking: player(&list(JAVA)), honest: player("none") };
        check_one(&canaries, mode, terms, JAVA, &bots);
    });
}

fn check_java(mode: Mode) {
    check_player(mode, yahtzee("set"), "Attacker", "package mego.yahtzee;\n");
}

fn check_java_liars(mode: Mode) {
    check_player(mode, Terms { games: GAMES, ..LIARS }, "LiarsAttacker", "");
}

macro_rules! both_ways {
    ($($check:ident: $isolated:ident, $bare:ident;)*) => {
        $(
            #[test]
            fn $isolated() {
                $check(Mode::Isolated);
            }

            #[test]
            fn $bare() {
                $check(Mode::Bare);
            }
        )*
    };
}

both_ways! {
    check_files: files_are_out_of_reach, files_are_in_reach_of_the_bare;
    check_arena: the_arena_is_out_of_reach, the_arena_is_in_reach_of_the_bare;
    check_network: there_is_no_network, there_is_a_network_for_the_bare;
    check_kernel: the_kernel_refuses, the_kernel_serves_the_bare;
    check_signs: no_signs_can_be_given, signs_can_be_given_by_the_bare;
    check_eviction: files_cannot_be_driven_out, files_can_be_driven_out_by_the_bare;
    check_collusion: two_cannot_collude, two_collude_that_are_bare;
    check_counts: two_cannot_count, two_count_that_are_bare;
    check_left_behind: nothing_is_left_behind, nothing_is_left_behind_by_the_bare;
    check_too_much: nobody_gets_too_much, the_bare_get_too_much;
    check_room: there_is_no_more_room_by_ending, there_is_room_for_the_bare;
    check_build: a_build_is_kept_too, a_build_is_bare_too;
    check_java: players_in_java_are_kept_too, players_in_java_are_bare_too;
    check_java_liars: liars_in_java_are_kept_too, liars_in_java_are_bare_too;
}
