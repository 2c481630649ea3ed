//! What attacks try to reach.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dicehill_temporary::TemporaryFolder;

use super::target::{AttackTarget, mark};
use crate::child::helper_program::helper_program;

/// A secret in the memory of this process for attacks to read.
pub(super) static SECRET: &[u8; 16] = b"dicehill's dice.";

/// A link to a foreign file, in the working folder of an attack.
pub(super) const LINK: &str = "link";

/// The lowest descriptor that is left open for attacks to find.
const LEFT_OPEN: i32 = 64;

/// The longest that all attacks together may take to report. On an idle machine they take a few seconds, and in an emulated
/// one some minutes.
const LONGEST: Duration = Duration::from_secs(600);

/// Files, sockets and a descriptor for attacks to reach, and folders for them to work in. All of them are
/// removed on drop.
pub struct Decoy {
    folder: TemporaryFolder,
    created: Instant,
    tcp: TcpListener,
    udp: UdpSocket,
    _sockets: [UnixListener; 2],
}

impl Decoy {
    /// Creates everything in a new temporary folder.
    ///
    /// # Errors
    /// If the folder or a socket cannot be created.
    pub fn new() -> io::Result<Self> {
        let folder = TemporaryFolder::new()?;
        let foreign = folder.path().join("foreign");
        fs::create_dir(&foreign)?;
        fs::create_dir(folder.path().join("cells"))?;
        for name in ["canary", "victim"] {
            fs::write(foreign.join(name), SECRET)?;
        }
        // A copy, because isolating the attack may change the owner.
        fs::copy(helper_program()?, folder.path().join("dicehill"))?;
        let name = SocketAddr::from_abstract_name(mark(own_number()))?;
        let sockets =
            [UnixListener::bind(foreign.join("socket"))?, UnixListener::bind_addr(&name)?];
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        udp.set_nonblocking(true)?;
        Ok(Self { folder, created: Instant::now(), tcp, udp, _sockets: sockets })
    }

    /// The target of an attack that may use so many mebibytes of memory.
    pub(super) fn target(&self, memory_mb: u64) -> io::Result<AttackTarget> {
        Ok(AttackTarget {
            folder: self.folder.path().join("foreign"),
            tcp: self.tcp.local_addr()?.port(),
            udp: self.udp.local_addr()?.port(),
            doctor: own_number(),
            secret_at: std::ptr::from_ref(SECRET).addr(),
            memory_mb,
            has_crash_socket: has_crash_socket(),
        })
    }

    /// A folder for an attack to work in, with the program that carries it out.
    pub(super) fn attack_folder(&self, name: &str) -> io::Result<AttackFolder> {
        let cells = self.folder.path().join("cells");
        // An earlier attempt may have left its folder.
        let mut folders = (0..).map(|number: u32| cells.join(format!("{name}-{number}")));
        let folder = folders.find(|folder| !folder.exists()).expect("the numbers do not end");
        fs::create_dir(&folder)?;
        fs::hard_link(self.folder.path().join("dicehill"), folder.join("dicehill"))?;
        symlink(self.folder.path().join("foreign/canary"), folder.join(LINK))?;
        Ok(AttackFolder(folder))
    }

    /// When all attacks must have reported.
    pub(super) fn until(&self) -> Instant {
        self.created + LONGEST
    }

    /// Whether a datagram has arrived.
    pub(super) fn has_message(&self) -> bool {
        self.udp.recv(&mut [0; 64]).is_ok()
    }

    /// A descriptor that every child inherits, like one that a shell has left open.
    pub(super) fn left_open(&self) -> io::Result<OwnedFd> {
        let file = fs::File::open(self.folder.path().join("foreign/canary"))?;
        let descriptor = rustix::io::fcntl_dupfd_cloexec(&file, LEFT_OPEN)?;
        rustix::io::fcntl_setfd(&descriptor, rustix::io::FdFlags::empty())?;
        Ok(descriptor)
    }

    /// A word that only the command lines of its attacks contain.
    pub(super) fn command_line_word(&self) -> &Path {
        self.folder.path()
    }
}

fn own_number() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// Whether the kernel passes on crashes to a socket (`@` since Linux 6.16).
fn has_crash_socket() -> bool {
    let pattern = fs::read("/proc/sys/kernel/core_pattern");
    pattern.is_ok_and(|pattern| pattern.starts_with(b"@"))
}

/// The folder of one attack, removed on drop.
pub(super) struct AttackFolder(PathBuf);

impl AttackFolder {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for AttackFolder {
    fn drop(&mut self) {
        // What is left is removed with the temporary folder.
        let _may_be_gone = fs::remove_dir_all(&self.0);
    }
}
