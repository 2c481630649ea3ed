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

use dicehill_temporary::Temporary;

use super::target::{Target, mark};
use crate::child::helper_program::keeper;

/// What this process keeps in its memory for an attack to find.
pub(super) static SECRET: &[u8; 16] = b"dicehill's dice.";

/// A link to a foreign file, in the folder of an attack.
pub(super) const LINK: &str = "link";

/// The lowest descriptor that is left open for an attack to find.
const LEFT_OPEN: i32 = 64;

/// The longest that all attacks together may take to say how they came out. On a machine that is not busy they take a few
/// seconds.
const LONGEST: Duration = Duration::from_secs(120);

/// Files, sockets and a descriptor for attacks to reach, and folders for them to work in. All of it is
/// gone when this is dropped.
pub struct Bait {
    folder: Temporary,
    laid: Instant,
    tcp: TcpListener,
    udp: UdpSocket,
    _sockets: [UnixListener; 2],
}

impl Bait {
    /// Lays it out in a new folder.
    ///
    /// # Errors
    /// If there can be no such folder, or no such socket.
    pub fn lay() -> io::Result<Self> {
        let folder = Temporary::new()?;
        let foreign = folder.path().join("foreign");
        fs::create_dir(&foreign)?;
        fs::create_dir(folder.path().join("cells"))?;
        for name in ["canary", "victim"] {
            fs::write(foreign.join(name), SECRET)?;
        }
        // A copy: whoever isolates the attack may change what belongs to it.
        fs::copy(keeper()?, folder.path().join("dicehill"))?;
        let name = SocketAddr::from_abstract_name(mark(own_number()))?;
        let sockets =
            [UnixListener::bind(foreign.join("socket"))?, UnixListener::bind_addr(&name)?];
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
        udp.set_nonblocking(true)?;
        Ok(Self { folder, laid: Instant::now(), tcp, udp, _sockets: sockets })
    }

    /// What an attack is told that may use so many mebibytes.
    pub(super) fn target(&self, memory_mb: u64) -> io::Result<Target> {
        Ok(Target {
            folder: self.folder.path().join("foreign"),
            tcp: self.tcp.local_addr()?.port(),
            udp: self.udp.local_addr()?.port(),
            doctor: own_number(),
            secret_at: std::ptr::from_ref(SECRET).addr(),
            memory_mb,
        })
    }

    /// A folder for an attack to work in, with the program that carries it out.
    pub(super) fn cell(&self, name: &str) -> io::Result<Cell> {
        let cells = self.folder.path().join("cells");
        // What an earlier try has left may be in the way.
        let mut folders = (0..).map(|number: u32| cells.join(format!("{name}-{number}")));
        let folder = folders.find(|folder| !folder.exists()).expect("the numbers do not end");
        fs::create_dir(&folder)?;
        fs::hard_link(self.folder.path().join("dicehill"), folder.join("dicehill"))?;
        symlink(self.folder.path().join("foreign/canary"), folder.join(LINK))?;
        Ok(Cell(folder))
    }

    /// When the attacks have to be over.
    pub(super) fn until(&self) -> Instant {
        self.laid + LONGEST
    }

    /// Whether a datagram has come.
    pub(super) fn has_message(&self) -> bool {
        self.udp.recv(&mut [0; 64]).is_ok()
    }

    /// A descriptor that every child inherits, as one is that a shell has left open.
    pub(super) fn left_open(&self) -> io::Result<OwnedFd> {
        let file = fs::File::open(self.folder.path().join("foreign/canary"))?;
        let descriptor = rustix::io::fcntl_dupfd_cloexec(&file, LEFT_OPEN)?;
        rustix::io::fcntl_setfd(&descriptor, rustix::io::FdFlags::empty())?;
        Ok(descriptor)
    }

    /// A word that stands in the command lines of its attacks, and nowhere else.
    pub(super) fn word(&self) -> &Path {
        self.folder.path()
    }
}

fn own_number() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// The folder of one attack, which is gone after it.
pub(super) struct Cell(PathBuf);

impl Cell {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        // Whatever is left goes with the bait.
        let _gone = fs::remove_dir_all(&self.0);
    }
}
