//! A connection to NATS.

use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, Request, Subscriber};
use tokio::sync::mpsc::UnboundedSender;

use super::address::BrokerAddress;
use super::error::BrokerError;

/// The oldest server that recovers from the loss of its disk.
const OLDEST_SERVER: (u64, u64) = (2, 10);
/// How long a request may take.
const REQUEST_TIME: Duration = Duration::from_secs(5);

/// A connection to NATS.
#[derive(Clone)]
pub(crate) struct Broker {
    pub(super) client: Client,
    pub(super) jetstream: Context,
}

/// A change of the connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConnectionChange {
    /// It is up, at first or again.
    Up,
    /// It is lost; the client goes on trying.
    Down,
}

impl Broker {
    /// Connects. `changes` gets what happens to the connection later.
    ///
    /// # Errors
    /// If the server cannot be reached, refuses the log-in or is too old.
    pub(crate) async fn connect(
        address: &BrokerAddress,
        name: &str,
        changes: UnboundedSender<ConnectionChange>,
    ) -> Result<Self, BrokerError> {
        let url = address.shown();
        let options = options(address).await?.name(name).request_timeout(Some(REQUEST_TIME));
        let options = options.event_callback(move |event| {
            let change = change_of(&event);
            let changes = changes.clone();
            async move {
                if let Some(change) = change {
                    let _receiver_gone = changes.send(change);
                }
            }
        });
        let failed = |error: async_nats::ConnectError| BrokerError::Connect {
            url: url.clone(),
            why: error.to_string(),
        };
        let client = options.connect(&url).await.map_err(failed)?;
        let version = client.server_info().version.clone();
        if is_too_old(&version) {
            return Err(BrokerError::OldServer { url, version });
        }
        let jetstream = jetstream::new(client.clone());
        Ok(Self { client, jetstream })
    }

    /// The longest message, in bytes.
    pub(crate) fn max_payload(&self) -> usize {
        self.client.max_payload()
    }

    pub(crate) async fn subscribe(&self, subject: String) -> Result<Subscriber, BrokerError> {
        let subscribed = self.client.subscribe(subject).await;
        subscribed.map_err(|error| BrokerError::request("subscribe", error))
    }

    /// Publishes a message that may be lost.
    pub(crate) async fn publish(&self, subject: String, message: Vec<u8>) {
        // A lost connection is reported elsewhere, and each of these messages is repeated.
        let _lost = self.client.publish(subject, message.into()).await;
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    /// If there is no answer in time.
    pub(crate) async fn ask(
        &self,
        subject: String,
        message: Vec<u8>,
    ) -> Result<Vec<u8>, BrokerError> {
        let request = Request::new().payload(message.into()).timeout(Some(REQUEST_TIME));
        let answered = self.client.send_request(subject, request).await;
        let answer = answered.map_err(|error| BrokerError::request("ask the host", error))?;
        Ok(answer.payload.to_vec())
    }

    /// Sends what is still in the buffers.
    pub(crate) async fn flush(&self) {
        let _lost = tokio::time::timeout(REQUEST_TIME, self.client.flush()).await;
    }
}

const fn change_of(event: &Event) -> Option<ConnectionChange> {
    match event {
        Event::Connected => Some(ConnectionChange::Up),
        Event::Disconnected => Some(ConnectionChange::Down),
        Event::LameDuckMode
        | Event::Draining
        | Event::Closed
        | Event::SlowConsumer(_)
        | Event::ServerError(_)
        | Event::ClientError(_) => None,
    }
}

async fn options(address: &BrokerAddress) -> Result<ConnectOptions, BrokerError> {
    let BrokerAddress { credentials, nkey, authorities, certificate, .. } = address;
    let mut options = ConnectOptions::new();
    if let Some((user, password)) = address.user() {
        options = options.user_and_password(user.to_owned(), password.to_owned());
    }
    if let Some(path) = credentials {
        let text = read(path)?;
        let bad = |error: std::io::Error| file_error(path, &error);
        options = options.credentials(&text).map_err(bad)?;
    }
    if let Some(path) = nkey {
        options = options.nkey(read(path)?.trim().to_owned());
    }
    if let Some(path) = authorities {
        read(path)?;
        options = options.add_root_certificates(path.clone()).require_tls(true);
    }
    if let Some([certificate, key]) = certificate {
        read(certificate)?;
        read(key)?;
        options =
            options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    Ok(options)
}

fn read(path: &Path) -> Result<String, BrokerError> {
    std::fs::read_to_string(path).map_err(|error| file_error(path, &error))
}

fn file_error(path: &Path, error: &std::io::Error) -> BrokerError {
    BrokerError::File { path: path.to_owned(), why: error.to_string() }
}

/// Whether a server is too old. One without a readable version is not: its requests tell.
fn is_too_old(version: &str) -> bool {
    let mut numbers = version.split(['.', '-']).map_while(|number| number.parse::<u64>().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) => (major, minor) < OLDEST_SERVER,
        (Some(_) | None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_servers_are_known_by_their_versions() {
        for version in ["2.9.10", "1.4.1", "2.0"] {
            assert!(is_too_old(version), "{version}");
        }
        for version in ["2.10.0", "2.15.1", "3.0.0-dev", "2.10-RC1", ""] {
            assert!(!is_too_old(version), "{version}");
        }
    }
}
