//! Why a broker cannot be used.

use std::path::PathBuf;

/// Why a broker cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// It is no address.
    #[error(
        "{0:?} is not an address of NATS, such as nats://127.0.0.1:4222, or tls://HOST for TLS"
    )]
    Address(String),
    /// A file of the log-in cannot be read.
    #[error("{}: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// It cannot be reached, or refuses the log-in.
    #[error("{url}: {why}")]
    Connect {
        /// The address.
        url: String,
        /// The reason.
        why: String,
    },
    /// Its server is too old.
    #[error(
        "{url}: nats-server {version} is too old, as it may lose a queue permanently: 2.10 or later is needed"
    )]
    OldServer {
        /// The address.
        url: String,
        /// The version of the server.
        version: String,
    },
    /// It refuses a request.
    #[error("cannot {what}: {why}")]
    Request {
        /// What was asked for.
        what: &'static str,
        /// The reason.
        why: String,
    },
    /// An object is damaged, or another one.
    #[error("the bot {0} in the object store is damaged")]
    Damaged(String),
    /// The system cannot start a thread or has no random numbers.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

impl BrokerError {
    /// An error of a request.
    pub(crate) fn request(what: &'static str, why: impl std::fmt::Display) -> Self {
        Self::Request { what, why: why.to_string() }
    }

    /// Whether the command line or a file that it names is at fault.
    #[must_use]
    pub const fn is_of_usage(&self) -> bool {
        matches!(self, Self::Address(_) | Self::File { .. })
    }
}
