//! How a server is to be.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How a server is to be.
#[derive(Clone, Debug)]
pub struct Config {
    /// The stores of the hills that it shows.
    pub hills: Vec<PathBuf>,
    /// Where it listens; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Origins, such as `https://hill.example.org`, under which others know this server, for instance because a proxy stands before
    /// it. The origin that a request names itself by its `Host` always is one.
    pub origins: Vec<String>,
    /// Whether bots may come in, with tokens that the host gives out.
    pub accept: bool,
    /// What this machine cannot guarantee of strangers' programs: as long as there is anything, no bots come in.
    pub missing: Vec<String>,
    /// The `dicehill` command, which qualifies bots and plays.
    pub program: PathBuf,
    /// What one visitor may ask of the server.
    pub limits: Limits,
}

/// What visitors may ask of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at the same time; more wait.
    pub connections: usize,
    /// Time for the headers of a request, and for an idle connection.
    pub header_time: Duration,
    /// Time in which the other side has to take some of what it is sent.
    pub write_time: Duration,
    /// Bytes of the headers of a request.
    pub header_bytes: usize,
    /// Time for a whole request but for streams.
    pub request_time: Duration,
    /// Bytes of a request's body but for uploads.
    pub body_bytes: usize,
    /// Bytes of an upload.
    pub upload_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            header_bytes: 16 << 10,
            request_time: Duration::from_secs(30),
            body_bytes: 64 << 10,
            upload_bytes: 16 << 20,
        }
    }
}
