//! Attacks over the network and sockets.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

use super::decoy::SECRET;
use super::outcome::AttackOutcome;
use super::raw_syscall::raw_syscall;
use super::target::AttackTarget;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

pub(super) fn connect(target: &AttackTarget) -> AttackOutcome {
    AttackOutcome::from_result(TcpStream::connect((HERE, target.tcp)), |_| {
        "it is connected".to_owned()
    })
}

/// Reports the port as its detail, for the check from outside.
pub(super) fn listen(_: &AttackTarget) -> AttackOutcome {
    let listener = TcpListener::bind((HERE, 0));
    let port = listener.and_then(|listener| {
        let port = listener.local_addr()?.port();
        // The socket must listen as long as the process runs.
        std::mem::forget(listener);
        Ok(port)
    });
    AttackOutcome::from_result(port, |port| port.to_string())
}

pub(super) fn send_datagram(target: &AttackTarget) -> AttackOutcome {
    let sent =
        UdpSocket::bind((HERE, 0)).and_then(|socket| socket.send_to(SECRET, (HERE, target.udp)));
    AttackOutcome::from_result(sent, |_| "the datagram arrived".to_owned())
}

pub(super) fn unix_socket(target: &AttackTarget) -> AttackOutcome {
    AttackOutcome::from_result(UnixStream::connect(target.folder.join("socket")), |_| {
        "it is connected".to_owned()
    })
}

pub(super) fn abstract_socket(target: &AttackTarget) -> AttackOutcome {
    let connect = || -> io::Result<UnixStream> {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(target.mark())?)
    };
    AttackOutcome::from_result(connect(), |_| "it is connected".to_owned())
}

/// Sockets of families and protocols that the kernel has without a module, so that the attempt loads none.
pub(super) fn other_protocols(_: &AttackTarget) -> AttackOutcome {
    const ROUTE: i32 = libc::NETLINK_ROUTE;
    let kinds = [
        ("netlink", libc::AF_NETLINK, libc::SOCK_RAW, ROUTE),
        ("MPTCP", libc::AF_INET, libc::SOCK_STREAM, libc::IPPROTO_MPTCP),
        ("UDP-Lite", libc::AF_INET, libc::SOCK_DGRAM, libc::IPPROTO_UDPLITE),
        ("raw IP", libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP),
        ("packets", libc::AF_PACKET, libc::SOCK_DGRAM, 0),
    ];
    let opened = kinds.map(|(name, family, kind, protocol)| {
        let words = [family, kind, protocol].map(|word| word as usize);
        #[expect(unsafe_code, reason = "no safe function takes any protocol")]
        // SAFETY: the call takes no addresses. The socket is closed with the process.
        unsafe { raw_syscall(libc::SYS_socket, &words) }.map(|_| name)
    });
    let names: Vec<_> = opened.iter().filter_map(|one| one.as_ref().ok().copied()).collect();
    if names.is_empty() {
        let [refused, ..] = opened;
        return AttackOutcome::from_result(refused, str::to_owned);
    }
    AttackOutcome::Open(format!("sockets of {}", names.join(", ")))
}
