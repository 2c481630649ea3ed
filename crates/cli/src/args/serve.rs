//! What `dicehill serve` takes.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use dicehill_web::{AddressRange, parse_origin};
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::{BrokerArgs, TrustArgs};
use crate::console::log::LogFormat;

/// Show hills on a web page: watch, replay games, play, and upload bots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The hills to show; without a hill there are only tables for people
    #[arg(value_name = "HILL.db")]
    pub(crate) hills: Vec<PathBuf>,
    /// The address to listen on; port 0 means any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8017", value_parser = socket_address)]
    pub(crate) listen: SocketAddr,
    /// Let token holders upload bots (`dicehill token new`)
    #[arg(long)]
    pub(crate) accept: bool,
    /// A public URL of this server, such as that of a proxy in front of it (`https://hill.example.org`)
    #[arg(long = "origin", value_name = "URL", value_parser = parse_origin)]
    pub(crate) origins: Vec<String>,
    /// The level of the log on stderr: off, error, warn, info, debug or trace, also by module
    /// (`warn,dicehill_web::entries=info`)
    #[arg(long, value_name = "FILTER", default_value = "info", value_parser = log_filter)]
    pub(crate) log: Targets,
    /// The form of the log: text, one JSON object a line, or text with the priorities that journald reads. By default journal under
    /// systemd, and text elsewhere
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) log_format: Option<LogFormat>,
    /// MiB that must be free on the disk of a hill, in the folder for temporary files and in that for built bots: with less, no bots
    /// are accepted and no run begins
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub(crate) min_free_disk: u32,
    /// Send the news of each ended run to this address: a POST with JSON, signed with the secret of --webhook-secret and tried again
    /// for a day
    #[arg(long, value_name = "URL", requires = "webhook_secret")]
    pub(crate) webhook: Option<String>,
    /// A file with the secret that signs the news: the header X-Dicehill-Signature has `sha256=` and the HMAC-SHA256 of the body
    #[arg(long, value_name = "FILE", requires = "webhook")]
    pub(crate) webhook_secret: Option<PathBuf>,
    /// A proxy in front of this server, whose header X-Forwarded-For names the client of a request. Without it all clients of
    /// a proxy share the limits of one. The proxy must set or extend the header itself. May be repeated
    #[arg(long = "trusted-proxy", value_name = "ADDRESS|CIDR")]
    pub(crate) trusted_proxies: Vec<AddressRange>,
    /// Serve metrics for Prometheus at this address, under /metrics. Strangers should not be able to reach it
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = socket_address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// The folder in which tables for people survive a restart; created with the first table. By default it is next to the
    /// first hill, HILL.tables; without a hill tables end with the server. It contains the seeds of games that are being played
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tables: Option<PathBuf>,
    /// Let workers play the runs of the queue: `dicehill work` on other machines, connected by NATS. Placements and runs with remote
    /// bots are played here
    #[arg(long, value_name = "nats://HOST:PORT", requires = "accept")]
    pub(crate) workers: Option<String>,
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// The address of a listener: an IP address, or a name of this machine, with a port.
fn socket_address(text: &str) -> Result<SocketAddr, String> {
    let form =
        || "must be an address of this machine and a port, such as 127.0.0.1:8017".to_owned();
    text.to_socket_addrs().ok().and_then(|mut found| found.next()).ok_or_else(form)
}

/// The filter of the log. A word that is neither a level nor of a module would let nothing through.
fn log_filter(text: &str) -> Result<Targets, String> {
    let is_level = |part: &str| part.contains('=') || part.parse::<LevelFilter>().is_ok();
    if let Some(part) = text.split(',').find(|part| !is_level(part)) {
        return Err(format!(
            "`{part}` is not a level; use off, error, warn, info, debug, trace, or MODULE=LEVEL"
        ));
    }
    text.parse().map_err(|_| "use LEVEL or MODULE=LEVEL, separated by commas".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  dicehill serve spring.db                      the hill at http://127.0.0.1:8017
  dicehill serve spring.db dice.db --listen 0.0.0.0:80
  dicehill serve spring.db --accept             token holders can upload bots
  dicehill serve models.db --accept --trust-hill
                                                with the network, secrets and files of its bots
  dicehill serve spring.db --origin https://hill.example.org --trusted-proxy 127.0.0.1
  dicehill serve spring.db --metrics 127.0.0.1:9017
  dicehill serve spring.db --accept --workers nats://127.0.0.1:4222
  dicehill serve --tables tables                only tables for people

Ctrl-C ends the server. Runs are played by separate processes: the server ends only those that it started for an uploaded \
bot, and resumes them at its next start.";
