//! Attacks over the network and sockets.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

use super::decoy::SECRET;
use super::outcome::AttackOutcome;
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
