//! Files, sockets and shared objects that bots must not reach.

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
use crate::support::external::{Marker, attacker, compile_test_program, copy, source};
use crate::support::user::{User, make_accessible};

/// The content of every canary file, which must be in no log.
pub(super) const SECRET: &str = "xyzzy-plugh";
/// An environment variable of the arena.
pub(super) const VARIABLE: &str = "DICEHILL_TEST_SECRET";

/// A program that holds System V objects, which Rust's standard library cannot create.
struct SystemVObjects {
    child: Child,
    key: String,
    queue: String,
}

impl SystemVObjects {
    fn new(user: User, program: &Path) -> Self {
        let mut command = Command::new(program);
        command.arg(SECRET).stdin(Stdio::piped()).stdout(Stdio::piped());
        user.apply_to(&mut command);
        let mut child = command.spawn().expect("the canary starts");
        let mut line = Vec::new();
        let stdout = child.stdout.as_mut().expect("a pipe");
        let mut byte = [0];
        while stdout.read(&mut byte).expect("the canary speaks") == 1 && byte != *b"\n" {
            line.push(byte[0]);
        }
        let line = String::from_utf8(line).expect("plain words");
        let words: Vec<_> = line.split(' ').collect();
        if words[0] != "both" {
            eprintln!("not wholly run: no shared memory or no message queues here");
        }
        Self { child, key: words[1].to_owned(), queue: words[2].to_owned() }
    }
}

impl Drop for SystemVObjects {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ended = self.child.wait();
    }
}

/// The path of the canary program, compiled once.
fn canary() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| compile_test_program("canary.c", "canary", &["-pthread", "-lrt"]))
}

/// The attacker as a shared library, compiled once.
pub(super) fn library() -> &'static str {
    static LIBRARY: OnceLock<String> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        compile_test_program("attacker.c", "libattacker", &["-shared", "-fPIC", "-pthread", "-lrt"])
    })
}

/// Everything that must not be reached, in one folder with the hill.
pub(super) struct Canaries {
    pub(super) scratch: Scratch,
    pub(super) marker: Marker,
    pub(super) user: User,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    abstract_socket: UnixListener,
    system_v: SystemVObjects,
}

impl Canaries {
    pub(super) fn new(user: User) -> Self {
        let (scratch, marker) = (Scratch::new(), Marker::new());
        make_accessible(&scratch);
        for folder in ["", "home", "cache", "elsewhere", "bot", "built"] {
            fs::create_dir_all(scratch.path(folder)).expect("the folder can be written");
            user.give_ownership(&scratch.path(folder));
        }
        for file in ["home/secret", "cache/secret", "elsewhere/read", "elsewhere/write", "base.db"]
        {
            scratch.write(file, SECRET);
            user.give_ownership(&scratch.path(file));
        }
        let programs = [(attacker(), "attacker"), (attacker(), "honest"), (canary(), "canary")];
        for (program, name) in programs {
            copy(program, &scratch.path(&format!("bot/{name}")));
        }
        for (from, to) in [("attacker.py", "bot"), ("attacker.py", "built"), ("plain.py", "bot")] {
            let content = fs::read_to_string(source(from)).expect("the source is there");
            let secret = if from == "plain.py" { SECRET } else { "" };
            scratch.write(&format!("{to}/{from}"), format!("{content}# {secret}\n"));
        }
        let unix = UnixListener::bind(scratch.path("elsewhere/socket")).expect("a socket");
        fs::set_permissions(scratch.path("elsewhere/socket"), fs::Permissions::from_mode(0o777))
            .expect("it is ours");
        let abstract_socket =
            SocketAddr::from_abstract_name(marker.as_str()).expect("a short name");
        let abstract_socket = UnixListener::bind_addr(&abstract_socket).expect("a socket");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        tcp.set_nonblocking(true).expect("it is ours");
        udp.set_nonblocking(true).expect("it is ours");
        unix.set_nonblocking(true).expect("it is ours");
        abstract_socket.set_nonblocking(true).expect("it is ours");
        let system_v = SystemVObjects::new(user, &scratch.path("bot/canary"));
        Self { scratch, marker, user, tcp, udp, unix, abstract_socket, system_v }
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.scratch.path(name).to_string_lossy().into_owned()
    }

    /// Paths where an escaped bot could leave files that every user can see.
    fn drop_paths(&self) -> Vec<PathBuf> {
        let name = |folder| Path::new(folder).join(self.marker.as_str());
        let mut all: Vec<_> = ["/tmp", "/dev/shm", "/var/tmp"].map(name).into();
        all.push(self.scratch.path("home/dropped"));
        let marks = ["/tmp", "/dev/shm", "/var/tmp"].map(Path::new);
        all.extend(marks.map(|folder| folder.join(format!("mark-{}", self.marker.as_str()))));
        all
    }

    /// The arguments that give an attacker the places of the canaries.
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
            format!("drop={}", paths(&self.drop_paths())),
            format!("tcp={tcp}"),
            format!("udp={udp}"),
            format!("unix={}", self.text("elsewhere/socket")),
            format!("abstract={}", self.marker.as_str()),
            // A process of the same user, so that a mistake of the test could harm no other process.
            format!("pid={}", self.system_v.child.id()),
            format!("shm={}", self.system_v.key),
            format!("mq={}", self.system_v.queue),
            format!("ns={}", namespaces.join(",")),
            format!("secret={VARIABLE}"),
            format!("marker={}", self.marker.as_str()),
        ]
    }

    /// Removes the files that an escaped bot has left; returns their paths.
    pub(super) fn remove_dropped(&self) -> Vec<PathBuf> {
        self.drop_paths().into_iter().filter(|path| fs::remove_file(path).is_ok()).collect()
    }

    /// Expects all canaries to be unchanged.
    #[track_caller]
    pub(super) fn expect_unchanged(&self, what: &str) {
        for file in ["home/secret", "cache/secret", "elsewhere/read", "elsewhere/write", "base.db"]
        {
            let content = fs::read_to_string(self.scratch.path(file)).expect("it is there");
            assert_eq!(content, SECRET, "{what}: {file}");
        }
        let no_connection = ErrorKind::WouldBlock;
        assert_eq!(self.tcp.accept().expect_err(what).kind(), no_connection, "{what}");
        assert_eq!(self.unix.accept().expect_err(what).kind(), no_connection, "{what}");
        assert_eq!(self.abstract_socket.accept().expect_err(what).kind(), no_connection, "{what}");
        assert_eq!(self.udp.recv(&mut [0; 16]).expect_err(what).kind(), no_connection, "{what}");
    }
}

impl Drop for Canaries {
    /// Also cleans up after a failed test.
    fn drop(&mut self) {
        self.remove_dropped();
    }
}
