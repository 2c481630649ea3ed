//! The configuration of a server.

use std::ffi::OsString;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use crate::address_range::AddressRange;
use crate::webhook::Webhook;

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
    /// The proxies whose header `X-Forwarded-For` says from which client a request comes. Limits that hold for each client
    /// hold for all clients of any other proxy together.
    pub trusted_proxies: Vec<AddressRange>,
    /// The address on which it serves its metrics, and nothing else; `None` if nowhere.
    pub metrics: Option<SocketAddr>,
    /// Whether holders of a token of the host may upload bots.
    pub accept: bool,
    /// Whether the hills' own bots get the network, secrets and files that the hills name, when uploaded bots play with them.
    pub trusts_hills: bool,
    /// The guarantees of isolation that this machine lacks; uploads are accepted only if there are none.
    pub missing: Vec<String>,
    /// The `dicehill` command, which qualifies bots and plays tournaments.
    pub program: PathBuf,
    /// The folder in which tables survive a restart; `None` if they end with the server. It is created with the first table.
    pub tables: Option<PathBuf>,
    /// Where news of the hills are sent.
    pub webhook: Option<Webhook>,
    /// Options of the commands that play runs: where their workers are. Empty if they have none.
    pub worker_options: Vec<OsString>,
    /// The folder in which runs cache what they build of bots; its disk is looked at too. `None` if nothing is built.
    pub bot_cache: Option<PathBuf>,
    /// Free bytes of a disk below which the server accepts nothing and begins no run.
    pub min_free_bytes: u64,
    /// Limits on requests.
    pub limits: RequestLimits,
}

impl Config {
    /// The URL by which readers reach the server, for what must be a whole address: the first of its further origins.
    pub(crate) fn public_origin(&self) -> Option<&str> {
        self.origins.first().map(|origin| origin.trim_end_matches('/'))
    }

    /// Whether the address is that of a proxy whose `X-Forwarded-For` counts.
    pub(crate) fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|range| range.contains(address))
    }
}

impl Default for Config {
    /// A server without hills that only local programs reach.
    fn default() -> Self {
        Self {
            hills: Vec::new(),
            listen: ([127, 0, 0, 1], 0).into(),
            origins: Vec::new(),
            trusted_proxies: Vec::new(),
            metrics: None,
            accept: false,
            trusts_hills: false,
            missing: Vec::new(),
            program: PathBuf::from("dicehill"),
            tables: None,
            webhook: None,
            worker_options: Vec::new(),
            bot_cache: None,
            min_free_bytes: 0,
            limits: RequestLimits::default(),
        }
    }
}

/// Limits on requests.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// The most connections at the same time; others wait.
    pub connections: usize,
    /// The most connections, and the most requests, of one client at the same time; others are refused.
    pub connections_per_client: usize,
    /// The most streams of one client at the same time; others are refused.
    pub streams_per_client: usize,
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
    /// The time after which a client that has sent too many wrong tokens may send one more.
    pub wrong_token_pause: Duration,
    /// The pause before an entry or a run is tried again after an error of the machine, which doubles with each further one.
    pub retry_pause: Duration,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_client: 256,
            streams_per_client: 128,
            header_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            header_bytes: 16 << 10,
            request_time: Duration::from_secs(30),
            body_bytes: 64 << 10,
            upload_bytes: 16 << 20,
            wrong_token_pause: Duration::from_secs(12),
            retry_pause: Duration::from_secs(15),
        }
    }
}
