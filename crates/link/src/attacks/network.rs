//! Attacks over the network and sockets.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};

use super::decoy::SECRET;
use super::outcome::Outcome;
use super::target::AttackTarget;

const HERE: Ipv4Addr = Ipv4Addr::LOCALHOST;

pub(super) fn connect(target: &AttackTarget) -> Outcome {
    Outcome::of(TcpStream::connect((HERE, target.tcp)), |_| "it is connected".to_owned())
}

/// Reports the port as its detail, for the check from outside.
pub(super) fn listen(_: &AttackTarget) -> Outcome {
    let listener = TcpListener::bind((HERE, 0));
    let port = listener.and_then(|listener| {
        let port = listener.local_addr()?.port();
        // The socket must listen as long as the process runs.
        std::mem::forget(listener);
        Ok(port)
    });
    Outcome::of(port, |port| port.to_string())
}

pub(super) fn send_datagram(target: &AttackTarget) -> Outcome {
    let sent =
        UdpSocket::bind((HERE, 0)).and_then(|socket| socket.send_to(SECRET, (HERE, target.udp)));
    Outcome::of(sent, |_| "the datagram arrived".to_owned())
}

pub(super) fn unix_socket(target: &AttackTarget) -> Outcome {
    Outcome::of(UnixStream::connect(target.folder.join("socket")), |_| "it is connected".to_owned())
}

pub(super) fn abstract_socket(target: &AttackTarget) -> Outcome {
    let connect = || -> io::Result<UnixStream> {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(target.mark())?)
    };
    Outcome::of(connect(), |_| "it is connected".to_owned())
}
