//! The configuration of a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The stores of the hills that it shows.
    pub hills: Vec<PathBuf>,
    /// The address on which it listens; port 0 selects a free port.
    pub listen: SocketAddr,
    /// Further origins of this server, such as `https://hill.example.org` behind a proxy. The origin of a request's own `Host`
    /// is always accepted.
    pub origins: Vec<String>,
    /// Whether holders of a token of the host may upload bots.
    pub accept: bool,
    /// The guarantees of isolation that this machine lacks; uploads are accepted only if there are none.
    pub missing: Vec<String>,
    /// The `dicehill` command, which qualifies bots and plays tournaments.
    pub program: PathBuf,
    /// Limits on requests.
    pub limits: RequestLimits,
}

/// Limits on requests.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// The most connections at the same time; others wait.
    pub connections: usize,
    /// The longest time until the headers of a request are complete, and of an idle connection.
    pub header_time: Duration,
    /// The longest time in which a client reads nothing of a response.
    pub write_time: Duration,
    /// The most bytes of a request's headers.
    pub header_bytes: usize,
    /// The longest time of a request, except for streams.
    pub request_time: Duration,
    /// The most bytes of a request's body, except for uploads.
    pub body_bytes: usize,
    /// The most bytes of an uploaded file.
    pub upload_bytes: usize,
}

impl Default for RequestLimits {
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
