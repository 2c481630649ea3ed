//! What must not be reached.

use std::fs;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use crate::support::Scratch;
use crate::support::external::{Marker, attacker, compiled, copy, source};
use crate::support::user::{User, open_to_all};

/// Stands in every canary file, and must stand in no log.
pub(super) const SECRET: &str = "xyzzy-plugh";
/// A variable of the arena's environment.
pub(super) const VARIABLE: &str = "DICEHILL_TEST_SECRET";

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

/// The canary, compiled once.
fn canary() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| compiled("canary.c", "canary", &["-pthread", "-lrt"]))
}

/// The attacker as a library, compiled once.
pub(super) fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        compiled("attacker.c", "libattacker", &["-shared", "-fPIC", "-pthread", "-lrt"])
    })
}

/// What must not be reached, beside the hill in one folder.
pub(super) struct Canaries {
    pub(super) scratch: Scratch,
    pub(super) marker: Marker,
    pub(super) user: User,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    hidden: UnixListener,
    system_five: SystemFive,
}

impl Canaries {
    pub(super) fn new(user: User) -> Self {
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
        let made = [(attacker(), "attacker"), (attacker(), "honest"), (canary(), "canary")];
        for (made, name) in made {
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

    pub(super) fn text(&self, name: &str) -> String {
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
    pub(super) fn arguments(&self) -> Vec<String> {
        let paths = |paths: &[PathBuf]| {
            let all: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
            all.join(":")
        };
        let read = ["home/secret", "cache/secret", "elsewhere/read", "base.db", "hill.toml", "log"];
        let read = [&read[..], &["bot/plain.py"]].concat();
        let read: Vec<_> = read.iter().map(|name| self.scratch.path(name)).collect();
        let namespaces = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"]
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
    pub(super) fn take_dropped(&self) -> Vec<PathBuf> {
        self.dropped().into_iter().filter(|path| fs::remove_file(path).is_ok()).collect()
    }

    /// Expects all of it to be as it was.
    #[track_caller]
    pub(super) fn are_untouched(&self, what: &str) {
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
